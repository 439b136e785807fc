import type { Type } from "../../../../../engines/minizinc/read.ts";
import { placed } from "../../../../../evidence/minizinc/tokens.ts";
import { Fault, type Position } from "../../../../../kernel/fault.ts";
import { limits } from "../../../../../kernel/limits.ts";
import type { Step } from "../../../../../kernel/step.ts";
import { cut } from "../../../../../kernel/text/cut.ts";
import { nearest } from "../../../../../kernel/text/near_miss.ts";
import { model_limits } from "../../../limits.ts";
import { column_units } from "./tables.ts";

/** The parameters to which the model itself assigns no value. */
export interface Parameters {
  readonly types: Readonly<Record<string, Type>>;
  /** The parameters that are enums; the data provides their members. */
  readonly enums: ReadonlySet<string>;
  /** The position of each parameter's declaration. */
  readonly places: ReadonlyMap<string, Position>;
}

export type Data = Readonly<Record<string, unknown>>;

/**
 * Writes the data in MiniZinc's format. Raises `input_rejected` for missing or superfluous values, and for values in
 * the wrong form.
 */
export function dataFile(data: Data, parameters: Parameters): string {
  expectNames(data, parameters);
  const members = Object.entries(data).map(([name, value]) => {
    const type = parameters.types[name];
    return `${JSON.stringify(name)}:${type ? written(value, type, { ...parameters, name, steps: [] }) : "null"}`;
  });
  return `{${members.join(",\n")}}`;
}

/** Restricts the data of an earlier call to what the model still accepts. */
export function stillTaken(data: Data, kept: readonly string[], { types }: Parameters): Data {
  return Object.fromEntries(
    Object.entries(data).filter(([name]) => Object.hasOwn(types, name) || !kept.includes(name)),
  );
}

/** Returns the fault for a model that is solved without required values; undefined if no value is missing. */
export function missingData(data: Data, { types, enums, places }: Parameters): Fault | undefined {
  const missing = Object.entries(types).filter(([name, { optional }]) => !optional && !Object.hasOwn(data, name));
  if (missing.length === 0) return undefined;
  const listed = missing
    .slice(0, model_limits.names_listed_max)
    .map(([name, type]) => `${name} (${typeText(type, name, enums)})`);
  const more = missing.length > listed.length ? `, and ${missing.length - listed.length} more` : "";
  const [[first = ""] = []] = missing;
  return faultAt(places.get(first), `These parameters have no value: ${listed.join(", ")}${more}.`, [
    {
      call: `pass them in data, as values by name: {"${first}": …}`,
      shell: "pass them with --data FILE, a .json or .dzn file",
    },
    {
      call: "or put their values into their declarations with replace_item, such as `int: n = 8;`",
      shell: "or put their values into their declarations, such as `int: n = 8;`",
    },
  ]);
}

function expectNames(data: Data, parameters: Parameters): void {
  const known = Object.keys(parameters.types);
  const surplus = Object.keys(data).filter((name) => !known.includes(name));
  if (surplus.length > 0) {
    const [first = ""] = surplus;
    const meant = nearest(first, known).map((name) => `write ${name} instead of ${first}`);
    throw new Fault(
      "input_rejected",
      `data has values for names that are not parameters of the model, or have a value there: ${surplus.slice(0, model_limits.names_listed_max).join(", ")}.`,
      [
        ...meant,
        known.length > 0 ? `give values only for ${known.join(", ")}` : "omit data: the model needs none",
        "or declare the parameter without a value: `int: n;`",
      ],
    );
  }
  const missing = missingData(data, parameters);
  if (missing) throw missing;
}

/** Creates a fault about the data, with the position of the declaration that the data contradicts. */
function faultAt(position: Position | undefined, what: string, remedy: readonly Step[]): Fault {
  return new Fault("input_rejected", { where: position ? placed(position) : "", what }, remedy, position);
}

interface Where extends Pick<Parameters, "enums" | "places"> {
  readonly name: string;
  /** The indices of an array element, counted from 1 in each dimension; empty outside arrays. */
  readonly steps: readonly number[];
}

function written(value: unknown, type: Type, where: Where): string {
  if (type.dim > 0) return writtenArray(value, type, where);
  if (where.enums.has(where.name) && type.set) return writtenEnum(value, type, where);
  return type.set ? writtenSet(value, type, where) : writtenScalar(value, type, where);
}

