/**
 * Executes Python's operations on dicts and sets. All keys of one mapping have the same type, in which equal values are
 * the same key.
 */

import {
  coordinates,
  hasKey,
  isKeyType,
  keyAt,
  lawAt,
  sameKey,
  valueAt,
  withKey,
  withoutKey,
} from "../../logic/mappings.ts";
import { arrayOf, INT, inOrder, isOfRows, type Term } from "../../logic/term.ts";
import { text_codes_name, text_length_name } from "../../logic/text_keys.ts";
import {
  always,
  fromParts,
  holdsObjects,
  itemOf,
  type Mapping,
  type MappingType,
  merge,
  type Plain,
  partsOf,
  type Sequence,
  sortsOf,
  typeOf,
  typeText,
  UNBOUND,
  type Value,
  widen,
} from "../../logic/values.ts";
import { Unsupported } from "../../python/refusal.ts";
import { type Machine, written_out_max } from "../machine.ts";
import type { State } from "../parts.ts";
import { whole } from "../sequences.ts";
import { assume, isOpen, withOwnItems } from "./lists.ts";

const EMPTY = { key: undefined, value: undefined } as const;
export const EMPTY_DICT: MappingType = { kind: "dict", ...EMPTY, ordered: true };
export const EMPTY_SET: MappingType = { kind: "set", ...EMPTY, ordered: false };

/** Returns a key as a value of the mapping's key type. Rejects keys of another type. */
function keyFor(m: Machine, { type }: Mapping, key: Plain, line: number): Plain {
  const own = withOwnItems(m, key);
  const given = typeOf(own);
  if (!isKeyType(given)) throw new Unsupported(`dicts and sets with keys of type ${typeText(given)}`, line);
  if (type.key && typeText(type.key) !== typeText(given))
    throw new Unsupported(`a key of type ${typeText(given)} for a ${typeText(type)}`, line);
  assumeTexts(m, own);
  return own;
}

/** Adds facts that relate a text to the number that represents it as a key. No other text has the same number. */
function assumeTexts(m: Machine, key: Plain): void {
  const { t } = m;
  if (key.kind === "tuple") for (const item of key.items) assumeTexts(m, item);
  if (key.kind !== "sequence" || key.sequence.length.op === "literal") return;
  const [code, { length, arrays }] = [coordinates(t, key)[0], key.sequence];
  const [codes] = arrays;
  if (!code || !codes) return;
  const is_one = t.and(t.le(t.zero, code), t.le(code, t.int(0x10ffffn)));
  const place = t.bound(`k${m.binders}`);
  const text = t.apply(text_codes_name, [code], arrayOf(INT));
  m.facts.push(
    t.eq(t.eq(length, t.zero), t.eq(code, t.int(-1n))),
    t.eq(t.eq(length, t.one), is_one),
    t.implies(is_one, t.eq(code, t.select(codes, t.zero))),
    t.eq(length, t.apply(text_length_name, [code], INT)),
    t.forAll(place, t.zero, length, t.eq(t.select(codes, place), t.select(text, place))),
  );
}

export function containsKey(m: Machine, mapping: Mapping, key: Plain, line: number): Term {
  return hasKey(m.t, mapping, keyFor(m, mapping, key, line));
}

/** Executes `d[key]`. Raises KeyError. */
export function entryAt(m: Machine, state: State, mapping: Mapping, key: Plain, line: number): Value {
  if (mapping.type.kind === "set") throw new Unsupported("indices of sets", line);
  const own = keyFor(m, mapping, key, line);
  m.raise(state, m.t.not(hasKey(m.t, mapping, own)), "KeyError", line);
  return state.live === m.t.no ? m.nothing() : always(m.t, valueOfKey(m, mapping, own));
}

function valueOfKey(m: Machine, mapping: Mapping, key: Plain): Plain {
  const value = valueAt(m.t, mapping, key);
  assume(m, value);
  return value;
}

