/** Executes Python's arithmetic: the results of operators, and when they raise exceptions. */

import { FLOAT, INT, type Term } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { always, bool, float, int, type Plain, typeOf, typeText, type Value } from "../../logic/values.ts";
import { operator_signs } from "../../python/construct_names.ts";
import { Unsupported } from "../../python/refusal.ts";
import type { BinOp, UnaryOp } from "../../python/tree.ts";
import type { Machine } from "../machine.ts";
import type { State } from "../parts.ts";
import { asFloat, asInt, isSmall, truth } from "./conversions.ts";
import { concatenate, repeat } from "./lists.ts";

/** The maximum exponent of powers that are written out as products. */
const written_powers_max = 64n;

/** Executes `a op b`. */
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
    return always(t, { kind: "sequence", sequence: concatenate(m, a.sequence, b.sequence, line) });
  if (op === "Mult" && a.kind === "sequence" && y) return always(t, repeat(m, state, a.sequence, y, line));
  if (op === "Mult" && b.kind === "sequence" && x) return always(t, repeat(m, state, b.sequence, x, line));
  if (incompatible(op, a, b)) {
    m.raise(state, t.yes, "TypeError", line);
    return m.nothing();
  }
  throw new Unsupported(`\`${operator_signs[op]}\` of ${typeText(typeOf(a))} and ${typeText(typeOf(b))}`, line);
}

/** Whether an operator is known to raise TypeError for a pair of types. */
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
      addDivisionFact(m, x, y);
      return always(t, int(t.floorDiv(x, y)));
    case "Mod":
      m.raise(state, t.eq(y, t.zero), "ZeroDivisionError", line);
      addDivisionFact(m, x, y);
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

/**
 * Adds the relation between quotient and remainder if the divisor is not a constant. Solvers rarely find this relation
 * on their own.
 */
function addDivisionFact(m: Machine, x: Term, y: Term): void {
  const { t } = m;
  if (y.op === "literal") return;
  const whole = t.eq(x, t.add(t.mul(y, t.floorDiv(x, y)), t.mod(x, y)));
  m.facts.push(t.or(t.eq(y, t.zero), whole));
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
  // x & (2 ** k - 1) keeps the last k bits, even for negative numbers.
  if (op === "BitAnd" && x && mask !== undefined && mask >= 0n && (mask & (mask + 1n)) === 0n)
    return always(t, int(t.mod(x, t.int(mask + 1n))));
  // Of any other bits, only that the result is an integer that depends on the operands.
  if (x && y) return always(t, int(t.apply(`~int ${op}`, [x, y], INT)));
  throw new Unsupported("bitwise operations on these operands", line);
}

/** Whether an operator raises TypeError if an operand is a float. */
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
 * Raises a float to a constant power. Only two facts are known about the result. It is complex for a finite negative
 * base and a fractional exponent. Roots of non-negative numbers are not negative and raise no exception.
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

/** Executes `op a`. */
export function unary(m: Machine, state: State, op: UnaryOp, value: Value, line: number): Value {
  const { t } = m;
  if (op === "Not") return always(t, bool(t.not(truth(m, value, line))));
  return m.each(state, value, (plain) => {
    const number = asInt(t, plain);
    if (op === "USub" && plain.kind === "float") return always(t, float(negate(t, plain.term)));
    if (op === "UAdd" && plain.kind === "float") return always(t, plain);
    if (!number) throw new Unsupported(`unary \`${operator_signs[op]}\` of ${typeText(typeOf(plain))}`, line);
    if (op === "USub") return always(t, int(t.neg(number)));
    if (op === "UAdd") return always(t, int(number));
    return always(t, int(t.sub(t.neg(number), t.one)));
  });
}

function negate(t: Terms, term: Term): Term {
  return typeof term.value === "number" ? t.float(-term.value) : t.floatOp("fp.neg", term);
}
