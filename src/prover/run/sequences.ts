/**
 * Executes operations on whole lists and strings of any length: equality, order, concatenation, search, and slices.
 * Slices are views of the same items and never raise exceptions. definitions.ts defines the properties of the items for
 * the solver.
 */

import type { Row, Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import {
  anyTerm,
  type Plain,
  rawItem,
  type Sequence,
  type SequenceType,
  type Type,
  typeText,
} from "../logic/values.ts";
import { Unsupported } from "../python/refusal.ts";
import { type Machine, written_out_max } from "./machine.ts";
import { asInt } from "./operators/conversions.ts";

/** Returns the items as rows, one per part of an item. */
export function rowsOf({ type, start, length, arrays }: Sequence): Row[] {
  return arrays.map((array) => ({ array, start, backwards: type.view === "backwards", length }));
}

/** Whether two sequences have the same items. Their items must be of one type, and their lengths must be equal. */
export function sameItems(m: Machine, a: Sequence, b: Sequence, line: number): Term {
  const { t } = m;
  const [x, y] = [a.type.item, b.type.item];
  if (!x || !y || typeText(x) !== typeText(y) || !isPlain(x))
    throw new Unsupported(`\`==\` of ${typeText(a.type)} and ${typeText(b.type)} of unknown length`, line);
  const others = rowsOf(b);
  return t.and(...rowsOf(a).map((row, i) => sameRow(m, row, others[i] ?? row)));
}

function sameRow(m: Machine, a: Row, b: Row): Term {
  const { t } = m;
  if (a.array === b.array && a.start === b.start && a.backwards === b.backwards) return t.yes;
  // A solver gets the first difference as a constant, which can't depend on the variable of a formula.
  const is_open = [a, b].some((row) => [row.array, row.start, row.length].some(({ open }) => open.length > 0));
  if (!is_open) return t.eq(t.firstDifference(a, b), a.length);
  const place = t.bound(`k${m.binders}`);
  return t.forAll(place, t.zero, a.length, t.eq(t.itemInRow(a, place), t.itemInRow(b, place)));
}

/**
 * Whether items of this type are equal exactly if their parts are the same. This does not hold for floats, and lists
 * are more than their parts.
 */
function isPlain(type: Type): boolean {
  if (type.kind === "tuple") return type.items.every(isPlain);
  return type.kind === "int" || type.kind === "bool" || type.kind === "none";
}

/**
 * Compares two sequences by the first items that differ, or else by their lengths. Returns undefined if the items are
 * not integers.
 */
export function order(m: Machine, a: Sequence, b: Sequence, by: (x: Term, y: Term) => Term): Term | undefined {
  const { t } = m;
  if (a.type.kind !== b.type.kind || [a, b].some(({ type }) => type.item?.kind !== "int")) return undefined;
  const at = (sequence: Sequence, i: Term) => asInt(t, rawItem(t, sequence, i)) ?? t.zero;
  const from = (i: Term): Term => {
    if ([a, b].some(({ length }) => t.le(length, i) === t.yes)) return by(a.length, b.length);
    const ended = t.or(t.le(a.length, i), t.le(b.length, i));
    const [x, y] = [at(a, i), at(b, i)];
    const decided = t.ite(t.eq(x, y), from(t.add(i, t.one)), by(x, y));
    return t.ite(ended, by(a.length, b.length), decided);
  };
  const short = ({ length: { value } }: Sequence) => typeof value === "bigint" && value <= BigInt(written_out_max);
  if (short(a) || short(b)) return from(t.zero);
  const [x, y] = [rowsOf(a)[0], rowsOf(b)[0]];
  if (!x || !y) return undefined;
  const first = t.firstDifference(x, y);
  const within = t.and(t.lt(first, a.length), t.lt(first, b.length));
  return t.ite(within, by(at(a, first), at(b, first)), by(a.length, b.length));
}

/** Concatenates two sequences, both of which have the arrays of this type. */
export function joined(m: Machine, type: SequenceType, a: Sequence, b: Sequence): Sequence {
  const { t } = m;
  const others = rowsOf(b);
  const arrays = rowsOf(a).map((row, i) =>
    t.joined(row, others[i] ?? row, anyTerm(t, row.array.sort.item ?? row.array.sort)),
  );
  return { type: { ...type, view: "whole" }, length: t.add(a.length, b.length), start: t.zero, arrays };
}

/** Returns the same items in new arrays, for operations that do not allow views. */
export function whole(m: Machine, sequence: Sequence): Sequence {
  if (sequence.type.view === "whole") return sequence;
  return joined(m, sequence.type, sequence, { ...sequence, length: m.t.zero });
}

/** Returns the number of indices of a string at which another string fits. */
export function placesFor(m: Machine, part: Sequence, of: Sequence): Term {
  const { t } = m;
  const room = t.add(t.sub(of.length, part.length), t.one);
  return m.isNotNegative(room) ? room : t.ite(t.lt(room, t.zero), t.zero, room);
}

/** Whether a string occurs in another string at this index. The caller ensures that it does not run past the end. */
export function standsAt(m: Machine, part: Sequence, of: Sequence, place: Term): Term {
  const { t } = m;
  const { value } = part.length;
  if (typeof value === "bigint" && value <= BigInt(written_out_max)) {
    const code = (sequence: Sequence, i: Term) => asInt(t, rawItem(t, sequence, i)) ?? t.zero;
    const indices = Array.from({ length: Number(value) }, (_, i) => t.int(BigInt(i)));
    return t.and(...indices.map((i) => t.eq(code(part, i), code(of, t.add(place, i)))));
  }
  const [x, y] = [rowsOf(part)[0], rowsOf(of)[0]];
  if (!x || !y) return t.yes;
  const start = y.backwards ? t.sub(y.start, place) : t.add(y.start, place);
  return sameRow(m, x, { ...y, start, length: part.length });
}

/** Returns the integers of a list in ascending order. */
export function ascending(m: Machine, list: Sequence, line: number): Sequence {
  const { t } = m;
  const [row, ...more] = rowsOf(list);
  if (!list.type.item || list.length === t.zero) return whole(m, list);
  if (!row || more.length > 0 || list.type.item.kind !== "int")
    throw new Unsupported(`sorted of ${typeText(list.type)}`, line);
  return { type: { ...list.type, view: "whole" }, length: list.length, start: t.zero, arrays: [t.sorted(row)] };
}

/** Returns the string that a value is; undefined for any other value. */
export function stringOf(plain: Plain): Sequence | undefined {
  return plain.kind === "sequence" && plain.sequence.type.kind === "str" ? plain.sequence : undefined;
}

/** The code point of a text that is known to be one character. */
export function codeOf(t: Terms, plain: Plain): Term | undefined {
  const own = stringOf(plain);
  const code = own?.length === t.one ? rawItem(t, own, t.zero) : undefined;
  return code && asInt(t, code);
}

/** Returns the items from one index up to another. Both indices are limited to the existing items. */
export function part(t: Terms, of: Sequence, lower: Term | undefined, upper: Term | undefined, line: number): Sequence {
  const { type, length } = of;
  if (type.view === "backwards") throw new Unsupported("slices of a reversed list", line);
  const place = (at: Term) => {
    const from_end = t.ite(t.lt(at, t.zero), t.add(at, length), at);
    const not_below = t.ite(t.lt(from_end, t.zero), t.zero, from_end);
    return t.ite(t.lt(length, not_below), length, not_below);
  };
  const from = lower === undefined ? t.zero : place(lower);
  const to = upper === undefined ? length : place(upper);
  const count = t.sub(to, from);
  const start = t.add(of.start, from);
  const view = start === t.zero ? type.view : "forwards";
  return { ...of, type: { ...type, view }, start, length: t.ite(t.lt(count, t.zero), t.zero, count) };
}

/** Returns the items from the last to the first. */
export function backwards(t: Terms, of: Sequence, line: number): Sequence {
  const { type, length, start } = of;
  if (type.view === "backwards") throw new Unsupported("reversing a reversed list", line);
  return { ...of, type: { ...type, view: "backwards" }, start: t.sub(t.add(start, length), t.one) };
}
