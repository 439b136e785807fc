/**
 * Python values as terms. If a variable can hold values of several types, each value has the condition under which the
 * variable holds it.
 */
import type { Class } from "../python/classes.ts";
import { arrayOf, BOOL, FLOAT, INT, type Sort, type Term, VALUE } from "./term.ts";
import type { Terms } from "./terms.ts";

export type Type =
  | { readonly kind: "int" | "bool" | "float" | "none" }
  /** The value of an unassigned variable, or a complex number as a result. */
  | { readonly kind: "unbound" | "complex" }
  /** A tuple. `of` is its class if it is a named tuple. */
  | { readonly kind: "tuple"; readonly items: readonly Type[]; readonly of?: Class | undefined }
  | { readonly kind: "enum"; readonly of: Class }
  /** An object that is never changed, with its fields in order. */
  | { readonly kind: "record"; readonly items: readonly Type[]; readonly of: Class }
  /** One particular object. Its fields are variables of the state (run/objects.ts). */
  | { readonly kind: "object"; readonly id: string; readonly of: Class }
  /** The class itself, as passed to class methods. */
  | { readonly kind: "class"; readonly of: Class }
  | OpaqueType
  | MappingType
  | SequenceType;

/**
 * A value of one of Python's own types that is not modelled. `items` are the types of its contents, if known: of a
 * dict's keys and values, or of a set's or tuple's items.
 */
export interface OpaqueType {
  readonly kind: "opaque";
  readonly of: "value" | "dict" | "set" | "frozenset" | "tuple" | "bytes" | "view";
  readonly items: readonly Type[];
  /**
   * Whether the value can be or contain something that container comparisons find by identity: a NaN, a match object or
   * a view of a dict's values.
   */
  readonly floats: boolean;
}

/** Whether a type consists of tuples of any length, with items of one type. */
export function isPlainTuple({ of, items }: OpaqueType): boolean {
  return of === "tuple" && items.length === 1;
}

/** The type of a dict or set. `key` and `value` are undefined while there is no key; a set has no `value`. */
export interface MappingType {
  readonly kind: "dict" | "set";
  readonly key: Type | undefined;
  readonly value: Type | undefined;
  /** Whether the keys are numbered in the order in which Python iterates over them. */
  readonly ordered: boolean;
}

/** See mappings.ts. */
export interface Mapping {
  readonly type: MappingType;
  readonly count: Term;
  /** The number of each key. */
  readonly places: Term;
  /** The integers that each key consists of: one array per integer, indexed by the key's number. */
  readonly keys: readonly Term[];
  /** One array for each part of a value, indexed by the key. */
  readonly values: readonly Term[];
}

/**
 * The type of a list, or of a string as a list of code points. `item` is undefined while a list is empty. Slices are
 * views. A view can begin anywhere in its arrays and runs forwards or backwards.
 */
export interface SequenceType {
  readonly kind: "list" | "str";
  readonly item: Type | undefined;
  readonly view: View;
}

export type View = "whole" | "forwards" | "backwards";

export interface Sequence {
  readonly type: SequenceType;
  readonly length: Term;
  /** The index of the first item in the arrays. */
  readonly start: Term;
  /** One array for each part of an item. */
  readonly arrays: readonly Term[];
}

export type Plain =
  | { readonly kind: "int" | "bool" | "float"; readonly term: Term }
  | { readonly kind: "none" | "unbound" | "complex" }
  | { readonly kind: "tuple"; readonly items: readonly Plain[]; readonly of?: Class | undefined }
  /** A member of an enumeration, given by its number. */
  | { readonly kind: "enum"; readonly of: Class; readonly term: Term }
  | { readonly kind: "record"; readonly items: readonly Plain[]; readonly of: Class }
  | { readonly kind: "object"; readonly id: string; readonly of: Class }
  | { readonly kind: "class"; readonly of: Class }
  | { readonly kind: "opaque"; readonly type: OpaqueType; readonly term: Term }
  | { readonly kind: "mapping"; readonly mapping: Mapping }
  | { readonly kind: "sequence"; readonly sequence: Sequence };

export interface Choice {
  readonly when: Term;
  readonly plain: Plain;
}

/** Exactly one of the choices holds wherever the value is used. */
export type Value = readonly Choice[];

