/** Executes Python's comparisons: `is`, `==`, `<` and their opposites. */

import { keyOfText, sameKey } from "../../logic/mappings.ts";
import type { Term } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import {
  always,
  bool,
  type Mapping,
  type Plain,
  rawItem,
  type Sequence,
  typeOf,
  typeText,
  type Value,
} from "../../logic/values.ts";
import { operator_signs } from "../../python/construct_names.ts";
import { Unsupported } from "../../python/refusal.ts";
import type { CompareOp, Order } from "../../python/tree.ts";
import type { Machine } from "../machine.ts";
import { asRecords } from "../objects.ts";
import type { State } from "../parts.ts";
import { order, sameItems } from "../sequences.ts";
import { asInt, isSmall } from "./conversions.ts";
import { written_repeats_max } from "./lists.ts";
import { sameEntries, subset } from "./mappings.ts";

/** Executes one comparison. The result is always a bool for these types. */
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
      if ((x.kind === "object" || y.kind === "object") && op !== "Is" && op !== "IsNot")
        return ofObjects(m, both, op, x, y, line);
      if (op === "Is" || op === "IsNot") return always(t, bool(identity(m, op, x, y, line)));
      if (op === "Eq") return always(t, bool(equals(m, x, y, line)));
      if (op === "NotEq") return always(t, bool(t.not(equals(m, x, y, line))));
      return always(t, bool(compareOrder(m, both, op, x, y, line)));
    }),
  );
}

function identity(m: Machine, op: "Is" | "IsNot", a: Plain, b: Plain, line: number): Term {
  checkModelled(a, b, line);
  if (a.kind === "enum" || b.kind === "enum")
    return m.t.ite(equals(m, a, b, line), m.t.bool(op === "Is"), m.t.bool(op !== "Is"));
  if (a.kind === "object" && b.kind === "object" && a.id.startsWith("#") && b.id.startsWith("#"))
    return m.t.bool((a.id === b.id) === (op === "Is"));
  if (a.kind !== "none" && b.kind !== "none") throw new Unsupported("`is` and `is not` with anything but None", line);
  return m.t.bool((a.kind === b.kind) === (op === "Is"));
}

/**
 * Executes a comparison with an object that can be changed. A dataclass compares field values; any other class compares
 * identities.
 */
function ofObjects(
  m: Machine,
  state: State,
  op: Exclude<CompareOp, "In" | "NotIn" | "Is" | "IsNot">,
  x: Plain,
  y: Plain,
  line: number,
): Value {
  const { t } = m;
  const by_identity = [x, y].every((each) => each.kind === "object" && each.of.kind === "plain");
  if (by_identity && (op === "Eq" || op === "NotEq"))
    return always(t, bool(identity(m, op === "Eq" ? "Is" : "IsNot", x, y, line)));
  const [a = [], b = []] = [x, y].map((each) => asRecords(m, state, always(t, each), line));
  return compare(m, state, op, a, b, line);
}

/** Rejects values that are not modelled. They can have any type, so nothing follows from their kind. */
function checkModelled(a: Plain, b: Plain, line: number): void {
  for (const each of [a, b])
    if (each.kind === "class") throw new Unsupported("comparisons of classes", line);
    else if (each.kind === "opaque")
      throw new Unsupported(`comparisons of a value of type ${typeText(each.type)}`, line);
}

/** Returns the result of Python's `==`. */
export function equals(m: Machine, a: Plain, b: Plain, line: number): Term {
  checkModelled(a, b, line);
  const { t } = m;
  const [x, y] = [asInt(t, a), asInt(t, b)];
  // A complex number whose parts underflow is 0, which equals 0.0.
  if (a.kind === "complex" || b.kind === "complex")
    throw new Unsupported("complex numbers (the power of a negative float can be one)", line);
  if (a.kind === "bool" && b.kind === "bool") return t.eq(a.term, b.term);
  if (x && y) return t.eq(x, y);
  if (a.kind === "float" || b.kind === "float") return floatEquals(m, a, b, line);
  if (a.kind === "enum" && b.kind === "enum") return a.of === b.of ? t.eq(a.term, b.term) : t.no;
  if (a.kind === "object" || b.kind === "object") throw new Unsupported("`==` of containers with objects", line);
  if (a.kind === "record" && b.kind === "record" && a.of.kind !== "dataclass" && a.of === b.of)
    throw new Unsupported(`\`==\` of objects of ${a.of.name}, which compares identities`, line);
  if (a.kind === "record" && b.kind === "record" && a.of !== b.of) return t.no;
  if ((a.kind === "tuple" && b.kind === "tuple") || (a.kind === "record" && b.kind === "record")) {
    if (a.items.length !== b.items.length) return t.no;
    return t.and(...a.items.map((item, i) => itemEquals(m, item, b.items[i] ?? item, line)));
  }
  if (a.kind === "mapping" && b.kind === "mapping")
    return sameEntries(m, a.mapping, b.mapping, (x, y) => itemEquals(m, x, y, line), line);
  if (a.kind === "sequence" && b.kind === "sequence") return sequenceEquals(m, a.sequence, b.sequence, line);
  return t.bool(a.kind === "none" && b.kind === "none");
}

