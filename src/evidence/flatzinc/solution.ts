import type { Value } from "./meaning.ts";
import { type Expression, elementsOf, type FlatZinc } from "./parse.ts";
import { Rational } from "./rational.ts";

/** The values of a solution for the variables of the compiled model, excluding enum elements. */
export function valuesIn(model: FlatZinc, solution: Readonly<Record<string, unknown>>): Map<string, Value> {
  const values_by_name = new Map<string, Value>();
  for (const [name, json] of Object.entries(solution)) {
    if (model.variables.has(name)) put(values_by_name, name, json);
    const elements = elementsOf(model, { kind: "name", name });
    const values = Array.isArray(json) ? json.flat(Number.POSITIVE_INFINITY) : [];
    if (!elements || elements.length !== values.length) continue;
    for (const [i, element] of elements.entries())
      if (element.kind === "name") put(values_by_name, element.name, values[i]);
  }
  return values_by_name;
}

function put(values_by_name: Map<string, Value>, name: string, json: unknown): void {
  const value = plainOf(json);
  if (value !== undefined) values_by_name.set(name, value);
}

function plainOf(json: unknown): Value | undefined {
  if (typeof json === "boolean") return json;
  if (typeof json === "number") return Rational.of(json);
  if (typeof json === "string") return Rational.read(json);
  if (typeof json !== "object" || json === null || !("set" in json) || !Array.isArray(json.set)) return undefined;
  const elements = json.set.map(rangeOf);
  return elements.includes(undefined) ? undefined : elements.flatMap((each) => each ?? []);
}

/** Parses `3`, or `[1, 4]` for a range: MiniZinc's notation for the elements of a set. */
function rangeOf(json: unknown): Rational[] | undefined {
  const [low, high]: unknown[] = Array.isArray(json) ? json : [json, json];
  if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high)) return undefined;
  const [from, to] = [Number(low), Number(high)];
  if (to - from > range_max) return undefined;
  return Array.from({ length: to - from + 1 }, (_, i) => new Rational(BigInt(from + i)));
}

/** The maximum length of a range that is expanded; constraints on longer ranges are not checked. */
const range_max = 10_000;

/** The variables that a model outputs: their names, and a function that reads their values. */
export interface Outputs {
  /** Variables of the compiled model. */
  readonly names: readonly string[];
  /** Parses `((x 1) (y 0.5))`; undefined if a value can't be represented here. */
  readonly read: (pairs: string) => Record<string, unknown> | undefined;
}

/** The variables and arrays that a model outputs, except sets. */
export function outputsOf(model: FlatZinc): Outputs {
  const scalars = [...model.variables.values()].filter(({ output, type }) => output && type !== "set");
  const arrays = [...model.arrays].filter(([, { output }]) => output);
  const inside = arrays.flatMap(([, { elements }]) => elements.flatMap((each) => nameIn(each)));
  const names = [...new Set([...scalars.map(({ name }) => name), ...inside])];
  const read = (pairs: string) => {
    const values = new Map(
      [...pairs.matchAll(/\(v\.(\w+)\s+(\(- [\d.?]+\)|-?[\d.?]+|true|false)\)/g)].map(([, name = "", value = ""]) => [
        name,
        jsonOf(value),
      ]),
    );
    if (names.some((name) => !values.has(name))) return undefined;
    const element = (each: Expression): unknown =>
      each.kind === "name"
        ? values.get(each.name)
        : each.kind === "number"
          ? each.value.toNumber()
          : each.kind === "bool" && each.value;
    const lists = arrays.map(([name, { elements, sizes }]) => [name, nested(elements.map(element), sizes)] as const);
    return Object.fromEntries([...scalars.map(({ name }) => [name, values.get(name)] as const), ...lists]);
  };
  return { names, read };
}

function nameIn(expression: Expression): string[] {
  return expression.kind === "name" ? [expression.name] : [];
}

/** Converts `1.25?`, `(- 3)` and `true` to JSON values. */
function jsonOf(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  const size = Number(text.replaceAll(/[()\s?-]/g, ""));
  return text.includes("-") ? -size : size;
}

/** Converts a flat list to nested lists, one level per dimension. */
function nested(flat: readonly unknown[], sizes: readonly number[]): unknown[] {
  const [, ...inner] = sizes;
  if (inner.length === 0) return [...flat];
  const step = inner.reduce((product, each) => product * each, 1);
  return Array.from({ length: sizes[0] ?? 0 }, (_, i) => nested(flat.slice(i * step, (i + 1) * step), inner));
}
