import { closingOf, withOperators } from "../source/brackets.ts";
import { callsOf } from "../source/calls.ts";
import type { Statement } from "../source/source.ts";
import { bindingsOf, declaredWith, spread, type Tokens } from "./bindings.ts";
import { holdsBetween } from "./positions.ts";
import { operandsOf } from "./weak.ts";

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
