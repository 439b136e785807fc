import { type Token, tokensOf } from "../source/tokens.ts";

/** The position of a MiniZinc error in an item, with the tokens of its statement. */
export interface Spot {
  /** MiniZinc's message. */
  readonly message: string;
  /** The item, and the offset of the position in it. */
  readonly text: string;
  readonly at: number;
  /** The surrounding statement, and the index of the token at the position. */
  readonly tokens: readonly Token[];
  readonly index: number;
}

/** The correction if the position reveals a certain mistake. */
export type Cure = (spot: Spot) => string | undefined;

/** The position with its statement. */
export function spotAt(message: string, text: string, at: number): Spot {
  const all = tokensOf(text);
  const first = all.findIndex(({ start, text }) => start + text.length > at);
  const here = first < 0 ? all.length : first;
  // A semicolon at the position itself ends the statement that it belongs to.
  const start = all.findLastIndex(({ text }, i) => i < here && text === ";") + 1;
  const end = all.findIndex(({ text }, i) => i >= here && text === ";");
  return { message, text, at, tokens: all.slice(start, end < 0 ? all.length : end + 1), index: here - start };
}

/** The token at this offset from the error; "" if there isn't one. */
export function wordAt({ tokens, index }: Spot, offset: number): string {
  return tokens[index + offset]?.text ?? "";
}
