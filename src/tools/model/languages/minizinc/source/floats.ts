import type { Token } from "./source.ts";

/** Raised if a model can't be rewritten with variables in place of floats; it is then compiled unchanged. */
export class NotLifted extends Error {}

/** The position of a float domain in a declaration: its two sides around the dots, and the end of the declaration. */
export interface FloatDomain {
  readonly first: number;
  readonly dots: number;
  readonly last: number;
  readonly end: number;
}

export function floatDomains(tokens: readonly Token[], parameters: ReadonlySet<string>): FloatDomain[] {
  return tokens.flatMap((_, colon) => {
    if (!isColon(tokens, colon)) return [];
    const { first, bracket } = typeBefore(tokens, colon);
    const dots = tokens.findIndex((_, i) => i >= first && i < colon && isRange(tokens, i));
    const type = tokens.slice(first, colon);
    if (dots < 0 || !type.some((token) => isDecimal(token) || parameters.has(token.text))) return [];
    // Only names declared on their own or in a let can get a constraint.
    const before = tokens[first - 1]?.text ?? "";
    if (bracket === "(" || tokens[colon + 2]?.text === "(" || /^(?:par|opt|set)$/.test(before)) throw new NotLifted();
    return [{ first, dots, last: colon - 1, end: declarationEnd(tokens, colon) }];
  });
}

/** The start of the type before a colon, after `var` and `of`, and the enclosing bracket. */
function typeBefore(tokens: readonly Token[], colon: number): { first: number; bracket: string | undefined } {
  let depth = 0;
  let first: number | undefined;
  for (let i = colon - 1; i >= 0; i--) {
    const { text = "" } = tokens[i] ?? {};
    if (/^[)\]}]$/.test(text)) depth++;
    if (/^[([{]$/.test(text) && depth-- === 0) return { first: first ?? i + 1, bracket: text };
    if (depth === 0 && /^(?:of|var|par|opt|set|;|,)$/.test(text)) first ??= i + 1;
  }
  return { first: first ?? 0, bracket: undefined };
}

function declarationEnd(tokens: readonly Token[], colon: number): number {
  let depth = 0;
  for (let i = colon; i < tokens.length; i++) {
    const { text = "" } = tokens[i] ?? {};
    if (depth === 0 && /^[;,)\]}]$/.test(text)) return i;
    if (/^[([{]$/.test(text)) depth++;
    if (/^[)\]}]$/.test(text)) depth--;
  }
  return tokens.length;
}

/** The name of the float parameter declared by a statement. */
export function floatParameter(tokens: readonly Token[]): string[] {
  const colon = topLevelColon(tokens);
  const name = tokens[colon + 1];
  return colon > 0 && name && isFloatParameter(tokens.slice(0, colon)) ? [name.text] : [];
}

export function isFloatParameter(type: readonly Token[]): boolean {
  const words = type.map(({ text }) => text);
  if (words.some((word) => /^(?:var|function|predicate|test|annotation|constraint|enum)$/.test(word))) return false;
  return words.includes("float") || type.some(isDecimal);
}

export function topLevelColon(tokens: readonly Token[]): number {
  let depth = 0;
  return tokens.findIndex(({ text }, i) => {
    if (/^[([{]$/.test(text)) depth++;
    if (/^[)\]}]$/.test(text)) depth--;
    return depth === 0 && isColon(tokens, i);
  });
}

/** Whether a token is a colon before a name, rather than one of the two before an annotation. */
function isColon(tokens: readonly Token[], i: number): boolean {
  const [before, own, behind] = [tokens[i - 1], tokens[i], tokens[i + 1]];
  return own?.text === ":" && before?.text !== ":" && behind?.kind === "word";
}

function isRange(tokens: readonly Token[], i: number): boolean {
  return tokens[i]?.text === "." && tokens[i + 1]?.text === ".";
}

/** Whether a token is a division, rather than part of `/\` or `\/`. */
export function isDivision(tokens: readonly Token[], i: number): boolean {
  const [before, own, behind] = [tokens[i - 1], tokens[i], tokens[i + 1]];
  return own?.text === "/" && before?.text !== "\\" && behind?.text !== "\\";
}

export function isDecimal({ kind, text }: Token): boolean {
  return kind === "number" && /[.eE]/.test(text);
}

/**
 * The last token of an operand: a number, a name with its arguments or indices, or a bracketed expression; including
 * its exponent.
 */
export function operandEnd(tokens: readonly Token[], start: number): number {
  const first = tokens[start];
  if (first?.text === "-" || first?.text === "+") return operandEnd(tokens, start + 1);
  if (!first || /^(?:if|let|not)$/.test(first.text)) throw new NotLifted();
  let end = /^[([{]$/.test(first.text) ? closing(tokens, start) : start;
  while (/^[([]$/.test(tokens[end + 1]?.text ?? "")) end = closing(tokens, end + 1);
  if (tokens[end + 1]?.text === "." && tokens[end + 2]?.text !== ".") throw new NotLifted();
  return tokens[end + 1]?.text === "^" ? operandEnd(tokens, end + 2) : end;
}

/** The index of the matching closing bracket. */
export function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    const { text = "" } = tokens[i] ?? {};
    if (/^[([{]$/.test(text)) depth++;
    if (/^[)\]}]$/.test(text) && --depth === 0) return i;
  }
  throw new NotLifted();
}

export function endOf(token: Token | undefined): number {
  return token ? token.start + token.text.length : 0;
}
