import { closingOf, withOperators } from "../source/brackets.ts";
import { callsOf } from "../source/calls.ts";
import type { Statement } from "../source/source.ts";
import { bindingsOf, declaredWith, endOf, spread, type Tokens, variablesOf } from "./bindings.ts";
import { optionalIn, standsForOptional } from "./optional.ts";
import { needsValue } from "./promised.ts";
import { holdsBetween, isOld } from "./reified.ts";
import { operandsOf } from "./weak.ts";

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

/**
 * Whether sets are compared by an order that may be false. Where the lesser one can only be empty, the library's form for
 * solvers without sets says nothing of the condition: `b <-> {} <= {x}` has b = false, too (`set_le_reif` of nosets.mzn).
 */
export function ordersSets(statements: readonly Statement[]): boolean {
  const all = statements.map(({ tokens }) => withOperators(tokens));
  const sets = setsIn(all);
  if (sets.size === 0 && !all.some((tokens) => tokens.some(({ text }) => text === "{"))) return false;
  const mayBeFalse = (tokens: Tokens, from: number, to: number) =>
    tokens[0]?.text !== "constraint" || !holdsBetween(tokens, from, to);
  const lists = callsOf(statements, /^(?:(?:strictly_)?(?:in|de)creasing|lex_\w+)$/).some(
    ({ tokens, at, args }) =>
      args.some((list) => list.some((_, i) => isSetAt(list, i, sets))) &&
      (tokens[at]?.text.startsWith("lex_") || mayBeFalse(tokens, at, closingOf(tokens, at + 1))),
  );
  return (
    lists ||
    all.some((tokens) =>
      tokens.some((_, i) => comparesSets(tokens, i, sets) && mayBeFalse(tokens, ...spanOf(tokens, i))),
    )
  );
}

/** The names of sets, and of lists and functions of them. */
function setsIn(all: readonly Tokens[]): ReadonlySet<string> {
  const names = new Set(all.flatMap((tokens) => declaredWith(/^set$/, tokens)));
  const lists = new Set(all.flatMap((tokens) => declaredWith(/^set$/, tokens.filter(isListed))));
  // A generator over a list of sets gives sets, and one over a set gives its elements.
  return spread(names, bindingsOf(all), (value) => value.some(({ text }) => lists.has(text)));
}

/** `set` counts only as the type of a list's elements. */
function isListed({ text }: Tokens[number], i: number, tokens: Tokens): boolean {
  return text !== "set" || (tokens[i - 1]?.text === "var" ? tokens[i - 2] : tokens[i - 1])?.text === "of";
}

function spanOf(tokens: Tokens, operator: number): [from: number, to: number] {
  const { from, to } = operandsOf(tokens, operator);
  return [from, to];
}

function comparesSets(tokens: Tokens, operator: number, sets: ReadonlySet<string>): boolean {
  if (!/^[<>]=?$/.test(tokens[operator]?.text ?? "")) return false;
  const [from, to] = spanOf(tokens, operator);
  for (let i = from; i <= to; i++) {
    if (isSetAt(tokens, i, sets)) return true;
    // What a function makes of a set is no set, unless its name is one of a function of sets.
    const is_call = tokens[i]?.kind === "word" && tokens[i + 1]?.text === "(";
    if (is_call || tokens[i]?.text === "[") i = closingOf(tokens, is_call ? i + 1 : i);
  }
  return false;
}

/** Whether a set begins at a token, and is not only asked for an element. */
function isSetAt(tokens: Tokens, i: number, sets: ReadonlySet<string>): boolean {
  const { kind, text = "" } = tokens[i] ?? {};
  if (/^(?:in|subset|superset)$/.test(tokens[i - 1]?.text ?? "")) return false;
  return (
    text === "{" ||
    (kind === "word" && sets.has(text)) ||
    (kind === "word" && /^(?:array_)?(?:union|intersect)$/.test(text))
  );
}