function writtenArray(value: unknown, type: Type, where: Where): string {
  const shape = shapeOf(value, type.dim);
  if (!Array.isArray(value) || shape === undefined) throw wrong(value, type, where);
  const inner = { ...type, dim: type.dim - 1 };
  const steps = (i: number) => ({ ...where, steps: [...where.steps, i + 1] });
  // An array's elements never declare an enum, whatever the array's name is.
  return `[${value.map((each, i) => written(each, inner, { ...steps(i), enums: new Set() })).join(",")}]`;
}

/** An array's length in each dimension; undefined if it has fewer dimensions, or rows of different lengths. */
function shapeOf(value: unknown, dim: number): number[] | undefined {
  if (dim === 0) return [];
  if (!Array.isArray(value)) return undefined;
  const shapes = value.map((each) => shapeOf(each, dim - 1));
  const [first = dim === 1 ? [] : Array.from({ length: dim - 1 }, () => 0)] = shapes;
  const equal = shapes.every((shape) => shape !== undefined && shape.join() === first?.join());
  return equal && first ? [value.length, ...first] : undefined;
}

function writtenEnum(value: unknown, type: Type, where: Where): string {
  const names = membersOf(value);
  if (!names) throw wrong(value, type, where);
  return `{"set":[${names.map((name) => JSON.stringify({ e: name })).join(",")}]}`;
}

/** Returns the names of an enum's members; undefined if the value is not a list of distinct names. */
export function membersOf(value: unknown): readonly string[] | undefined {
  const elements = (elementsOf(value) ?? []).map(enumName);
  const names = elements.filter((name) => name !== undefined && isMember(name));
  const fine = names.length > 0 && names.length === elements.length && new Set(names).size === names.length;
  return fine ? names.filter((name) => name !== undefined) : undefined;
}

/**
 * Returns the smallest number in a set of numbers and ranges, which are written as pairs; undefined for other values.
 */
export function lowestOf(value: unknown): number | undefined {
  const ends = (elementsOf(value) ?? []).flat();
  const numbers = ends.filter((each) => typeof each === "number");
  return numbers.length > 0 && numbers.length === ends.length
    ? numbers.reduce((low, each) => Math.min(low, each))
    : undefined;
}

/**
 * Whether MiniZinc accepts this name as an enum member in quotes: `'Anna M.'` is accepted, but `'+'` is the operator.
 */
function isMember(name: string): boolean {
  return /^[^'"\\\p{C}\p{Zl}\p{Zp}]+$/u.test(name) && /[\p{L}\p{N}]/u.test(name);
}

/** Writes MiniZinc definitions of these enums, for parsing a model without its data. */
export function enumDefinitions(names: readonly string[], data: Data = {}): ReadonlyMap<string, string> {
  const known = names.flatMap((name) => {
    const members = Object.hasOwn(data, name) ? membersOf(data[name]) : undefined;
    // In quotes, even a reserved word is a name.
    return members ? [[name, `${name} = {${members.map((each) => `'${each}'`).join(", ")}};`] as const] : [];
  });
  return new Map(known);
}

/** Reads the elements of a set, which is given as an array or as `{"set": [...]}`. */
function elementsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null || !("set" in value)) return undefined;
  return Array.isArray(value.set) ? value.set : undefined;
}

function writtenSet(value: unknown, type: Type, where: Where): string {
  const elements = elementsOf(value);
  if (!elements) throw wrong(value, type, where);
  const element = { ...type, set: false };
  return `{"set":[${elements.map((each) => writtenElement(each, element, type, { value, where })).join(",")}]}`;
}

/** Writes an element of a set, or a range of elements such as `[1, 5]`. */
function writtenElement(
  each: unknown,
  element: Type,
  whole: Type,
  { value, where }: { readonly value: unknown; readonly where: Where },
): string {
  if (!Array.isArray(each)) return writtenScalar(each, element, where);
  if (each.length !== 2) throw wrong(value, whole, where);
  return `[${each.map((end) => writtenScalar(end, element, where)).join(",")}]`;
}

function writtenScalar(value: unknown, type: Type, where: Where): string {
  if (value === null && type.optional) return "null";
  const text = type.enum_type === undefined ? plainText(value, type.type) : enumText(value);
  if (text === undefined) throw wrong(value, type, where);
  return text;
}

