/** Python's operators on values: what they give, and when they raise. */

import { FLOAT, type Term, type Terms } from "../logic/terms.ts";
import {
  always,
  bool,
  float,
  int,
  itemOf,
  join,
  type Plain,
  partsOf,
  rawItem,
  type Sequence,
  type SequenceType,
  typeOf,
  typeText,
  type Value,
  widen,
} from "../logic/values.ts";
import { operator_signs } from "../python/construct_names.ts";
import { Unsupported } from "../python/refusal.ts";
import type { BinOp, CompareOp, Order, UnaryOp } from "../python/tree.ts";
import type { Machine, State } from "./machine.ts";
import { joined, order, sameItems, whole } from "./sequences.ts";

/** Floats hold every whole number up to here. */
const exact_max = 2n ** 53n;
/** Powers and repetitions are written out up to this one. */
const written_powers_max = 64n;
const written_repeats_max = 64n;

/** `bool(x)`, which never raises for these types. */
export function truthOf(m: Machine, plain: Plain, line: number): Term {
  const { t } = m;
  switch (plain.kind) {
    case "bool":
      return plain.term;
    case "int":
      return t.not(t.eq(plain.term, t.zero));
    case "float":
      return t.not(t.floatOp("fp.isZero", plain.term));
    case "none":
      return t.no;
    case "tuple":
      return t.bool(plain.items.length > 0);
    case "sequence":
      return t.lt(t.zero, plain.sequence.length);
    case "unbound":
      return t.no;
    default:
      throw new Unsupported(`the truth value of a ${plain.kind} number`, line);
  }
}

/** The truth of a value that may have several types. */
export function truth(m: Machine, value: Value, line: number): Term {
  const { t } = m;
  return value.reduceRight((rest, { when, plain }) => t.ite(when, truthOf(m, plain, line), rest), t.no);
}

/** The whole number that an int or bool is. */
export function asInt(t: Terms, plain: Plain): Term | undefined {
  if (plain.kind === "int") return plain.term;
  return plain.kind === "bool" ? t.ite(plain.term, t.one, t.zero) : undefined;
}

/**
 * A number as a float. Whole numbers that are no constants become a float of which nothing is known
 * but that it belongs to the number: no solver converts them rightly.
 */
export function asFloat(m: Machine, state: State, plain: Plain, line: number): Term | undefined {
  const { t } = m;
  if (plain.kind === "float") return plain.term;
  if (plain.kind === "bool") return t.ite(plain.term, t.float(1), t.float(0));
  if (plain.kind !== "int") return undefined;
  if (isSmall(plain.term)) return t.float(Number(plain.term.value));
  m.raise(state, m.unknown("too large for a float", [plain.term]), "OverflowError", line);
  return t.apply("float of int", [plain.term], FLOAT);
}

export function binary(m: Machine, state: State, op: BinOp, a: Value, b: Value, line: number): Value {
  return m.each(state, a, (x, own) => m.each(own, b, (y, both) => onPlain(m, both, op, x, y, line)));
}

function onPlain(m: Machine, state: State, op: BinOp, a: Plain, b: Plain, line: number): Value {
  const { t } = m;
  const [x, y] = [asInt(t, a), asInt(t, b)];
  if (x && y) return onInts(m, state, op, { a, b, x, y }, line);
  const numbers = [a, b].every(({ kind }) => kind === "int" || kind === "bool" || kind === "float");
  if (numbers) return onFloats(m, state, op, a, b, line);
  if (op === "Add" && a.kind === "tuple" && b.kind === "tuple")
    return always(t, { kind: "tuple", items: [...a.items, ...b.items] });
  if (op === "Add" && a.kind === "sequence" && b.kind === "sequence" && a.sequence.type.kind === b.sequence.type.kind)
    return always(t, { kind: "sequence", sequence: concatenated(m, a.sequence, b.sequence, line) });
  if (op === "Mult" && a.kind === "sequence" && y) return always(t, repeated(m, state, a.sequence, y, line));
  if (op === "Mult" && b.kind === "sequence" && x) return always(t, repeated(m, state, b.sequence, x, line));
  if (incompatible(op, a, b)) {
    m.raise(state, t.yes, "TypeError", line);
    return m.nothing();
  }
  throw new Unsupported(`\`${operator_signs[op]}\` of ${typeText(typeOf(a))} and ${typeText(typeOf(b))}`, line);
}