/**
 * Returns the result of `==` for items. Containers compare identities first, so a NaN in them may or may not be equal
 * to itself.
 */
function itemEquals(m: Machine, a: Plain, b: Plain, line: number): Term {
  if (a.kind === "float" || b.kind === "float") throw new Unsupported("`==` of containers with floats", line);
  return equals(m, a, b, line);
}

function floatEquals(m: Machine, a: Plain, b: Plain, line: number): Term {
  const pair = exactFloats(m, a, b, line);
  return pair ? m.t.floatOp("fp.eq", pair[0], pair[1]) : m.t.no;
}

/**
 * Returns both values as floats without rounding, since Python compares integers exactly. Returns undefined if one is
 * not a number.
 */
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
  if ([a, b].some((each) => keyOfText(each)))
    return sameKey(t, { kind: "sequence", sequence: a }, { kind: "sequence", sequence: b });
  const lengths = t.eq(a.length, b.length);
  const short = [a, b].find(({ length }) => typeof length.value === "bigint" && length.value <= written_repeats_max);
  const known = typeof short?.length.value === "bigint" ? short.length.value : undefined;
  if (known === 0n || !a.type.item || !b.type.item)
    return t.and(lengths, t.eq(a.length, known === 0n ? t.zero : b.length));
  if (known === undefined) return t.and(lengths, sameItems(m, a, b, line));
  const indices = Array.from({ length: Number(known) }, (_, i) => t.int(BigInt(i)));
  return t.and(lengths, ...indices.map((i) => itemEquals(m, rawItem(t, a, i), rawItem(t, b, i), line)));
}

function compareOrder(m: Machine, state: State, op: Order, a: Plain, b: Plain, line: number): Term {
  checkModelled(a, b, line);
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
  if (a.kind === "mapping" && b.kind === "mapping") return setOrder(m, op, a.mapping, b.mapping, line);
  if (a.kind === "record" && b.kind === "record" && a.of === b.of && a.of.is_ordered)
    return tupleOrder(m, state, op, a.items, b.items, line);
  const simple = ["int", "bool", "float", "none", "complex", "enum", "record"];
  if ([a.kind, b.kind].every((kind) => simple.includes(kind))) {
    m.raise(state, t.yes, "TypeError", line);
    return t.no;
  }
  throw new Unsupported(`\`${operator_signs[op]}\` of ${typeText(typeOf(a))} and ${typeText(typeOf(b))}`, line);
}

/** Compares sets by inclusion. */
function setOrder(m: Machine, op: Order, a: Mapping, b: Mapping, line: number): Term {
  const { t } = m;
  if (a.type.kind !== "set" || b.type.kind !== "set") throw new Unsupported("`<`, `<=`, `>` and `>=` of dicts", line);
  const [less, more] = op === "Lt" || op === "LtE" ? [a, b] : [b, a];
  const is_within = subset(m, less, more, line);
  return op === "Lt" || op === "Gt" ? t.and(is_within, t.not(t.eq(less.count, more.count))) : is_within;
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

/** Compares tuples by the first items that are not equal. */
function tupleOrder(m: Machine, state: State, op: Order, a: readonly Plain[], b: readonly Plain[], line: number): Term {
  const { t } = m;
  const [x, ...more_a] = a;
  const [y, ...more_b] = b;
  if (!x || !y) return intOrder(t, op, t.int(BigInt(a.length)), t.int(BigInt(b.length)));
  const strict = op === "LtE" ? "Lt" : op === "GtE" ? "Gt" : op;
  const equal = itemEquals(m, x, y, line);
  const own = { live: t.and(state.live, t.not(equal)), variables: state.variables };
  const before = own.live;
  const first = compareOrder(m, own, strict, x, y, line);
  if (own.live !== before)
    throw new Unsupported("`<`, `<=`, `>` and `>=` of tuples whose items cannot be compared", line);
  return t.ite(equal, tupleOrder(m, state, op, more_a, more_b, line), first);
}