export const STR: SequenceType = { kind: "str", item: { kind: "int" }, view: "whole" };

/** Formats a type as Python would. Views add details that no annotation can express. */
export function typeText(type: Type): string {
  const fields = "items" in type ? type.items.map(typeText).join(", ") : "";
  if (type.kind === "tuple") return type.of ? `${type.of.name}(${fields})` : `tuple[${fields}]`;
  if (type.kind === "record") return `${type.of.name}(${fields})`;
  if (type.kind === "enum") return `enum ${type.of.name}`;
  if (type.kind === "object") return `${type.of.name} ${type.id}`;
  if (type.kind === "class") return `type[${type.of.name}]`;
  if (type.kind === "opaque") {
    const of_any_length = isPlainTuple(type) ? ", ..." : "";
    const inside = type.items.length > 0 ? `[${fields}${of_any_length}]` : "";
    return `${type.of}${inside}${type.floats ? " with floats" : ""}`;
  }
  if (type.kind === "dict" || type.kind === "set") {
    const inside = [type.key, ...(type.kind === "dict" ? [type.value] : [])].map((each) =>
      each ? typeText(each) : "?",
    );
    return `${type.kind}[${inside.join(", ")}]${type.ordered ? "" : " in any order"}`;
  }
  if (type.kind !== "list" && type.kind !== "str") return type.kind;
  const name = type.kind === "str" ? "str" : `list[${type.item ? typeText(type.item) : "?"}]`;
  return type.view === "whole" ? name : `${name} ${type.view}`;
}

export function typeOf(plain: Plain): Type {
  if (plain.kind === "tuple" || plain.kind === "record") return { ...plain, items: plain.items.map(typeOf) };
  if (plain.kind === "enum") return { kind: "enum", of: plain.of };
  if (plain.kind === "object" || plain.kind === "class") return plain;
  if (plain.kind === "opaque") return plain.type;
  if (plain.kind === "mapping") return plain.mapping.type;
  return plain.kind === "sequence" ? plain.sequence.type : { kind: plain.kind };
}

/** Returns the class in the program's text of which a value is an object. */
export function classOf(plain: Plain): Class | undefined {
  return "of" in plain && plain.kind !== "class" ? plain.of : undefined;
}

/** Returns the sorts of the terms that a value of this type consists of. */
export function sortsOf(type: Type): Sort[] {
  switch (type.kind) {
    case "int":
    case "enum":
      return [INT];
    case "bool":
      return [BOOL];
    case "float":
      return [FLOAT];
    case "opaque":
      return [VALUE];
    case "tuple":
    case "record":
      return type.items.flatMap(sortsOf);
    case "list":
    case "str": {
      const arrays = type.item ? sortsOf(type.item).map(arrayOf) : [];
      return type.view === "whole" ? [INT, ...arrays] : [INT, INT, ...arrays];
    }
    case "dict":
    case "set":
      return mappingSorts(type);
    default:
      return [];
  }
}

function mappingSorts({ key, value }: MappingType): Sort[] {
  if (!key) return [INT];
  const byKey = (sort: Sort) => Array.from({ length: keyWidth(key) }).reduce((inner: Sort) => arrayOf(inner), sort);
  const keys = Array.from({ length: keyWidth(key) }, () => arrayOf(INT));
  return [INT, byKey(INT), ...keys, ...(value ? sortsOf(value).map(byKey) : [])];
}

/** Returns how many integers a key of this type consists of. */
function keyWidth(type: Type): number {
  return type.kind === "tuple" ? type.items.reduce((sum, item) => sum + keyWidth(item), 0) : 1;
}

/** Returns the terms that a value consists of, in the order of `sortsOf`. */
export function partsOf(plain: Plain): Term[] {
  switch (plain.kind) {
    case "int":
    case "bool":
    case "float":
    case "enum":
    case "opaque":
      return [plain.term];
    case "tuple":
    case "record":
      return plain.items.flatMap(partsOf);
    case "sequence": {
      const { type, length, start, arrays } = plain.sequence;
      return type.view === "whole" ? [length, ...arrays] : [length, start, ...arrays];
    }
    case "mapping": {
      const { type, count, places, keys, values } = plain.mapping;
      return type.key ? [count, places, ...keys, ...values] : [count];
    }
    default:
      return [];
  }
}