/** Pairs of types for which an operator is known to raise TypeError. */
function incompatible(op: BinOp, a: Plain, b: Plain): boolean {
  const simple = ["int", "bool", "float", "none"];
  if (![a.kind, b.kind].every((kind) => simple.includes(kind) || kind === "sequence" || kind === "tuple")) return false;
  if (a.kind === "none" || b.kind === "none") return op !== "Mod" || a.kind !== "sequence";
  return op === "Add" || op === "Sub";
}

interface Ints {
  readonly a: Plain;
  readonly b: Plain;
  readonly x: Term;
  readonly y: Term;
}

function onInts(m: Machine, state: State, op: BinOp, { a, b, x, y }: Ints, line: number): Value {
  const { t } = m;
  switch (op) {
    case "Add":
      return always(t, int(t.add(x, y)));
    case "Sub":
      return always(t, int(t.sub(x, y)));
    case "Mult":
      return always(t, int(t.mul(x, y)));
    case "FloorDiv":
      m.raise(state, t.eq(y, t.zero), "ZeroDivisionError", line);
      divided(m, x, y);
      return always(t, int(t.floorDiv(x, y)));
    case "Mod":
      m.raise(state, t.eq(y, t.zero), "ZeroDivisionError", line);
      divided(m, x, y);
      return always(t, int(t.mod(x, y)));
    case "Div":
      m.raise(state, t.eq(y, t.zero), "ZeroDivisionError", line);
      if (isSmall(x) && isSmall(y) && y !== t.zero) return always(t, float(t.float(Number(x.value) / Number(y.value))));
      m.raise(state, m.unknown("quotient too large", [x, y]), "OverflowError", line);
      return always(t, float(t.apply("quotient", [x, y], FLOAT)));
    case "Pow":
      return power(m, state, x, y, line);
    case "LShift":
    case "RShift":
      return shift(m, op, x, y, line);
    case "BitAnd":
    case "BitOr":
    case "BitXor":
      return bits(m, op, a, b, line);
    case "MatMult":
      throw new Unsupported(`the operator \`${operator_signs[op]}\``, line);
    default:
      return op satisfies never;
  }
}

/** What ties quotient and remainder together, where the divisor is no constant: solvers find it hard. */
function divided(m: Machine, x: Term, y: Term): void {
  const { t } = m;
  if (y.op === "literal") return;
  const whole = t.eq(x, t.add(t.mul(y, t.floorDiv(x, y)), t.mod(x, y)));
  m.facts.push(t.or(t.eq(y, t.zero), whole));
}

/** A constant that floats hold exactly. */
function isSmall({ value }: Term): boolean {
  return typeof value === "bigint" && value <= exact_max && value >= -exact_max;
}

function power(m: Machine, state: State, x: Term, y: Term, line: number): Value {
  const { t } = m;
  const { value } = y;
  if (typeof value !== "bigint" || value > written_powers_max)
    throw new Unsupported(
      `\`**\` of whole numbers with an exponent that is not a constant up to ${written_powers_max}`,
      line,
    );
  if (value < 0n) {
    m.raise(state, t.eq(x, t.zero), "ZeroDivisionError", line);
    m.raise(state, m.unknown("int power too large", [x, y]), "OverflowError", line);
    return always(t, float(t.apply("int power", [x, y], FLOAT)));
  }
  let product = t.one;
  for (let i = 0n; i < value; i++) product = t.mul(product, x);
  return always(t, int(product));
}

function shift(m: Machine, op: "LShift" | "RShift", x: Term, y: Term, line: number): Value {
  const { t } = m;
  const { value } = y;
  if (typeof value !== "bigint" || value < 0n || value > written_powers_max)
    throw new Unsupported(`shifts by a distance that is not a constant from 0 to ${written_powers_max}`, line);
  const factor = t.int(2n ** value);
  return always(t, int(op === "LShift" ? t.mul(x, factor) : t.floorDiv(x, factor)));
}

