import { closingOf, stepOf } from "../source/brackets.ts";
import type { Token } from "../source/source.ts";

export type Tokens = readonly Token[];

/** A name that a generator or `any` gives to a value. */
export interface Binding {
  readonly name: string;
  readonly value: Tokens;
}

/** What generators and `any` give a name: a membership looks like a generator, and is read as one. */
export function bindingsOf(statements: readonly Tokens[]): Binding[] {
  const declared = new Set(statements.flatMap(declaredNames));
  return statements.flatMap((tokens) => bindingsIn(tokens, declared));
}

/** Adds to some names those that are bound to a value which is one of them. */
export function spread(
  names: Set<string>,
  bindings: readonly Binding[],
  isOne: (value: Tokens) => boolean,
): Set<string> {
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const { name, value } of bindings) if (isOne(value)) names.add(name);
  }
  return names;
}

/** The names of variables, and of what is bound to one. */
export function variablesOf(statements: readonly Tokens[], bindings: readonly Binding[]): ReadonlySet<string> {
  const names = new Set(statements.flatMap((tokens) => declaredWith(/^var$/, tokens)));
  return spread(names, bindings, (value) => value.some(({ text }) => names.has(text)));
}

/** The names that a statement declares with a word in their type. */
export function declaredWith(word: RegExp, tokens: Tokens): string[] {
  return tokens.flatMap(({ text }, i) => {
    if (!word.test(text)) return [];
    const colon = endOf(tokens, i, /^[:;]$/);
    const name = tokens[colon + 1];
    return tokens[colon]?.text === ":" && name?.kind === "word" ? [name.text] : [];
  });
}

function declaredNames(tokens: Tokens): string[] {
  return tokens.flatMap(({ kind, text }, i) => (kind === "word" && tokens[i - 1]?.text === ":" ? [text] : []));
}

function bindingsIn(tokens: Tokens, declared: ReadonlySet<string>): Binding[] {
  return tokens.flatMap(({ kind, text }, i) => {
    const next = tokens[i + 1]?.text;
    const is_any = tokens[i - 1]?.text === ":" && tokens[i - 2]?.text === "any";
    const is_bound = is_any || !declared.has(text);
    if (kind !== "word" || !(next === "in" || next === "," || (next === "=" && is_bound))) return [];
    // Several names can share a generator: `x, y in list`.
    const sign = next === "," ? tokens.findIndex((each, at) => at > i && !isListed(each)) : i + 1;
    if (next === "," && tokens[sign]?.text !== "in") return [];
    return [{ name: text, value: tokens.slice(sign + 1, endOf(tokens, sign, end_of_value)) }];
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

/** Whether a token is the sign of a declaration, an assignment or a definition. */
export function definesAt(tokens: Tokens, i: number): boolean {
  if (tokens[i]?.text !== "=") return false;
  if (tokens[i - 2]?.text === ":") return true;
  return !/^(?:constraint|solve)$/.test(tokens[0]?.text ?? "") && i === firstSign(tokens);
}

/** The first `=` outside of all brackets. */
function firstSign(tokens: Tokens): number {
  let depth = 0;
  return tokens.findIndex(({ text }) => {
    depth += stepOf(text);
    return depth === 0 && text === "=";
  });
}