function plainText(value: unknown, type: string): string | undefined {
  switch (type) {
    case "int":
      if (typeof value === "string" && /^-?\d{1,19}$/.test(value)) return value;
      return Number.isSafeInteger(value) ? String(value) : undefined;
    case "float":
      return typeof value === "number" ? floatText(value) : undefined;
    case "bool":
      return typeof value === "boolean" ? String(value) : undefined;
    case "string":
      return typeof value === "string" ? JSON.stringify(value) : undefined;
    default:
      // MiniZinc itself checks tuples, records and other types.
      return isRounded(value) ? undefined : JSON.stringify(value);
  }
}

/** Whether a value may contain an integer that JSON parsing has rounded. */
function isRounded(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(isRounded);
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Writes an integer as a float, for use in a list of floats. */
function floatText(value: number): string {
  const text = String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function enumText(value: unknown): string | undefined {
  const name = enumName(value);
  return name === undefined ? undefined : JSON.stringify({ e: name });
}

/** Returns the name of an enum element, which is given plainly or in MiniZinc's form: `{"e": "A"}`. */
function enumName(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const named = typeof value === "object" && value !== null && "e" in value && Object.keys(value).length === 1;
  return named && typeof value.e === "string" ? value.e : undefined;
}

function wrong(value: unknown, type: Type, { name, enums, places, steps }: Where): Fault {
  const quoted = cut(JSON.stringify(value) ?? "nothing", limits.fault_quote_chars_max);
  const expected = typeText(type, name, enums);
  return faultAt(
    places.get(name),
    `The data for ${name}${steps.length === 0 ? "" : `, element ${steps.join(", ")},`} has the wrong form. Expected: ${expected}. Given: ${quoted}.`,
    [
      ...(declarationFor(value, type, { name, of_list: steps.length > 0 }) ?? [exampleOf(type, name, enums)]),
      "or correct data, and send the call again",
    ],
  );
}

/** Describes a type in words, such as "array of 2 dimensions of int". */
function typeText(type: Type, name: string, enums: ReadonlySet<string>): string {
  const base =
    enums.has(name) && type.set && type.dim === 0
      ? "enum"
      : `${type.set ? "set of " : ""}${type.enum_type ?? type.type}`;
  if (type.dim === 0) return base;
  const dims = type.dims.some((dim) => dim !== "int") ? ` [${type.dims.join(", ")}]` : "";
  return `${type.dim === 1 ? "list" : `${type.dim}-dimensional array`}${dims} of ${base}`;
}

/** Suggests a declaration that would accept a column's values. */
function declarationFor(
  value: unknown,
  { type, optional }: Type,
  { name, of_list }: { readonly name: string; readonly of_list: boolean },
): string[] | undefined {
  const named = optional ? `opt ${type}` : type;
  if (value === null && of_list && !optional)
    return [`declare ${name} as array of opt ${type}; ${name}[i] default 0 is then 0 if the value is missing`];
  const units = Object.entries(column_units).flatMap(([unit, inUnits]) => (inUnits(value) === undefined ? [] : [unit]));
  const [unit] = units;
  if (unit === undefined || type !== "int" || Number.isSafeInteger(value)) return undefined;
  const meaning = { minutes: "minutes: 08:30 is 510", days: "days since 1970-01-01" }[unit] ?? `whole ${unit}`;
  return [`declare ${of_list ? "array of " : ""}${named}: ${name}_${unit} instead: with the values in ${meaning}`];
}

function exampleOf(type: Type, name: string, enums: ReadonlySet<string>): string {
  if (/^(?:tuple|record)$/.test(type.type))
    return "numbers beyond 9007199254740991 are exact only in the model itself: put the value into its declaration";
  if (type.dim > 1)
    return "use nested lists, one level for each dimension, with rows of equal length: [[1, 2], [3, 4]]";
  if (enums.has(name) && type.dim === 0)
    return 'give the names of the enum as a list of different strings without quotes and backslashes: ["red", "dark green"]';
  if (type.dim === 1) return "use a list of such values: [1, 2, 3]";
  if (type.set) return 'give its elements as a list: [1, 3, 5], or {"set": [[1, 9]]} for a range';
  return type.enum_type ? "use the name of one element, as a string" : `use one value of type ${type.type}`;
}