function bits(m: Machine, op: "BitAnd" | "BitOr" | "BitXor", a: Plain, b: Plain, line: number): Value {
  const { t } = m;
  if (a.kind === "bool" && b.kind === "bool") {
    if (op === "BitAnd") return always(t, bool(t.and(a.term, b.term)));
    return always(t, bool(op === "BitOr" ? t.or(a.term, b.term) : t.not(t.eq(a.term, b.term))));
  }
  const [x, y] = [asInt(t, a), asInt(t, b)];
  const mask = typeof y?.value === "bigint" ? y.value : undefined;
  // x & (2 ** k - 1) keeps the last k bits, of negative numbers too.
  if (op === "BitAnd" && x && mask !== undefined && mask >= 0n && (mask & (mask + 1n)) === 0n)
    return always(t, int(t.mod(x, t.int(mask + 1n))));
  throw new Unsupported("bitwise operations on whole numbers other than `& (2 ** k - 1)`", line);
}

/** Operators that raise TypeError where one side is a float. */
function isOfIntsOnly(op: BinOp): op is "LShift" | "RShift" | "BitAnd" | "BitOr" | "BitXor" | "MatMult" {
  return ["LShift", "RShift", "BitAnd", "BitOr", "BitXor", "MatMult"].includes(op);
}

function onFloats(m: Machine, state: State, op: BinOp, a: Plain, b: Plain, line: number): Value {
  const { t } = m;
  if (isOfIntsOnly(op)) {
    m.raise(state, t.yes, "TypeError", line);
    return m.nothing();
  }
  const [x, y] = [asFloat(m, state, a, line), asFloat(m, state, b, line)];
  if (!x || !y) throw new Unsupported(`\`${operator_signs[op]}\` of these numbers`, line);
  switch (op) {
    case "Add":
      return always(t, float(t.floatOp("fp.add", x, y)));
    case "Sub":
      return always(t, float(t.floatOp("fp.sub", x, y)));
    case "Mult":
      return always(t, float(t.floatOp("fp.mul", x, y)));
    case "Div":
      m.raise(state, t.floatOp("fp.isZero", y), "ZeroDivisionError", line);
      return always(t, float(t.floatOp("fp.div", x, y)));
    case "FloorDiv":
    case "Mod":
      m.raise(state, t.floatOp("fp.isZero", y), "ZeroDivisionError", line);
      return always(t, float(t.apply(`float ${op}`, [x, y], FLOAT)));
    case "Pow":
      return floatPower(m, state, x, y, line);
    default:
      return op satisfies never;
  }
}

/**
 * A float to a constant power. Of the result only what follows is known: it is complex for a finite
 * negative base and a fraction; roots of what is not negative are not negative, and raise nothing.
 */
function floatPower(m: Machine, state: State, x: Term, y: Term, line: number): Value {
  const { t } = m;
  const { value } = y;
  if (typeof value !== "number" || !Number.isFinite(value))
    throw new Unsupported("`**` of floats with an exponent that is not a finite constant", line);
  const zero = t.float(0);
  const negative = t.floatOp("fp.lt", x, zero);
  const power = t.apply("float power", [x, y], FLOAT);
  const root = value > 0 && value <= 1;
  if (value < 0) m.raise(state, t.floatOp("fp.isZero", x), "ZeroDivisionError", line);
  const complex = Number.isInteger(value) ? t.no : t.and(negative, t.not(t.floatOp("fp.isInfinite", x)));
  if (!root) m.raise(state, m.unknown("float power too large", [x, y]), "OverflowError", line);
  if (root) {
    m.facts.push(t.implies(t.floatOp("fp.leq", zero, x), t.floatOp("fp.leq", zero, power)));
    m.facts.push(t.implies(t.floatOp("fp.isNaN", x), t.floatOp("fp.isNaN", power)));
  }
  const real = { when: t.not(complex), plain: float(power) };
  return complex === t.no ? [real] : [{ when: complex, plain: { kind: "complex" } }, real];
}

