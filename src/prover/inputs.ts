/** Concrete Python values: inputs to try, results to compare, and the values of an argument's terms. */
import { type Concrete, evaluator, floatOfBits } from "./logic/evaluate.ts";
import { emptyMapping, keyAt, valueAt, withKey } from "./logic/mappings.ts";
import { bitsOf, INT, type Sort, type Term } from "./logic/term.ts";
import { Terms } from "./logic/terms.ts";
import {
  anyTerm,
  fromParts,
  type Mapping,
  type MappingType,
  type Plain,
  partsOf,
  rawItem,
  sortsOf,
  type Type,
  typeText,
} from "./logic/values.ts";
import type { Class } from "./python/classes.ts";
import type { Argument } from "./summary.ts";

/**
 * A Python value in JSON. Integers are in decimal, floats are given by their bits, strings are lists of code points.
 */
export type PythonValue =
  | { readonly type: "int" | "float"; readonly value: string }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "none" }
  | { readonly type: "str"; readonly codes: readonly number[] }
  | { readonly type: "list" | "tuple" | "set"; readonly items: readonly PythonValue[] }
  | { readonly type: "dict"; readonly entries: readonly (readonly [PythonValue, PythonValue])[] }
  | { readonly type: "enum"; readonly class: string; readonly name: string }
  /** A named tuple, or an object with these fields. */
  | { readonly type: "record"; readonly class: string; readonly fields: Readonly<Record<string, PythonValue>> };

/** Returns the values of an argument's symbols for a Python value; undefined if the argument can't have this value. */
export function bind(t: Terms, { types, tag, plains }: Argument, value: PythonValue): [Term, Concrete][] | undefined {
  const at = types.findIndex((type) => fits(type, value));
  const [type, plain] = [types[at], plains[at]];
  if (!type || !plain) return undefined;
  const empty = evaluator(new Map());
  const bound: [Term, Concrete][] = [];
  if (tag) bound.push([tag, BigInt(at)]);
  for (const [i, own] of types.entries()) {
    const symbols = plains[i] ? partsOf(plains[i]) : [];
    const parts = i === at ? partsFor(t, type, value) : sortsOf(own).map((sort) => empty(anyTerm(t, sort)));
    for (const [k, symbol] of symbols.entries()) bound.push([symbol, parts[k] ?? 0n]);
  }
  return bound;
}

function fits(type: Type, value: PythonValue): boolean {
  if (type.kind === "enum") return value.type === "enum" && value.class === type.of.name;
  if (type.kind === "record" || (type.kind === "tuple" && type.of)) {
    if (value.type !== "record" || value.class !== type.of?.name) return false;
    return valuesIn(type.of, value).every((each, i) => fits(type.items[i] ?? { kind: "none" }, each));
  }
  if (type.kind === "tuple")
    return (
      value.type === "tuple" &&
      value.items.length === type.items.length &&
      type.items.every((item, i) => fits(item, value.items[i] ?? { type: "none" }))
    );
  if (type.kind === "list")
    return value.type === "list" && value.items.every((item) => type.item && fits(type.item, item));
  if (type.kind === "set") return value.type === "set" && value.items.every((item) => type.key && fits(type.key, item));
  if (type.kind === "dict")
    return (
      value.type === "dict" &&
      value.entries.every(([key, entry]) => type.key && fits(type.key, key) && type.value && fits(type.value, entry))
    );
  // A value that is not modelled is represented by a number.
  return type.kind === "opaque" ? value.type === "int" : value.type === type.kind;
}

/** Returns a record's field values, in the order of its class's fields. */
function valuesIn(of: Class, value: Extract<PythonValue, { type: "record" }>): PythonValue[] {
  return of.fields.map(({ name }) => value.fields[name] ?? { type: "none" });
}

