import type { Type } from "../../../../../engines/minizinc/interface.ts";
import type { Statement } from "./source.ts";

/** Statements that declare no parameter without a value. */
const has_none =
  /^(?:constraint|solve|output|include|predicate|function|test|annotation|type|var) | = |^array \[ .*?\] of var /;
const plain = /^(?:array \[ ([^()]*?) \] of )?(int|float|bool) : (\w+) ;?$/;

/**
 * The types of the parameters without a value in a model, if all of them are numbers, truth values, or lists of these
 * indexed by numbers. Undefined for any other model; then MiniZinc has to determine them, in a separate run.
 */
export function plainParameters(statements: readonly Statement[]): Readonly<Record<string, Type>> | undefined {
  const texts = statements.map(({ tokens }) => tokens.map(({ text }) => text).join(" "));
  const sets = new Set(texts.flatMap((text) => /^set of int : (\w+)/.exec(text)?.[1] ?? []));
  const assigned = new Set(texts.flatMap((text) => /^(\w+) = /.exec(text)?.[1] ?? []));
  const declared = texts
    .filter((text) => !has_none.test(text))
    .map((text): [string, Type] | undefined => {
      const [, indices, type, name] = plain.exec(text) ?? [];
      const dims = indices?.split(" , ") ?? [];
      const has_numbers = dims.every((each) => each === "int" || each.includes(". .") || sets.has(each));
      if (type === undefined || name === undefined || !has_numbers) return undefined;
      return [name, { type, set: false, optional: false, dim: dims.length, dims: dims.map(() => "int") }];
    });
  if (declared.includes(undefined)) return undefined;
  return Object.fromEntries(declared.filter((each) => each !== undefined).filter(([name]) => !assigned.has(name)));
}