/** A list with the items of another one behind its own. */
export function concatenated(m: Machine, a: Sequence, b: Sequence, line: number): Sequence {
  const { t } = m;
  const type = join({ ...a.type, view: "whole" }, { ...b.type, view: "whole" });
  const { value } = b.length;
  if (b.length === t.zero) return a;
  if (a.length === t.zero && b.type.view === "whole") return b;
  if (!isList(type)) throw new Unsupported(`adding a ${typeText(b.type)} to a ${typeText(a.type)}`, line);
  const wide = (each: Sequence) => {
    const widened = widen(t, { kind: "sequence", sequence: each }, { ...type, view: each.type.view });
    return sequenceOf(widened) ?? each;
  };
  if (a.type.view !== "whole" || typeof value !== "bigint" || value > written_repeats_max)
    return joined(m, type, wide(a), wide(b));
  let sum = wide(a);
  for (let i = 0n; i < value; i++) sum = appended(m, sum, rawItem(t, b, t.int(i)), line);
  return sum;
}

function repeated(m: Machine, state: State, of: Sequence, times: Term, line: number): Plain {
  const { t } = m;
  const [first, ...more] =
    of.length === t.one && of.type.view === "whole" && of.type.item ? partsOf(rawItem(t, of, t.zero)) : [];
  if (!first) throw new Unsupported("`*` of a list that has more than one item", line);
  const limit = t.int(2n ** 63n);
  m.raise(state, t.or(t.le(limit, times), t.lt(times, t.neg(limit))), "OverflowError", line);
  const length = t.ite(t.lt(t.zero, times), times, t.zero);
  return { kind: "sequence", sequence: { ...of, length, arrays: [first, ...more].map((part) => t.fill(part)) } };
}

/** The list with one more item. */
export function appended(m: Machine, list: Sequence, item: Plain, line: number): Sequence {
  const { t } = m;
  const own = list.type.item ?? typeOf(item);
  if (typeText(own) !== typeText(typeOf(item)) || hasView(item))
    throw new Unsupported(`adding an item of type ${typeText(typeOf(item))} to a ${typeText(list.type)}`, line);
  const type: SequenceType = { ...list.type, item: own, view: "whole" };
  const wide = sequenceOf(widen(t, { kind: "sequence", sequence: whole(m, list) }, type)) ?? list;
  const parts = partsOf(item);
  const arrays = wide.arrays.map((array, i) => t.store(array, wide.length, parts[i] ?? t.zero));
  return { type, length: t.add(wide.length, t.one), start: t.zero, arrays };
}

/** Lists in lists are whole ones, and of a known type. */
function hasView(plain: Plain): boolean {
  if (plain.kind === "tuple") return plain.items.some(hasView);
  return plain.kind === "sequence" && (plain.sequence.type.view !== "whole" || !plain.sequence.type.item);
}

function isList(type: ReturnType<typeof typeOf> | undefined): type is SequenceType {
  return type?.kind === "list" || type?.kind === "str";
}

export function sequenceOf(plain: Plain): Sequence | undefined {
  return plain.kind === "sequence" ? plain.sequence : undefined;
}

export function unary(m: Machine, state: State, op: UnaryOp, value: Value, line: number): Value {
  const { t } = m;
  if (op === "Not") return always(t, bool(t.not(truth(m, value, line))));
  return m.each(state, value, (plain) => {
    const number = asInt(t, plain);
    if (op === "USub" && plain.kind === "float") return always(t, float(negated(t, plain.term)));
    if (op === "UAdd" && plain.kind === "float") return always(t, plain);
    if (!number) throw new Unsupported(`unary \`${operator_signs[op]}\` of ${typeText(typeOf(plain))}`, line);
    if (op === "USub") return always(t, int(t.neg(number)));
    if (op === "UAdd") return always(t, int(number));
    return always(t, int(t.sub(t.neg(number), t.one)));
  });
}

function negated(t: Terms, term: Term): Term {
  return typeof term.value === "number" ? t.float(-term.value) : t.floatOp("fp.neg", term);
}