/** Returns the values of the terms that represent a Python value of this type. */
export function partsFor(t: Terms, type: Type, value: PythonValue): Concrete[] {
  if (type.kind === "enum" && value.type === "enum") return [BigInt(type.of.member_numbers.get(value.name) ?? 0)];
  if ((type.kind === "record" || type.kind === "tuple") && type.of && value.type === "record")
    return valuesIn(type.of, value).flatMap((item, i) => partsFor(t, type.items[i] ?? { kind: "none" }, item));
  if (value.type === "int") return [BigInt(value.value)];
  if (value.type === "bool") return [value.value];
  if (value.type === "float") return [floatOfBits(value.value)];
  if (value.type === "none") return [];
  if (type.kind === "tuple" && value.type === "tuple")
    return type.items.flatMap((item, i) => partsFor(t, item, value.items[i] ?? { type: "none" }));
  if (type.kind === "dict" || type.kind === "set") return partsOfMapping(type, value);
  if ((type.kind !== "list" && type.kind !== "str") || !type.item) return [];
  const items = itemsOf(value);
  return [BigInt(items.length), ...rowsFor(t, type.item, items)];
}

/** Returns one array per part of an item. */
function rowsFor(t: Terms, type: Type, items: readonly PythonValue[]): Concrete[] {
  const rows = items.map((item) => partsFor(t, type, item));
  return sortsOf(type).map((sort, part) => {
    const rest = evaluator(new Map())(anyTerm(t, sort));
    return { items: new Map(rows.map((row, i): [bigint, Concrete] => [BigInt(i), row[part] ?? rest])), rest };
  });
}

/** Returns the values of the terms that represent a dict or set, with its keys inserted one after the other. */
function partsOfMapping(type: MappingType, value: PythonValue): Concrete[] {
  const read = evaluator(new Map());
  return partsOf(literal(new Terms(), type, value)).map(read);
}

function literal(t: Terms, type: Type, value: PythonValue): Plain {
  if ((type.kind !== "dict" && type.kind !== "set") || !type.key)
    return fromParts(
      t,
      type,
      partsFor(t, type, value).map((part, i) => constant(t, sortsOf(type)[i] ?? INT, part)),
    );
  const [key, entry] = [type.key, type.value];
  const entries = value.type === "dict" ? value.entries : itemsOf(value).map((item) => [item, undefined] as const);
  const made = entries.reduce(
    (all, [k, v]) => withKey(t, all, literal(t, key, k), entry && v && literal(t, entry, v)),
    emptyMapping(t, type),
  );
  return { kind: "mapping", mapping: made };
}

function constant(t: Terms, sort: Sort, value: Concrete): Term {
  if (typeof value === "bigint") return t.int(value);
  if (typeof value === "boolean") return t.bool(value);
  if (typeof value === "number") return t.float(value);
  const item = sort.item ?? INT;
  return [...value.items].reduce(
    (array, [at, each]) => t.store(array, t.int(at), constant(t, item, each)),
    t.fill(constant(t, item, value.rest)),
  );
}

function itemsOf(value: PythonValue): readonly PythonValue[] {
  if (value.type === "str") return value.codes.map((code) => ({ type: "int", value: String(code) }));
  return value.type === "list" || value.type === "tuple" || value.type === "set" ? value.items : [];
}

const items_shown_max = 1_000n;

