import { type Data, membersOf } from "./data.ts";
import type { Statement } from "./source.ts";

/**
 * The names of the indices of the arrays among these values, as far as declarations and data show them. Arrays of one or
 * two dimensions that count from 1 have none.
 */
export function indexNames(
  statements: readonly Statement[],
  data: Data = {},
  values: Readonly<Record<string, unknown>>,
): Record<string, string[][]> {
  const texts = statements.map(({ tokens }) => tokens.map(({ text }) => text).join(" "));
  const sets = new Map(texts.flatMap((text) => [...text.matchAll(set)].map(([, name = "", is = ""]) => [name, is])));
  const namesOf = (index: string, size: number): readonly string[] | undefined => {
    const text = sets.get(index) ?? index;
    const [, low] = /^(-? ?\d+) \. \./.exec(text) ?? [];
    if (low !== undefined) return Array.from({ length: size }, (_, i) => String(Number(low.replace(" ", "")) + i));
    const names = text.startsWith("{") ? text.slice(2, -2).split(" , ") : membersOf(data[text]);
    return names?.length === size ? names.map((name) => name.replace(/^'(.*)'$/, "$1")) : undefined;
  };
  const arrays = texts.flatMap((text) => [...text.matchAll(array)]);
  const named = arrays.flatMap(([, indices = "", name = ""]) => {
    const sizes = sizesOf(values[name]);
    const names = indices.split(" , ").map((index, i) => namesOf(index, sizes[i] ?? 0) ?? []);
    const counts_from_1 = names.length < 3 && names.every(([first]) => first === "1");
    return counts_from_1 || names.some(({ length }) => length === 0)
      ? []
      : [[name, names.map((each) => [...each])] as const];
  });
  return Object.fromEntries(named);
}

const array = /^array \[ (.*?) \] of [^:]*: (\w+)/g;
const set = /^(?:enum |set of int : )?(\w+) = (.*?)(?: ;)?$/g;

function sizesOf(value: unknown): readonly number[] {
  return Array.isArray(value) ? [value.length, ...sizesOf(value[0])] : [];
}
