import type { Token } from "./source.ts";

/** Adjacent operator characters form one operator. */
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

/** The bracket that closes the one at a token; the number of tokens if none does. */
export function closingOf(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    depth += stepOf(tokens[i]?.text);
    if (depth === 0) return i;
  }
  return tokens.length;
}

/** The bracket that opens the one at a token; the first token if none does. */
export function openingOf(tokens: readonly Token[], close: number): number {
  let depth = 0;
  for (let i = close; i >= 0; i--) {
    depth -= stepOf(tokens[i]?.text);
    if (depth === 0) return i;
  }
  return 0;
}

/** How a token changes the depth of brackets. */
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
