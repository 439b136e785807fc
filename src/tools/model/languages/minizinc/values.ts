import { engine_limits } from "../../../../engines/limits.ts";

/** Converts a value in MiniZinc's JSON to a plain value: enum elements become strings, sets become sorted lists. */
export function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== "object" || value === null) return value;
  if ("set" in value && Array.isArray(value.set)) return elements(value.set);
  // A record can also have fields with these names.
  if (("e" in value && typeof value.e === "string") || ("c" in value && typeof value.c === "string"))
    return enumElement(value);
  return plainValues(value);
}

/** Converts all values of a solution to plain values. */
export function plainValues(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plainValue(value)]));
}

/** Converts an enum element to text: `{e: "Red"}` becomes Red; a constructed element also has an index or arguments. */
function enumElement(value: object): unknown {
  const { e, i, c } = { e: undefined, i: undefined, c: undefined, ...value };
  if (c !== undefined) return `${String(c)}(${String(plainValue(e))})`;
  return i === undefined ? e : `${String(e)}(${String(i)})`;
}

/** Lists the elements of a set; ranges are expanded unless they are very large. */
function elements(set: readonly unknown[]): unknown {
  const size = set.reduce<number>((sum, each) => sum + sizeOf(each), 0);
  if (size > engine_limits.minizinc_set_elements_max) return { set };
  return set.flatMap((each) => {
    const range = rangeIn(each);
    if (!range) return [plainValue(each)];
    return Array.from({ length: range.high - range.low + 1 }, (_, i) => range.low + i);
  });
}

function sizeOf(each: unknown): number {
  const range = rangeIn(each);
  return range ? range.high - range.low + 1 : Array.isArray(each) ? engine_limits.minizinc_set_elements_max + 1 : 1;
}

/** Recognises a range of integers, which can be expanded; a range of floats stays unchanged. */
function rangeIn(each: unknown): { readonly low: number; readonly high: number } | undefined {
  if (!Array.isArray(each) || each.length !== 2) return undefined;
  const [low, high]: unknown[] = each;
  return Number.isSafeInteger(low) && Number.isSafeInteger(high) && typeof low === "number" && typeof high === "number"
    ? { low, high }
    : undefined;
}
