import { isNumbers, isScalars, type Scalar, shown, type Tree, treeOf } from "../json.ts";
import type { Named } from "../view.ts";
import type { IndexNames } from "./tables.ts";

/** Raised if values can't be drawn as a view specifies; the message says why. */
export class Unfit extends Error {}

/** An answer's values and its question's data, by name. */
export class Values {
  readonly #all: ReadonlyMap<string, unknown>;
  readonly index_names: IndexNames;

  constructor(values: Tree, parameters: Tree = {}, index_names: IndexNames = {}) {
    this.index_names = index_names;
    this.#all = new Map([...Object.entries(parameters), ...Object.entries(values)]);
  }

  get names(): readonly string[] {
    return [...this.#all.keys()];
  }

  /**
   * Finds an unused value with a matching name and shape; if there are several, a value from the answer is preferred.
   */
  find(
    name: RegExp,
    fits: (value: unknown) => boolean,
    used: readonly (string | undefined)[] = [],
  ): string | undefined {
    return this.names.findLast((each) => name.test(each) && !used.includes(each) && fits(this.#all.get(each)));
  }

  get(name: string): unknown {
    return this.#all.get(name);
  }

  /** Returns a value by name, or the list if it is given directly. Raises `Unfit`. */
  value(field: string, ref: Named): unknown {
    if (typeof ref !== "string") return ref;
    if (this.#all.has(ref)) return this.#all.get(ref);
    const [first = "", ...path] = ref.split(".");
    const value = this.#all.has(first) ? path.reduce(fieldOf, this.#all.get(first)) : undefined;
    if (value !== undefined) return value;
    const some = this.names.slice(0, 20).join(", ");
    const has = some === "" ? "" : `; it has: ${some}`;
    throw new Unfit(
      `${field} names "${ref}", which the answer does not have${has}. For a computed list or the names of an enum, put the values into the view`,
    );
  }

  /** Returns a list of single values; nested lists are concatenated row by row. Raises `Unfit`. */
  list(field: string, ref: Named): readonly Scalar[] {
    const value = this.value(field, ref);
    const tree = treeOf(value);
    const flat: readonly unknown[] = tree ? Object.values(tree) : Array.isArray(value) ? value.flat() : [];
    if (isScalars(flat) && flat.length > 0) return flat;
    throw new Unfit(`${field} is not a list of single values`);
  }

  /** Returns numbers; anything else, such as "NaN", becomes undefined. Raises `Unfit`. */
  numbers(field: string, ref: Named): readonly (number | undefined)[] {
    const numbers = this.list(field, ref).map((each) => numberOf(each));
    if (numbers.some((each) => each !== undefined)) return numbers;
    throw new Unfit(`${field} has no numbers`);
  }

  /**
   * Returns the strings in a list of this length; if no list is named, returns a value's index names. Raises `Unfit`.
   */
  labels(
    field: string,
    ref: Named | undefined,
    length: number,
    indices: { readonly of?: Named; readonly at?: number } = {},
  ): readonly string[] | undefined {
    const { of, at = 0 } = indices;
    const own = typeof of === "string" ? this.index_names[of]?.[at] : undefined;
    if (ref === undefined) return own?.length === length ? own : undefined;
    const value = this.value(field, ref);
    const all = Array.isArray(value) ? value : Object.values(treeOf(value) ?? {});
    if (all.length !== length) throw new Unfit(`${field} has ${all.length} entries, but ${length} are needed`);
    return all.map((each) => (Array.isArray(each) ? each.map(shown).join(" ") : shown(each)));
  }
}

function fieldOf(value: unknown, field: string): unknown {
  if (!Array.isArray(value)) return treeOf(value)?.[field];
  const fields = value.map((each) => treeOf(each)?.[field]);
  return fields.some((each) => each !== undefined) ? fields : undefined;
}

/** Converts a value to a number, even if JSON can't represent it exactly: "1/3", "12345678901234567890". */
export function numberOf(value: Scalar): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  const [, whole, under = "1"] = /^(-?\d+(?:\.\d+)?)(?:\/(\d+))?$/.exec(typeof value === "string" ? value : "") ?? [];
  const number = Number(whole) / Number(under);
  return Number.isFinite(number) ? number : undefined;
}

/** Whether a value is a permutation of indices, counted from 0 or from 1. */
export function isPermutation(value: unknown): value is readonly number[] {
  if (!isNumbers(value) || value.length < 2) return false;
  const sorted = value.toSorted((a, b) => a - b);
  const base = sorted[0] === 0 ? 0 : 1;
  return sorted.every((each, i) => each === i + base);
}

/** Returns the first index of places: 0 if one of the indices is 0, otherwise 1. */
export function baseOf(places: readonly unknown[]): 0 | 1 {
  return places.includes(0) ? 0 : 1;
}