/** Returns the value of this type that consists of these terms. */
export function fromParts(t: Terms, type: Type, parts: readonly Term[]): Plain {
  const [first = t.zero, second = t.zero] = parts;
  switch (type.kind) {
    case "int":
    case "bool":
    case "float":
      return { kind: type.kind, term: first };
    case "opaque":
      return { kind: "opaque", type, term: first };
    case "enum":
      return { kind: "enum", of: type.of, term: first };
    case "object":
    case "class":
      return type;
    case "tuple":
    case "record": {
      const rest = [...parts];
      const items = type.items.map((item) => fromParts(t, item, rest.splice(0, sortsOf(item).length)));
      return { ...type, items };
    }
    case "list":
    case "str": {
      const whole = type.view === "whole";
      const sequence = { type, length: first, start: whole ? t.zero : second, arrays: parts.slice(whole ? 1 : 2) };
      return { kind: "sequence", sequence };
    }
    case "dict":
    case "set": {
      const width = type.key ? keyWidth(type.key) : 0;
      const [keys, values] = [parts.slice(2, 2 + width), parts.slice(2 + width)];
      return { kind: "mapping", mapping: { type, count: first, places: second, keys, values } };
    }
    default:
      return { kind: type.kind };
  }
}

/** Returns some term of a sort, for cases where any term will do. */
export function anyTerm(t: Terms, sort: Sort): Term {
  if (sort.item) return t.fill(anyTerm(t, sort.item));
  if (sort === VALUE) return t.apply("~nothing", [t.zero], VALUE);
  return sort === INT ? t.zero : sort === BOOL ? t.no : t.float(0);
}

export function int(term: Term): Plain {
  return { kind: "int", term };
}

export function bool(term: Term): Plain {
  return { kind: "bool", term };
}

export function float(term: Term): Plain {
  return { kind: "float", term };
}

/** Returns a value about which nothing is known. */
export function opaque(term: Term, type: OpaqueType = ANY): Plain {
  return { kind: "opaque", type, term };
}

export const ANY: OpaqueType = { kind: "opaque", of: "value", items: [], floats: false };
export const NONE: Plain = { kind: "none" };
export const UNBOUND: Plain = { kind: "unbound" };

export function text(t: Terms, written: string): Plain {
  return listOf(
    t,
    STR,
    [...written].map((character) => int(t.int(BigInt(character.codePointAt(0) ?? 0)))),
  );
}

/** Returns the list of these items, which all have the same type. */
export function listOf(t: Terms, type: SequenceType, items: readonly Plain[]): Plain {
  const sorts = type.item ? sortsOf(type.item) : [];
  const arrays = sorts.map((sort, part) =>
    items.reduce(
      (array, item, i) => t.store(array, t.int(BigInt(i)), partsOf(item)[part] ?? t.zero),
      t.fill(anyTerm(t, sort)),
    ),
  );
  return { kind: "sequence", sequence: { type, length: t.int(BigInt(items.length)), start: t.zero, arrays } };
}

/** Whether a value of this type can be or contain a float. */
export function mayHoldFloats(type: Type): boolean {
  if (type.kind === "opaque") return type.floats || type.items.some(mayHoldFloats);
  if (type.kind === "tuple" || type.kind === "record") return type.items.some(mayHoldFloats);
  if (type.kind === "list") return type.item !== undefined && mayHoldFloats(type.item);
  if (type.kind === "dict") return type.value !== undefined && mayHoldFloats(type.value);
  return type.kind === "float" || type.kind === "complex";
}

/** Whether a value of this type is or contains an object of a class that the program's text defines. */
export function holdsObjects(type: Type): boolean {
  if (type.kind === "record" || type.kind === "object" || type.kind === "class") return true;
  if (type.kind === "list") return type.item !== undefined && holdsObjects(type.item);
  return type.kind === "tuple" && (type.of !== undefined || type.items.some(holdsObjects));
}

/** Returns a value that is the same in all cases. */
export function always(t: Terms, plain: Plain): Value {
  return [{ when: t.yes, plain }];
}

