import { colonOf } from "./declarations.ts";
import { closingOf, enclosingOf, endOfLevel, outside, type Token, type Tokens } from "./tokens.ts";

/** Raised if a model can't be rewritten with variables in place of floats; it is then compiled unchanged. */
export class NotLifted extends Error {}

/** The position of a float domain in a declaration: its two sides around the dots, and the end of the declaration. */
export interface FloatDomain {
  readonly first: number;
  readonly dots: number;
  readonly last: number;
  readonly end: number;
}

export function floatDomains(tokens: Tokens, parameters: ReadonlySet<string>): FloatDomain[] {
  return tokens.flatMap(({ text }, colon) => {
    if (text !== ":" || tokens[colon + 1]?.kind !== "word") return [];
    const open = enclosingOf(tokens, colon);
    const before = tokens.slice(open + 1, colon);
    const first = open + 2 + (outside(before, /^(?:of|var|par|opt|set|;|,)$/).at(-1) ?? -1);
    const type = tokens.slice(first, colon);
    const dots = first + type.findIndex(({ text }) => text === "..");
    if (dots < first || !type.some((token) => isDecimal(token) || parameters.has(token.text))) return [];
    // Only names declared on their own or in a let can get a constraint.
    const is_argument = tokens[open]?.text === "(" || tokens[colon + 2]?.text === "(";
    if (is_argument || /^(?:par|opt|set)$/.test(tokens[first - 1]?.text ?? "")) throw new NotLifted();
    return [{ first, dots, last: colon - 1, end: endOfLevel(tokens, colon, /^[;,]$/) }];
  });
}

/** The name of the float parameter declared by a statement. */
export function floatParameter(tokens: Tokens): string[] {
  const colon = colonOf(tokens);
  const name = tokens[colon + 1];
  return colon > 0 && name && isFloatParameter(tokens.slice(0, colon)) ? [name.text] : [];
}

export function isFloatParameter(type: Tokens): boolean {
  const words = type.map(({ text }) => text);
  if (words.some((word) => /^(?:var|function|predicate|test|annotation|constraint|enum)$/.test(word))) return false;
  return words.includes("float") || type.some(isDecimal);
}

export function isDecimal({ kind, text }: Token): boolean {
  return kind === "number" && /[.eE]/.test(text);
}

/**
 * The last token of an operand: a number, a name with its arguments or indices, or a bracketed expression; including
 * its exponent.
 */
export function operandEnd(tokens: Tokens, start: number): number {
  const first = tokens[start];
  if (first?.text === "-" || first?.text === "+") return operandEnd(tokens, start + 1);
  if (!first || /^(?:if|let|not)$/.test(first.text)) throw new NotLifted();
  let end = /^[([{]$/.test(first.text) ? closing(tokens, start) : start;
  while (/^[([]$/.test(tokens[end + 1]?.text ?? "")) end = closing(tokens, end + 1);
  if (tokens[end + 1]?.text === ".") throw new NotLifted();
  return tokens[end + 1]?.text === "^" ? operandEnd(tokens, end + 2) : end;
}

/** The index of the matching closing bracket. */
export function closing(tokens: Tokens, open: number): number {
  const close = closingOf(tokens, open);
  if (close === tokens.length) throw new NotLifted();
  return close;
}
