import { closingOf } from "../source/brackets.ts";
import type { Token } from "../source/source.ts";
import { bindingsOf, declaredWith, endOf, spread, type Tokens, variablesOf } from "./bindings.ts";

/** What of a model may stand for an absent value, and what for a value that is not known yet. */
export interface Optional {
  readonly names: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
}

/**
 * The names that are declared with `opt`, and those that are bound to something optional: `any: y = o`, `y in list`, and
 * a list whose `where` depends on a variable.
 */
export function optionalIn(statements: readonly Tokens[]): Optional {
  const is_possible = statements.some((tokens) => tokens.some(({ text }) => /^(?:opt|where|<>)$|_weak$/.test(text)));
  if (!is_possible) return { names: new Set(), variables: new Set() };
  const bindings = bindingsOf(statements);
  const variables = variablesOf(statements, bindings);
  const names = new Set(
    statements.flatMap((tokens) => [...declaredWith(/^opt$/, tokens), ...tokens.flatMap(weakCall)]),
  );
  const isOptional = (value: Tokens) =>
    standsForOptional(value, { names, variables }) || isFiltered(value, 0, variables);
  return { names: spread(names, bindings, isOptional), variables };
}

/** Whether an optional value stands there as itself: `deopt(o)` and `o default 0` are no longer optional. */
export function standsForOptional(tokens: Tokens, { names, variables }: Optional): boolean {
  return tokens.some(({ kind, text }, i) => {
    if (text === "<>") return true;
    if (text === "[") return tokens[closingOf(tokens, i) + 1]?.text === "[" && isFiltered(tokens, i, variables);
    if (kind !== "word" || !names.has(text)) return false;
    const is_read = tokens[i - 1]?.text === "(" && reading.test(tokens[i - 2]?.text ?? "");
    const after = /^[([]$/.test(tokens[i + 1]?.text ?? "") ? closingOf(tokens, i + 1) + 1 : i + 1;
    return !is_read && tokens[after]?.text !== "default";
  });
}

/** Functions that say whether there is a value, or read it. */
const reading = /^(?:occurs|absent|deopt)$/;

/** Whether a list begins at a token whose `where` depends on a variable: its elements are optional. */
function isFiltered(tokens: Tokens, open: number, variables: ReadonlySet<string>): boolean {
  if (tokens[open]?.text !== "[") return false;
  const [where, close] = [endOf(tokens, open + 1, /^(?:where|\])$/), closingOf(tokens, open)];
  return where < close && tokens.slice(where, close).some(({ text }) => variables.has(text));
}

/** The functions of the library whose name says that their value is optional. */
function weakCall({ text }: Token): string[] {
  return text.endsWith("_weak") ? [text] : [];
}