/** Returns the item at an index within the list. */
export function itemOf(t: Terms, { type, start, arrays }: Sequence, index: Term): Plain {
  if (!type.item) return UNBOUND;
  const at = type.view === "backwards" ? t.sub(start, index) : t.add(start, index);
  const parts = arrays.map((array) => t.select(array, at));
  return type.kind === "str" ? listOf(t, STR, [fromParts(t, type.item, parts)]) : fromParts(t, type.item, parts);
}

/**
 * Whether a value of one type also has exactly the other type. A view is a list like any other, and an empty list has
 * no items of another type.
 */
export function isExactly(own: Type, expected: Type): boolean {
  if (own.kind === "list" && expected.kind === "list")
    return !own.item || typeText(own) === typeText({ ...expected, view: own.view });
  if ((own.kind === "dict" || own.kind === "set") && own.kind === expected.kind)
    return !own.key || typeText({ ...own, ordered: true }) === typeText({ ...expected, ordered: true });
  return own.kind === "str" ? expected.kind === "str" : typeText(own) === typeText(expected);
}

/** Returns the smallest type that includes both types; undefined if they can't be joined. */
export function join(a: Type, b: Type): Type | undefined {
  if (typeText(a) === typeText(b)) return a;
  if (isMapping(a) && isMapping(b)) return joinMappings(a, b);
  if ((a.kind !== "list" && a.kind !== "str") || (b.kind !== "list" && b.kind !== "str")) return undefined;
  const item = a.item && b.item ? (typeText(a.item) === typeText(b.item) ? a.item : undefined) : (a.item ?? b.item);
  const view = a.view === "whole" ? b.view : a.view;
  const views_fit = a.view === b.view || (a.view !== "backwards" && b.view !== "backwards");
  if (a.kind !== b.kind || !views_fit || (a.item && b.item && !item)) return undefined;
  return { kind: a.kind, item, view };
}

function isMapping(type: Type): type is MappingType {
  return type.kind === "dict" || type.kind === "set";
}

function joinMappings(a: MappingType, b: MappingType): Type | undefined {
  const [full, other] = a.key ? [a, b] : [b, a];
  const ordered = a.ordered && b.ordered;
  const is_one = !other.key || typeText({ ...full, ordered }) === typeText({ ...other, ordered });
  return a.kind === b.kind && is_one ? { ...full, ordered } : undefined;
}

/** Converts a value to a type that its own type was joined into. */
export function widen(t: Terms, plain: Plain, type: Type): Plain {
  if (plain.kind === "mapping" && isMapping(type)) {
    const own = partsOf(plain);
    return fromParts(
      t,
      type,
      sortsOf(type).map((sort, i) => own[i] ?? anyTerm(t, sort)),
    );
  }
  if (plain.kind !== "sequence" || (type.kind !== "list" && type.kind !== "str")) return plain;
  const { length, start, arrays } = plain.sequence;
  const filled = arrays.length === 0 && type.item ? sortsOf(type.item).map((sort) => t.fill(anyTerm(t, sort))) : arrays;
  return { kind: "sequence", sequence: { type, length, start, arrays: filled } };
}

/** Returns `a` under the condition, otherwise `b`. */
export function merge(t: Terms, c: Term, a: Value, b: Value): Value {
  if (a === b || c === t.yes) return a;
  if (c === t.no) return b;
  const rest = [...b];
  const merged = a.map((left): Choice => {
    const at = rest.findIndex((right) => join(typeOf(left.plain), typeOf(right.plain)));
    const [right] = at < 0 ? [] : rest.splice(at, 1);
    if (!right) return { when: t.and(c, left.when), plain: left.plain };
    const type = join(typeOf(left.plain), typeOf(right.plain)) ?? typeOf(left.plain);
    const [x, y] = [partsOf(widen(t, left.plain, type)), partsOf(widen(t, right.plain, type))];
    const parts = x.map((part, i) => t.ite(c, part, y[i] ?? part));
    return { when: t.ite(c, left.when, right.when), plain: fromParts(t, type, parts) };
  });
  const others = rest.map((right) => ({ when: t.and(t.not(c), right.when), plain: right.plain }));
  return [...merged, ...others].filter(({ when }) => when !== t.no);
}

/** Returns an item of a list or a code point of a string. */
export function rawItem(t: Terms, sequence: Sequence, index: Term): Plain {
  const { type } = sequence;
  return itemOf(t, { ...sequence, type: { ...type, kind: "list" } }, index);
}