/** One comparison; the result is always a bool for these types. */
export function compare(
  m: Machine,
  state: State,
  op: Exclude<CompareOp, "In" | "NotIn">,
  a: Value,
  b: Value,
  line: number,
): Value {
  const { t } = m;
  return m.each(state, a, (x, own) =>
    m.each(own, b, (y, both) => {
      if (op === "Is" || op === "IsNot") return always(t, bool(identity(m, op, x, y, line)));
      if (op === "Eq") return always(t, bool(equals(m, x, y, line)));
      if (op === "NotEq") return always(t, bool(t.not(equals(m, x, y, line))));
      return always(t, bool(ordered(m, both, op, x, y, line)));
    }),
  );
}

function identity(m: Machine, op: "Is" | "IsNot", a: Plain, b: Plain, line: number): Term {
  if (a.kind !== "none" && b.kind !== "none") throw new Unsupported("`is` and `is not` with anything but None", line);
  return m.t.bool((a.kind === b.kind) === (op === "Is"));
}

/** Python's `==`. */
export function equals(m: Machine, a: Plain, b: Plain, line: number): Term {
  const { t } = m;
  const [x, y] = [asInt(t, a), asInt(t, b)];
  // One that is too small for its parts is 0, and equal to 0.0.
  if (a.kind === "complex" || b.kind === "complex")
    throw new Unsupported("complex numbers (the power of a negative float can be one)", line);
  if (a.kind === "bool" && b.kind === "bool") return t.eq(a.term, b.term);
  if (x && y) return t.eq(x, y);
  if (a.kind === "float" || b.kind === "float") return floatEquals(m, a, b, line);
  if (a.kind === "tuple" && b.kind === "tuple") {
    if (a.items.length !== b.items.length) return t.no;
    return t.and(...a.items.map((item, i) => itemEquals(m, item, b.items[i] ?? item, line)));
  }
  if (a.kind === "sequence" && b.kind === "sequence") return sequenceEquals(m, a.sequence, b.sequence, line);
  return t.bool(a.kind === "none" && b.kind === "none");
}

/** Containers look at identity first, so a NaN in them may be equal to itself or not. */
function itemEquals(m: Machine, a: Plain, b: Plain, line: number): Term {
  if (a.kind === "float" || b.kind === "float") throw new Unsupported("`==` of containers with floats", line);
  return equals(m, a, b, line);
}

function floatEquals(m: Machine, a: Plain, b: Plain, line: number): Term {
  const pair = exactFloats(m, a, b, line);
  return pair ? m.t.floatOp("fp.eq", pair[0], pair[1]) : m.t.no;
}

/** Both as floats where that is exact; undefined when one is no number. Whole numbers compare exactly, so nothing may be rounded. */
function exactFloats(m: Machine, a: Plain, b: Plain, line: number): [Term, Term] | undefined {
  const exact = (plain: Plain): Term | undefined => {
    if (plain.kind === "float") return plain.term;
    if (plain.kind === "bool") return m.t.ite(plain.term, m.t.float(1), m.t.float(0));
    if (plain.kind !== "int") return undefined;
    if (!isSmall(plain.term))
      throw new Unsupported("comparisons of a float with a whole number that is not a constant", line);
    return m.t.float(Number(plain.term.value));
  };
  const [x, y] = [exact(a), exact(b)];
  return x && y ? [x, y] : undefined;
}

function sequenceEquals(m: Machine, a: Sequence, b: Sequence, line: number): Term {
  const { t } = m;
  if (a.type.kind !== b.type.kind) return t.no;
  const lengths = t.eq(a.length, b.length);
  const short = [a, b].find(({ length }) => typeof length.value === "bigint" && length.value <= written_repeats_max);
  const known = typeof short?.length.value === "bigint" ? short.length.value : undefined;
  if (known === 0n || !a.type.item || !b.type.item)
    return t.and(lengths, t.eq(a.length, known === 0n ? t.zero : b.length));
  if (known === undefined) return t.and(lengths, sameItems(m, a, b, line));
  const indices = Array.from({ length: Number(known) }, (_, i) => t.int(BigInt(i)));
  return t.and(lengths, ...indices.map((i) => itemEquals(m, rawItem(t, a, i), rawItem(t, b, i), line)));
}

