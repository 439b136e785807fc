/**
 * Represents dicts and sets as terms. The keys are numbered: `places` maps a key to its number, and `keys` maps a
 * number to its key. A mapping has a key if the key's number is below the count and belongs to this key, whatever the
 * arrays hold elsewhere. A key is one integer. A tuple key is several integers, which index nested arrays.
 */
import { arrayOf, INT, type Term } from "./term.ts";
import type { Terms } from "./terms.ts";
import { text_codes_name, text_key_name, text_length_name, textKey } from "./text_keys.ts";
import {
  anyTerm,
  fromParts,
  type Mapping,
  type MappingType,
  type Plain,
  partsOf,
  type Sequence,
  STR,
  sortsOf,
  type Type,
  UNBOUND,
} from "./values.ts";

/** Whether values of this type can be keys: equal values must be the same key, and no value may be NaN. */
export function isKeyType(type: Type): boolean {
  if (type.kind === "tuple") return !type.of && type.items.length > 0 && type.items.every(isKeyType);
  return type.kind === "int" || type.kind === "bool" || type.kind === "str";
}

export function emptyMapping(t: Terms, type: MappingType): Mapping {
  const [, ...sorts] = sortsOf(type);
  const made = fromParts(t, type, [t.zero, ...sorts.map((sort) => anyTerm(t, sort))]);
  if (made.kind !== "mapping") throw new Error("a dict or set is a mapping");
  return made.mapping;
}

/** Returns the key that a text was made from; undefined if it was not made from a key. */
export function keyOfText({ length, arrays: [codes] }: Sequence): Term | undefined {
  const is_key = length.name === text_length_name && codes?.name === text_codes_name;
  return is_key && length.args[0] === codes.args[0] ? length.args[0] : undefined;
}

/** Returns the integers that a key consists of. They differ for unequal keys. */
export function coordinates(t: Terms, key: Plain): Term[] {
  if (key.kind === "tuple") return key.items.flatMap((item) => coordinates(t, item));
  if (key.kind === "int") return [key.term];
  if (key.kind === "bool") return [t.ite(key.term, t.one, t.zero)];
  if (key.kind !== "sequence") throw new Error("no key is of this type");
  const { length, arrays } = key.sequence;
  const [codes] = arrays;
  const own = keyOfText(key.sequence);
  if (own) return [own];
  if (!codes) throw new Error("a text has code points");
  if (length === t.one) return [t.select(codes, t.zero)];
  const known =
    typeof length.value === "bigint"
      ? Array.from({ length: Number(length.value) }, (_, i) => t.select(codes, t.int(BigInt(i))).value)
      : undefined;
  if (known?.every((code) => typeof code === "bigint")) return [t.int(textKey(known))];
  return [t.apply(text_key_name, [length, codes], INT)];
}

function at(t: Terms, array: Term, path: readonly Term[]): Term {
  return path.reduce((inner, index) => t.select(inner, index), array);
}

function put(t: Terms, array: Term, [first, ...rest]: readonly Term[], item: Term): Term {
  if (!first) return item;
  return t.store(array, first, put(t, t.select(array, first), rest, item));
}

/** Returns the key with a number. */
export function keyAt(t: Terms, { type, keys }: Mapping, place: Term): Plain {
  const codes = keys.map((array) => t.select(array, place));
  return type.key ? keyOf(t, type.key, codes) : UNBOUND;
}

/** Builds a key from the first of these integers, and removes them from the list. */
function keyOf(t: Terms, type: Type, codes: Term[]): Plain {
  if (type.kind === "tuple") return { kind: "tuple", items: type.items.map((item) => keyOf(t, item, codes)) };
  const code = codes.shift() ?? t.zero;
  if (type.kind === "bool") return { kind: "bool", term: t.eq(code, t.one) };
  if (type.kind !== "str") return { kind: "int", term: code };
  return fromParts(t, STR, [t.apply(text_length_name, [code], INT), t.apply(text_codes_name, [code], arrayOf(INT))]);
}

/** Returns the number of a key that the mapping has. */
function placeOf(t: Terms, { places }: Mapping, key: Plain): Term {
  return at(t, places, coordinates(t, key));
}

export function sameKey(t: Terms, a: Plain, b: Plain): Term {
  const others = coordinates(t, b);
  return t.and(...coordinates(t, a).map((each, i) => t.eq(each, others[i] ?? each)));
}

export function hasKey(t: Terms, mapping: Mapping, key: Plain): Term {
  if (!mapping.type.key || mapping.count === t.zero) return t.no;
  const place = placeOf(t, mapping, key);
  const path = coordinates(t, key);
  const is_it = t.and(...mapping.keys.map((array, i) => t.eq(t.select(array, place), path[i] ?? t.zero)));
  return t.and(t.le(t.zero, place), t.lt(place, mapping.count), is_it);
}

/** Returns the value of a key that the mapping has. */
export function valueAt(t: Terms, { type, values }: Mapping, key: Plain): Plain {
  if (!type.value) return { kind: "none" };
  const path = coordinates(t, key);
  return fromParts(
    t,
    type.value,
    values.map((array) => at(t, array, path)),
  );
}

/** States the law of all mappings: the key of each number has this number, so no key has two numbers. */
export function lawAt(t: Terms, mapping: Mapping, place: Term): Term {
  const path = mapping.keys.map((array) => t.select(array, place));
  return t.eq(at(t, mapping.places, path), place);
}

/**
 * Returns the mapping with a key added or set. A new key comes after the others. The key and the value must have the
 * mapping's types.
 */
export function withKey(t: Terms, mapping: Mapping, key: Plain, value: Plain | undefined): Mapping {
  const { count, places, keys, values } = mapping;
  const path = coordinates(t, key);
  const is_there = hasKey(t, mapping, key);
  const place = t.ite(is_there, at(t, places, path), count);
  const value_parts = value ? partsOf(value) : [];
  return {
    ...mapping,
    count: t.ite(is_there, count, t.add(count, t.one)),
    places: put(t, places, path, place),
    keys: keys.map((array, i) => t.store(array, place, path[i] ?? t.zero)),
    values: values.map((array, i) => put(t, array, path, value_parts[i] ?? t.zero)),
  };
}

/** Returns the mapping without a key. The last key gets the removed key's number. */
export function withoutKey(t: Terms, mapping: Mapping, key: Plain): Mapping {
  const { count, places, keys, type } = mapping;
  const is_there = hasKey(t, mapping, key);
  const last = t.sub(count, t.one);
  const path = keys.map((array) => t.select(array, last));
  const place = placeOf(t, mapping, key);
  const to = t.ite(is_there, place, last);
  return {
    ...mapping,
    type: { ...type, ordered: false },
    count: t.ite(is_there, last, count),
    places: put(t, places, path, t.ite(is_there, place, at(t, places, path))),
    keys: keys.map((array, i) => t.store(array, to, path[i] ?? t.zero)),
  };
}