/** Returns the value of a key, or `otherwise` if the dict does not have the key. */
export function entryOr(m: Machine, mapping: Mapping, key: Plain, otherwise: Value, line: number): Value {
  const own = keyFor(m, mapping, key, line);
  if (!mapping.type.key) return otherwise;
  return merge(m.t, hasKey(m.t, mapping, own), always(m.t, valueOfKey(m, mapping, own)), otherwise);
}

/** Returns the mapping with a key and, for a dict, the key's value. */
export function withEntry(m: Machine, mapping: Mapping, key: Plain, value: Plain | undefined, line: number): Mapping {
  const own = keyFor(m, mapping, key, line);
  const item = value && withOwnItems(m, value);
  const type = { ...mapping.type, key: typeOf(own), value: item && typeOf(item) };
  if (item && holdsObjects(typeOf(item))) throw new Unsupported("objects in dicts", line);
  if (item && (isOpen(item) || (mapping.type.value && typeText(mapping.type.value) !== typeText(typeOf(item)))))
    throw new Unsupported(`a value of type ${typeText(typeOf(item))} in a ${typeText(mapping.type)}`, line);
  const wide = widen(m.t, { kind: "mapping", mapping }, type);
  if (wide.kind !== "mapping") throw new Error("a mapping stays one");
  return withKey(m.t, wide.mapping, own, item);
}

/** Returns the mapping without a key, if it has the key. */
export function withoutEntry(m: Machine, mapping: Mapping, key: Plain, line: number): Mapping {
  const { t } = m;
  const own = keyFor(m, mapping, key, line);
  if (!mapping.type.key) return mapping;
  const last = t.sub(mapping.count, t.one);
  m.facts.push(t.implies(t.le(t.zero, last), lawAt(t, mapping, last)));
  return withoutKey(t, mapping, own);
}

/** Returns the result of `==`, whatever the order of the keys. */
export function sameEntries(
  m: Machine,
  a: Mapping,
  b: Mapping,
  same: (x: Plain, y: Plain) => Term,
  line: number,
): Term {
  const { t } = m;
  if (a.type.kind !== b.type.kind) return t.no;
  if (!a.type.key || !b.type.key)
    return t.and(...[a, b].filter(({ type }) => type.key).map(({ count }) => t.eq(count, t.zero)));
  const [from, to] = b.count.op === "literal" ? [b, a] : [a, b];
  return t.and(t.eq(a.count, b.count), subset(m, from, to, line, same));
}

/** Whether mapping `b` has all keys of `a`, with the same values. */
export function subset(
  m: Machine,
  a: Mapping,
  b: Mapping,
  line: number,
  same: (x: Plain, y: Plain) => Term = () => m.t.yes,
): Term {
  const { t } = m;
  if (!a.type.key) return t.yes;
  if (!b.type.key) return t.eq(a.count, t.zero);
  if (typeText(a.type.key) !== typeText(b.type.key))
    throw new Unsupported(`comparisons of a ${typeText(a.type)} and a ${typeText(b.type)}`, line);
  const at = (place: Term): Term => {
    const key = keyAt(t, a, place);
    return t.and(hasKey(t, b, key), same(valueAt(t, a, key), valueAt(t, b, key)));
  };
  m.facts.push(forEach(m, a.count, (place) => lawAt(t, a, place), line));
  const { value } = a.count;
  if (typeof value === "bigint" && value <= BigInt(written_out_max))
    return t.and(...Array.from({ length: Number(value) }, (_, i) => at(t.int(BigInt(i)))));
  return forEach(m, a.count, at, line);
}

/** States that a condition holds for each number below a count. */
function forEach(m: Machine, count: Term, at: (place: Term) => Term, line: number): Term {
  const place = m.t.bound(`k${m.binders++}`);
  const body = at(place);
  m.binders--;
  if (inOrder([body]).some(({ op, open }) => open.length > 0 && isOfRows(op)))
    throw new Unsupported("comparisons of dicts with these values", line);
  return m.t.forAll(place, m.t.zero, count, body);
}

