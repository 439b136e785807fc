import type { Token } from "./source.ts";

/** Merges adjacent operator characters into one operator. */
export function withOperators(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    const both = `${last?.text ?? ""}${token.text}`;
    const is_operator = last !== undefined && last.start + last.text.length === token.start && operator.test(both);
    if (is_operator) joined[joined.length - 1] = { ...last, text: both };
    else joined.push(token);
  }
  return joined;
}

const operator = /^(?:\/\\|\\\/|->|<-|<->|<>|==|!=|<=|>=)$/;

/** The index of the matching closing bracket; the number of tokens if there isn't one. */
export function closingOf(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    depth += stepOf(tokens[i]?.text);
    if (depth === 0) return i;
  }
  return tokens.length;
}

/** The index of the matching opening bracket; the first token if there isn't one. */
export function openingOf(tokens: readonly Token[], close: number): number {
  let depth = 0;
  for (let i = close; i >= 0; i--) {
    depth -= stepOf(tokens[i]?.text);
    if (depth === 0) return i;
  }
  return 0;
}

/** A token's effect on the bracket depth. */
export function stepOf(text: string | undefined): number {
  if (text === "(" || text === "[" || text === "{") return 1;
  return text === ")" || text === "]" || text === "}" ? -1 : 0;
}

/** The parts between commas. */
export function parted(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    depth += stepOf(token.text);
    if (depth === 0 && token.text === ",") parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}
