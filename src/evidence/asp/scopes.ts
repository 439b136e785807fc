import { closing, partsOf, type Token } from "./tokens.ts";

/** A literal without the contents of its braces. */
export interface Literal {
  readonly tokens: readonly Token[];
  /** The elements of its aggregate. */
  readonly elements: readonly Scope[];
}

/**
 * A part of the program throughout which a variable has the same meaning: a statement without its elements, or a single
 * element.
 */
export interface Scope {
  readonly tokens: readonly Token[];
  /** The positive literals that must hold if the scope applies; they limit the values of its variables. */
  readonly literals: readonly Literal[];
}

/** A statement with the elements of its aggregates and choices, and its conditional literals. */
export interface Scopes {
  readonly whole: Scope;
  readonly elements: readonly Scope[];
}

export function scopesOf(tokens: readonly Token[]): Scopes {
  // Only weights can follow the full stop.
  const stop = tokens.findIndex(({ text }) => text === ".");
  const { head, body } = halves(tokens.slice(0, stop));
  const elements: Scope[] = [];
  const whole: Token[] = tokens.slice(stop);
  const read = (half: readonly Token[]): Literal[] =>
    partsOf(half, ";").flatMap((part) => {
      const [before, conditional] = conditionalOf(part);
      if (conditional.length > 0) elements.push(elementOf(conditional));
      return partsOf(before, ",").map(literalOf);
    });
  const [in_head, in_body] = [read(head), read(body)];
  for (const literal of [...in_head, ...in_body]) {
    whole.push(separator, ...literal.tokens);
    elements.push(...literal.elements);
  }
  return { whole: { tokens: whole, literals: in_body.filter(isPositive) }, elements };
}

const separator: Token = { kind: "sign", text: ";", at: 0 };

/** Splits a statement into head and body: a rule's body follows `:-`, a directive's body follows a colon. */
function halves(tokens: readonly Token[]): { head: readonly Token[]; body: readonly Token[] } {
  const sign = /^#(?:show|external|heuristic|edge|project|defined)$/.test(tokens[0]?.text ?? "") ? ":" : ":-";
  let depth = 0;
  for (const [i, { text }] of tokens.entries()) {
    if (/^[{([]$/.test(text)) depth++;
    if (/^[})\]]$/.test(text)) depth--;
    if (depth === 0 && (text === sign || text === ":~")) return { head: tokens.slice(0, i), body: tokens.slice(i + 1) };
  }
  return { head: tokens, body: [] };
}

/** Splits a part into its literals and the conditional literal that follows them and extends to the end. */
function conditionalOf(part: readonly Token[]): [before: readonly Token[], conditional: readonly Token[]] {
  const [first = [], ...conditions] = partsOf(part, ":");
  if (conditions.length === 0) return [part, []];
  const start = first.length - (partsOf(first, ",").at(-1)?.length ?? 0);
  return [part.slice(0, Math.max(0, start - 1)), part.slice(start)];
}

/** Reads an element, whose last part is its condition. */
function elementOf(tokens: readonly Token[]): Scope {
  const [, ...conditions] = partsOf(tokens, ":");
  return {
    tokens,
    literals: partsOf(conditions.at(-1) ?? [], ",")
      .map(literalOf)
      .filter(isPositive),
  };
}

function literalOf(tokens: readonly Token[]): Literal {
  const open = tokens.findIndex(({ text }) => text === "{");
  if (open < 0) return { tokens, elements: [] };
  const close = closing(tokens, open);
  const inside = partsOf(tokens.slice(open + 1, close), ";").map(elementOf);
  return { tokens: [...tokens.slice(0, open), ...tokens.slice(close + 1)], elements: inside };
}

function isPositive({ tokens }: Literal): boolean {
  return tokens.length > 0 && tokens[0]?.text !== "not";
}