export type Part = "keys" | "values" | "items";

/** Returns the keys, values or pairs, in Python's order, or in any order if the order does not matter. */
export function partsOfMapping(m: Machine, mapping: Mapping, what: Part, in_any_order: boolean, line: number) {
  const { t } = m;
  const { type, count } = mapping;
  if (!type.key) return { count: t.zero, at: () => UNBOUND };
  const order = type.ordered || in_any_order ? mapping : reordered(m, mapping, line);
  m.facts.push(forEach(m, count, (place) => lawAt(t, order, place), line));
  const one = (place: Term): Plain => {
    const key = keyAt(t, order, place);
    if (what === "keys") return key;
    const value = valueAt(t, mapping, key);
    return what === "values" ? value : { kind: "tuple", items: [key, value] };
  };
  const at = (place: Term): Plain => {
    const item = one(place);
    m.facts.push(t.implies(t.and(t.le(t.zero, place), t.lt(place, count)), lawAt(t, order, place)));
    assumeTexts(m, keyAt(t, order, place));
    assume(m, item);
    return item;
  };
  return { count, at, span: { from: t.zero, to: count, at: one } };
}

/** Returns the same mapping with its keys in an unknown order. */
function reordered(m: Machine, mapping: Mapping, line: number): Mapping {
  const { t } = m;
  if (m.binders > 0) throw new Unsupported("the order of a set within a condition over a range", line);
  const name = `${m.hidden("order")} ${m.plan.side}`;
  const parts = partsOf({ kind: "mapping", mapping });
  const unknown = (array: Term, i: number) => t.apply(`${name} ${i}`, parts, array.sort);
  const [places = t.zero, ...keys] = [mapping.places, ...mapping.keys].map(unknown);
  const order = { ...mapping, places, keys };
  m.facts.push(
    forEach(m, mapping.count, (place) => hasKey(t, mapping, keyAt(t, order, place)), line),
    forEach(m, mapping.count, (place) => hasKey(t, order, keyAt(t, mapping, place)), line),
  );
  return order;
}

/** Returns the keys as a list, in the order of their numbers. */
export function listOfKeys(m: Machine, mapping: Mapping): Sequence | undefined {
  const { type, count, keys } = mapping;
  if (type.key && type.key.kind !== "int") return undefined;
  if (type.key) m.facts.push(forEach(m, count, (place) => lawAt(m.t, mapping, place), 0));
  return { type: { kind: "list", item: type.key, view: "whole" }, length: count, start: m.t.zero, arrays: keys };
}

/** Returns the set of a list's items. */
export function setOf(m: Machine, list: Sequence, line: number): Mapping {
  const { t } = m;
  const own = whole(m, list);
  const { item } = own.type;
  if (item && !isKeyType(item)) throw new Unsupported(`sets of ${typeText(item)}`, line);
  const type: MappingType = { ...EMPTY_SET, key: item };
  const parts = partsOf({ kind: "sequence", sequence: own });
  const made = fromParts(
    t,
    type,
    sortsOf(type).map((sort, i) => (item ? t.apply(`set of ${typeText(item)} ${i}`, parts, sort) : t.zero)),
  );
  if (made.kind !== "mapping") throw new Error("a set is a mapping");
  const { mapping } = made;
  const { count } = mapping;
  const among = (key: Plain) =>
    t.not(forEach(m, own.length, (place) => t.not(sameKey(t, itemOf(t, own, place), key)), line));
  if (item)
    m.facts.push(
      t.le(t.zero, count),
      t.le(count, own.length),
      forEach(m, count, (place) => lawAt(t, mapping, place), line),
      forEach(m, own.length, (place) => hasKey(t, mapping, itemOf(t, own, place)), line),
      forEach(m, count, (place) => among(keyAt(t, mapping, place)), line),
    );
  return mapping;
}
