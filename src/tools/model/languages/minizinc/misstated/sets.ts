import { closingOf, withOperators } from "../source/brackets.ts";
import { callsOf } from "../source/calls.ts";
import type { Statement } from "../source/source.ts";
import { bindingsOf, declaredWith, endOf, spread, type Tokens, variablesOf } from "./bindings.ts";
import { optionalIn, standsForOptional } from "./optional.ts";
import { needsValue } from "./promised.ts";
import { isOld } from "./reified.ts";

/**
 * What MiniZinc before 2.10 states wrongly of sets: the least or greatest element of an empty one has any value
 * where the statement can be true without it, and a set of a single element that may be absent has any elements.
 */
export function misreadSets(statements: readonly Statement[], version: string): string[] {
  if (!isOld(version)) return [];
  const all = statements.map(({ tokens }) => withOperators(tokens));
  const variables = variablesOf(all, bindingsOf(all));
  const collects = all.some((tokens) => tokens.some((_, i) => collectsWhere(tokens, i, variables)));
  return [
    ...(mayMissExtreme(statements, all) ? ["the least or greatest element of a set that may be empty"] : []),
    ...(collects || collectsOptional(statements, all) ? ["a set of elements that may be absent"] : []),
  ];
}

function mayMissExtreme(statements: readonly Statement[], all: readonly Tokens[]): boolean {
  const declared = new Set(all.flatMap((tokens) => declaredWith(/^set$/, tokens.filter(isTyped))));
  const sets = spread(declared, bindingsOf(all), (value) => value.some(({ text }) => declared.has(text)));
  return callsOf(statements, /^(?:min|max)$/).some(
    ({ tokens, at, args: [first = [], ...more] }) =>
      more.length === 0 && first.some(({ text }) => sets.has(text)) && !needsValue(tokens, at),
  );
}

/** Parameters are no variables: `set` counts only behind `var`. */
function isTyped({ text }: Tokens[number], i: number, tokens: Tokens): boolean {
  return text !== "set" || tokens[i - 1]?.text === "var";
}

/** Whether a set begins at a token whose elements depend on variables: `{i | i in s}`. */
function collectsWhere(tokens: Tokens, open: number, variables: ReadonlySet<string>): boolean {
  if (tokens[open]?.text !== "{") return false;
  const [bar, close] = [endOf(tokens, open + 1, /^[|}]$/), closingOf(tokens, open)];
  return bar < close && tokens.slice(bar, close).some(({ text }) => variables.has(text));
}

function collectsOptional(statements: readonly Statement[], all: readonly Tokens[]): boolean {
  const optional = optionalIn(all);
  return callsOf(statements, /^array2set$/).some(({ args: [list = []] }) => {
    const bar = endOf(list, 1, /^[|\]]$/);
    return standsForOptional(list, optional) || list.slice(bar).some(({ text }) => optional.variables.has(text));
  });
}
