/** Executes Python's operators on lists and strings: concatenation, repetition and indexing. */

import type { Term } from "../../logic/term.ts";
import {
  always,
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
} from "../../logic/values.ts";
import { Unsupported } from "../../python/refusal.ts";
import type { Machine } from "../machine.ts";
import type { State } from "../parts.ts";
import { joined, whole } from "../sequences.ts";

/** The maximum length up to which repetitions and comparisons of items are written out. */
export const written_repeats_max = 64n;

/** Concatenates two lists. */
export function concatenate(m: Machine, a: Sequence, b: Sequence, line: number): Sequence {
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
  for (let i = 0n; i < value; i++) sum = appendItem(m, sum, rawItem(t, b, t.int(i)), line);
  return sum;
}

export function repeat(m: Machine, state: State, of: Sequence, times: Term, line: number): Plain {
  const { t } = m;
  const [first, ...more] =
    of.length === t.one && of.type.view === "whole" && of.type.item ? partsOf(rawItem(t, of, t.zero)) : [];
  if (!first) throw new Unsupported("`*` of a list that has more than one item", line);
  const limit = t.int(2n ** 63n);
  m.raise(state, t.or(t.le(limit, times), t.lt(times, t.neg(limit))), "OverflowError", line);
  const length = t.ite(t.lt(t.zero, times), times, t.zero);
  return { kind: "sequence", sequence: { ...of, length, arrays: [first, ...more].map((part) => t.fill(part)) } };
}

/** Returns the list with one more item. */
export function appendItem(m: Machine, list: Sequence, added: Plain, line: number): Sequence {
  const { t } = m;
  const item = withOwnItems(m, added);
  const own = list.type.item ?? typeOf(item);
  if (typeText(own) !== typeText(typeOf(item)) || isOpen(item))
    throw new Unsupported(`adding an item of type ${typeText(typeOf(item))} to a ${typeText(list.type)}`, line);
  const type: SequenceType = { ...list.type, item: own, view: "whole" };
  const wide = sequenceOf(widen(t, { kind: "sequence", sequence: whole(m, list) }, type)) ?? list;
  const parts = partsOf(item);
  const arrays = wide.arrays.map((array, i) => t.store(array, wide.length, parts[i] ?? t.zero));
  return { type, length: t.add(wide.length, t.one), start: t.zero, arrays };
}

/** Returns the same value with the items of all its lists in separate arrays. */
export function withOwnItems(m: Machine, plain: Plain): Plain {
  if (plain.kind === "tuple" || plain.kind === "record")
    return { ...plain, items: plain.items.map((item) => withOwnItems(m, item)) };
  return plain.kind === "sequence" ? { kind: "sequence", sequence: whole(m, plain.sequence) } : plain;
}

/** Whether a value is, or contains, a list whose items have no known type. */
export function isOpen(plain: Plain): boolean {
  if (plain.kind === "tuple" || plain.kind === "record") return plain.items.some(isOpen);
  if (plain.kind === "mapping") return !plain.mapping.type.key;
  return plain.kind === "sequence" && !plain.sequence.type.item;
}

function isList(type: ReturnType<typeof typeOf> | undefined): type is SequenceType {
  return type?.kind === "list" || type?.kind === "str";
}

/** Returns the list or string that a value is; undefined for any other value. */
export function sequenceOf(plain: Plain): Sequence | undefined {
  return plain.kind === "sequence" ? plain.sequence : undefined;
}

/** Executes `xs[i]` for an integer i, which counts from the end if it is negative. */
export function index(m: Machine, state: State, of: Sequence, at: Term, line: number): Value {
  const { t } = m;
  const place = checkIndex(m, state, of.length, at, line);
  const item = itemOf(t, of, place);
  assume(m, item);
  return always(t, item);
}

/** Returns the position that an index refers to. Raises IndexError if the index is out of range. */
export function checkIndex(m: Machine, state: State, length: Term, at: Term, line: number): Term {
  const { t } = m;
  const negative = m.isNotNegative(at) ? t.no : t.lt(at, t.zero);
  const place = t.ite(negative, t.add(at, length), at);
  const below = negative === t.no ? t.no : t.lt(place, t.zero);
  m.raise(state, t.or(below, t.le(length, place)), "IndexError", line);
  return place;
}

const code_point_max = 0x10ffffn;

/** Adds facts that hold for all values: no length is negative, and characters are code points. */
export function assume(m: Machine, plain: Plain): void {
  m.facts.push(...lawsOf(m, plain, m.binders));
}

/** In a run with given invariants, also what holds for the items of a list or text. */
function lawsOf(m: Machine, plain: Plain, depth: number): Term[] {
  const { t } = m;
  if (plain.kind === "tuple" || plain.kind === "record") return plain.items.flatMap((item) => lawsOf(m, item, depth));
  if (plain.kind === "enum" && plain.term.op !== "literal")
    return [t.le(t.zero, plain.term), t.lt(plain.term, t.int(BigInt(plain.of.members.length)))];
  if (plain.kind === "mapping" && plain.mapping.count.op !== "literal") return [t.le(t.zero, plain.mapping.count)];
  if (plain.kind !== "sequence") return [];
  const { type, length } = plain.sequence;
  const laws = length.op === "literal" ? [] : [t.le(t.zero, length)];
  if (!type.item || (length !== t.one && !m.plan.by_invariants)) return laws;
  const place = length === t.one ? t.zero : t.bound(`k${depth}`);
  const item = rawItem(t, plain.sequence, place);
  const is_code = type.kind === "str" && item.kind === "int";
  const own = is_code ? [t.le(t.zero, item.term), t.le(item.term, t.int(code_point_max))] : lawsOf(m, item, depth + 1);
  return [...laws, ...(length === t.one ? own : [t.forAll(place, t.zero, length, t.and(...own))])];
}