/** Returns the Python value that these values of the terms represent; undefined if a term has no value. */
export function concrete(t: Terms, plain: Plain, read: (term: Term) => Concrete | undefined): PythonValue | undefined {
  if (plain.kind === "none") return { type: "none" };
  if (plain.kind === "opaque") return undefined;
  if (plain.kind === "object" || plain.kind === "class") return undefined;
  if (plain.kind === "enum") {
    const number = read(plain.term);
    const member = typeof number === "bigint" ? plain.of.members[Number(number)] : undefined;
    return member && { type: "enum", class: plain.of.name, name: member.name };
  }
  if (plain.kind === "tuple" || plain.kind === "record") {
    const { of } = plain;
    const items = several(
      "tuple",
      plain.items.map((item) => concrete(t, item, read)),
    );
    return of && items ? recordWith(of, items.items) : items;
  }
  if (plain.kind === "mapping") return concreteMapping(t, plain.mapping, read);
  if (plain.kind === "sequence") {
    const count = read(plain.sequence.length);
    if (typeof count !== "bigint" || count < 0n || count > items_shown_max) return undefined;
    const items = Array.from({ length: Number(count) }, (_, i) =>
      concrete(t, rawItem(t, plain.sequence, t.int(BigInt(i))), read),
    );
    const list = several("list", items);
    if (plain.sequence.type.kind === "list" || !list) return list;
    return { type: "str", codes: list.items.map((item) => (item.type === "int" ? Number(item.value) : 0)) };
  }
  const value = "term" in plain ? read(plain.term) : undefined;
  return value === undefined ? undefined : scalar(plain.kind, value);
}

function recordWith(of: Class, items: readonly PythonValue[]): PythonValue {
  const fields = of.fields.map(({ name }, i): [string, PythonValue] => [name, items[i] ?? { type: "none" }]);
  return { type: "record", class: of.name, fields: Object.fromEntries(fields) };
}

/** Returns a dict or set; undefined if a key occurs twice, because no dict or set has such keys. */
function concreteMapping(
  t: Terms,
  mapping: Mapping,
  read: (term: Term) => Concrete | undefined,
): PythonValue | undefined {
  const count = read(mapping.count);
  if (typeof count !== "bigint" || count < 0n || count > items_shown_max) return undefined;
  const keys = Array.from({ length: Number(count) }, (_, i) => keyAt(t, mapping, t.int(BigInt(i))));
  const set = several(
    "set",
    keys.map((key) => concrete(t, key, read)),
  );
  if (!set || new Set(set.items.map((each) => JSON.stringify(each))).size < keys.length) return undefined;
  if (mapping.type.kind === "set") return set;
  const entries = keys.flatMap((key, i): [PythonValue, PythonValue][] => {
    const [shown, value] = [set.items[i], concrete(t, valueAt(t, mapping, key), read)];
    return shown && value ? [[shown, value]] : [];
  });
  return entries.length === keys.length ? { type: "dict", entries } : undefined;
}

function several<Kind extends "list" | "tuple" | "set">(type: Kind, items: readonly (PythonValue | undefined)[]) {
  const present = items.flatMap((item) => item ?? []);
  return present.length === items.length ? { type, items: present } : undefined;
}

/** Returns the terms that determine a value, with at most this many items per list. */
export function termsToTell(t: Terms, plain: Plain, items_max: number): Term[] {
  if (plain.kind === "tuple" || plain.kind === "record")
    return plain.items.flatMap((item) => termsToTell(t, item, items_max));
  if (plain.kind === "mapping") {
    const { mapping } = plain;
    const keys = Array.from({ length: items_max }, (_, i) => keyAt(t, mapping, t.int(BigInt(i))));
    const own = keys.flatMap((key) => [key, valueAt(t, mapping, key)]);
    return [mapping.count, ...own.flatMap((each) => termsToTell(t, each, items_max))];
  }
  if (plain.kind !== "sequence") return "term" in plain ? [plain.term] : [];
  const { sequence } = plain;
  const items = Array.from({ length: items_max }, (_, i) => rawItem(t, sequence, t.int(BigInt(i))));
  return [sequence.length, ...items.flatMap((item) => termsToTell(t, item, items_max))];
}

function scalar(kind: string, value: Concrete): PythonValue | undefined {
  if (kind === "int" && typeof value === "bigint") return { type: "int", value: String(value) };
  if (kind === "bool" && typeof value === "boolean") return { type: "bool", value };
  if (kind === "float" && typeof value === "number") return { type: "float", value: bitsOf(value) };
  return undefined;
}

