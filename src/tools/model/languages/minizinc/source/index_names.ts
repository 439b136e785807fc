import { declarationsIn, indexSetsOf, textOf } from "../../../../../evidence/minizinc/declarations.ts";
import type { Statement } from "../../../../../evidence/minizinc/statements.ts";
import { bare } from "../../../../../evidence/minizinc/tokens.ts";
import { type Data, lowestOf, membersOf } from "./data.ts";

/**
 * Returns the index names of the arrays among these values, as far as declarations and data reveal them. One- and
 * two-dimensional arrays that count from 1 are omitted.
 */
export function indexNames(
  statements: readonly Statement[],
  data: Data = {},
  values: Readonly<Record<string, unknown>>,
): Record<string, string[][]> {
  const all = Object.entries(indicesOf(statements, data, values));
  const shown = all.filter(([, names]) => names.length > 2 || !names.every(([first]) => first === "1"));
  return Object.fromEntries(shown.filter(([, names]) => names.every(([first = "#"]) => !first.startsWith("#"))));
}

/**
 * Returns the index names of every array, including arrays that count from 1. If a dimension's names are unknown,
 * positions are used instead: `#1`, `#2`…
 */
export function indicesOf(
  statements: readonly Statement[],
  data: Data = {},
  values: Readonly<Record<string, unknown>>,
): Record<string, string[][]> {
  const sets = setsIn(statements);
  const namesOf = (index: string, size: number): readonly string[] => {
    const text = sets.get(index) ?? index;
    const [, written] = /^(-? ?\d+) \.\./.exec(text) ?? [];
    // An index set has no gaps, so its lowest element is enough.
    const low = written === undefined ? lowestOf(data[text]) : Number(written.replace(" ", ""));
    const counted = (first: number, mark = "") => Array.from({ length: size }, (_, i) => `${mark}${first + i}`);
    if (low !== undefined) return counted(low);
    const names = membersIn(index, sets, data);
    return names?.length === size ? names : counted(1, "#");
  };
  const arrays = declarationsIn(statements).filter(({ type: [first] }) => first?.text === "array");
  const named = arrays.map(({ type, name: { text } }) => {
    const name = bare(text);
    const sizes = sizesOf(values[name]);
    return [name, indexSetsOf(type).map((index, i) => [...namesOf(textOf(index), sizes[i] ?? 0)])] as const;
  });
  return Object.fromEntries(named);
}

/** Returns the members of a named set or enum, as far as its declaration or the data reveals them. */
export function membersNamed(
  statements: readonly Statement[],
  data: Data = {},
): (name: string) => readonly string[] | undefined {
  const sets = setsIn(statements);
  return (name) => membersIn(name, sets, data);
}

function membersIn(index: string, sets: ReadonlyMap<string, string>, data: Data): readonly string[] | undefined {
  const text = sets.get(index) ?? index;
  const names = /^\{.*\}$/.test(text) ? text.slice(2, -2).split(" , ") : membersOf(data[text]);
  return names?.map(bare);
}

function setsIn(statements: readonly Statement[]): ReadonlyMap<string, string> {
  const found = statements.flatMap(({ tokens }) => [...textOf(tokens).matchAll(set)]);
  return new Map(found.map(([, name = "", is = ""]) => [name, is]));
}

const set = /^(?:enum |set of int : )?(\w+) = (.*?)(?: ;)?$/g;

function sizesOf(value: unknown): readonly number[] {
  return Array.isArray(value) ? [value.length, ...sizesOf(value[0])] : [];
}
