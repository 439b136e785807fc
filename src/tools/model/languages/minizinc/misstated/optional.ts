import { closingOf } from "../source/brackets.ts";
import type { Token } from "../source/source.ts";

type Tokens = readonly Token[];

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
  const names = new Set(statements.flatMap((tokens) => [...declaredWith("opt", tokens), ...tokens.flatMap(weakCall)]));
  const variables = new Set(statements.flatMap((tokens) => declaredWith("var", tokens)));
  const declared = new Set(statements.flatMap(declaredNames));
  const bindings = statements.flatMap((tokens) => bindingsIn(tokens, declared));
  for (let before = -1; before !== names.size + variables.size; ) {
    before = names.size + variables.size;
    for (const { name, value } of bindings) {
      if (value.some(({ text }) => variables.has(text))) variables.add(name);
      if (standsForOptional(value, { names, variables }) || isFiltered(value, 0, variables)) names.add(name);
    }
  }
  return { names, variables };
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

/** The names that a statement declares with a word in their type. */
function declaredWith(word: string, tokens: Tokens): string[] {
  return tokens.flatMap(({ text }, i) => {
    if (text !== word) return [];
    const colon = endOf(tokens, i, /^[:;]$/);
    const name = tokens[colon + 1];
    return tokens[colon]?.text === ":" && name?.kind === "word" ? [name.text] : [];
  });
}

function declaredNames(tokens: Tokens): string[] {
  return tokens.flatMap(({ kind, text }, i) => (kind === "word" && tokens[i - 1]?.text === ":" ? [text] : []));
}

/** What generators and `any` give a name: a membership looks like a generator, and is read as one. */
function bindingsIn(tokens: Tokens, declared: ReadonlySet<string>): { name: string; value: Tokens }[] {
  return tokens.flatMap(({ kind, text }, i) => {
    const next = tokens[i + 1]?.text;
    const is_any = tokens[i - 1]?.text === ":" && tokens[i - 2]?.text === "any";
    const is_bound = is_any || !declared.has(text);
    if (kind !== "word" || !(next === "in" || next === "," || (next === "=" && is_bound))) return [];
    // Several names can share a generator: `x, y in list`.
    const sign = next === "," ? tokens.findIndex((each, at) => at > i && !isListed(each)) : i + 1;
    if (next === "," && tokens[sign]?.text !== "in") return [];
    const end = endOf(tokens, sign, end_of_value);
    return [{ name: text, value: tokens.slice(sign + 1, end) }];
  });
}

const end_of_value = /^(?:[,;)\]}]|where|\/\\|\\\/|->|<-|<->|xor|then|else|endif)$/;

function isListed({ kind, text }: Token): boolean {
  return text === "," || (kind === "word" && text !== "in");
}

/** The next token on this level or outside of it that matches. */
export function endOf(tokens: Tokens, from: number, end: RegExp): number {
  for (let i = from; i < tokens.length; i++) {
    const text = tokens[i]?.text ?? "";
    if (end.test(text)) return i;
    if (/^[([{]$/.test(text)) i = closingOf(tokens, i);
  }
  return tokens.length;
}