/** Floats that often reveal errors: zeros, halves, values that are rounded or overflow, and NaN. */
const telling_floats = [
  0,
  -0,
  1,
  -1,
  0.5,
  2,
  -3.25,
  0.1,
  5e-324,
  1e308,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];

/** The source of random values: numbers below a bound, and numbers that the code compares with. */
export interface Source {
  readonly below: (bound: number) => number;
  readonly telling: readonly bigint[];
}

const code_point_max = 0x10ffff;

/**
 * Returns random values for arguments. Some lists and strings share a beginning, so that code that compares them takes
 * both branches.
 */
export function randomInputs(args: readonly Argument[], source: Source): PythonValue[] {
  const { below } = source;
  const inputs: { type: string; value: PythonValue }[] = [];
  for (const { types } of args) {
    const type = types[below(types.length)] ?? { kind: "none" };
    const value = randomValue(type, below, source.telling);
    const [other] = inputs.filter((each) => each.type === typeText(type));
    inputs.push({ type: typeText(type), value: other && below(2) === 0 ? begunAs(value, other.value, below) : value });
  }
  return inputs.map(({ value }) => value);
}

/**
 * Returns a value that starts with the first items of another value of the same type, sometimes followed by more items.
 */
function begunAs(value: PythonValue, other: PythonValue, below: (bound: number) => number): PythonValue {
  const [length, more] = [below(7), below(3)];
  if (value.type === "str" && other.type === "str")
    return { type: "str", codes: [...other.codes.slice(0, length), ...value.codes.slice(0, more)] };
  if (value.type === "list" && other.type === "list")
    return { type: "list", items: [...other.items.slice(0, length), ...value.items.slice(0, more)] };
  return value;
}

/** Returns a small random value of a type; sometimes a number from the code. */
export function randomValue(type: Type, below: Source["below"], telling: readonly bigint[] = []): PythonValue {
  const constant = telling.length > 0 && below(3) === 0 ? telling[below(telling.length)] : undefined;
  switch (type.kind) {
    case "int":
      if (constant !== undefined) return { type: "int", value: String(below(3) === 0 ? -constant : constant) };
      return { type: "int", value: String(below(8) === 0 ? below(200) - 100 : below(13) - 4) };
    case "bool":
      return { type: "bool", value: below(2) === 1 };
    case "float":
      return { type: "float", value: bitsOf(telling_floats[below(telling_floats.length)] ?? 0) };
    case "enum":
      return { type: "enum", class: type.of.name, name: type.of.members[below(type.of.members.length)]?.name ?? "" };
    case "tuple":
    case "record": {
      const items = type.items.map((item) => randomValue(item, below, telling));
      return type.of ? recordWith(type.of, items) : { type: "tuple", items };
    }
    case "list": {
      const item = type.item ?? { kind: "int" };
      return { type: "list", items: Array.from({ length: below(7) }, () => randomValue(item, below, telling)) };
    }
    case "str":
      return { type: "str", codes: Array.from({ length: below(6) }, () => randomCode(below, telling)) };
    case "dict":
    case "set": {
      const { key = { kind: "int" }, value } = type;
      const keys = Array.from({ length: below(6) }, () => randomValue(key, below, telling));
      const entries = new Map(keys.map((each) => [JSON.stringify(each), each]));
      if (type.kind === "set") return { type: "set", items: [...entries.values()] };
      const own = value ?? { kind: "int" };
      return { type: "dict", entries: [...entries.values()].map((each) => [each, randomValue(own, below, telling)]) };
    }
    case "opaque":
      return { type: "int", value: String(below(100)) };
    default:
      return { type: "none" };
  }
}

function randomCode(below: Source["below"], telling: readonly bigint[]): number {
  const constant = telling.length > 0 && below(3) === 0 ? telling[below(telling.length)] : undefined;
  const code = Number(constant ?? -1n);
  return code >= 0 && code <= code_point_max ? code : ([97, 98, 32, 48, 49, 0x130][below(6)] ?? 97);
}