function ordered(m: Machine, state: State, op: Order, a: Plain, b: Plain, line: number): Term {
  const { t } = m;
  const [x, y] = [asInt(t, a), asInt(t, b)];
  if (x && y) return intOrder(t, op, x, y);
  const numbers = [a, b].every(({ kind }) => kind === "int" || kind === "bool" || kind === "float");
  const pair = numbers ? exactFloats(m, a, b, line) : undefined;
  if (pair) return floatOrder(t, op, pair[0], pair[1]);
  if (a.kind === "tuple" && b.kind === "tuple") return tupleOrder(m, state, op, a.items, b.items, line);
  if (a.kind === "sequence" && b.kind === "sequence") {
    const decided = order(m, a.sequence, b.sequence, (l, r) => intOrder(t, op, l, r));
    if (decided) return decided;
  }
  const simple = ["int", "bool", "float", "none", "complex"];
  if ([a.kind, b.kind].every((kind) => simple.includes(kind))) {
    m.raise(state, t.yes, "TypeError", line);
    return t.no;
  }
  throw new Unsupported(`\`${operator_signs[op]}\` of ${typeText(typeOf(a))} and ${typeText(typeOf(b))}`, line);
}

function intOrder(t: Terms, op: Order, x: Term, y: Term): Term {
  if (op === "Lt") return t.lt(x, y);
  if (op === "LtE") return t.le(x, y);
  return op === "Gt" ? t.lt(y, x) : t.le(y, x);
}

function floatOrder(t: Terms, op: Order, x: Term, y: Term): Term {
  if (op === "Lt") return t.floatOp("fp.lt", x, y);
  if (op === "LtE") return t.floatOp("fp.leq", x, y);
  return op === "Gt" ? t.floatOp("fp.lt", y, x) : t.floatOp("fp.leq", y, x);
}

/** The first items that are not equal decide. */
function tupleOrder(m: Machine, state: State, op: Order, a: readonly Plain[], b: readonly Plain[], line: number): Term {
  const { t } = m;
  const [x, ...more_a] = a;
  const [y, ...more_b] = b;
  if (!x || !y) return intOrder(t, op, t.int(BigInt(a.length)), t.int(BigInt(b.length)));
  const strict = op === "LtE" ? "Lt" : op === "GtE" ? "Gt" : op;
  const equal = itemEquals(m, x, y, line);
  const own = { live: t.and(state.live, t.not(equal)), variables: state.variables };
  const before = own.live;
  const first = ordered(m, own, strict, x, y, line);
  if (own.live !== before)
    throw new Unsupported("`<`, `<=`, `>` and `>=` of tuples whose items cannot be compared", line);
  return t.ite(equal, tupleOrder(m, state, op, more_a, more_b, line), first);
}

/** `xs[i]` for a whole number i, which counts from the end when it is negative. */
export function index(m: Machine, state: State, of: Sequence, at: Term, line: number): Value {
  const { t } = m;
  const place = wrapped(m, state, of.length, at, line);
  const item = itemOf(t, of, place);
  assume(m, item);
  return always(t, item);
}

/** The place that an index means. Raises IndexError outside. */
export function wrapped(m: Machine, state: State, length: Term, at: Term, line: number): Term {
  const { t } = m;
  const negative = m.isNotNegative(at) ? t.no : t.lt(at, t.zero);
  const place = t.ite(negative, t.add(at, length), at);
  const below = negative === t.no ? t.no : t.lt(place, t.zero);
  m.raise(state, t.or(below, t.le(length, place)), "IndexError", line);
  return place;
}

const code_point_max = 0x10ffffn;

/** What holds of every value that there can be: no length is negative, and characters are code points. */
export function assume(m: Machine, plain: Plain): void {
  const { t } = m;
  if (plain.kind === "tuple") for (const item of plain.items) assume(m, item);
  if (plain.kind !== "sequence") return;
  const { type, length } = plain.sequence;
  if (length.op !== "literal") m.facts.push(t.le(t.zero, length));
  if (type.kind !== "str" || length !== t.one) return;
  const code = rawItem(t, plain.sequence, t.zero);
  if (code.kind === "int") m.facts.push(t.le(t.zero, code.term), t.le(code.term, t.int(code_point_max)));
}
