import { type Token, tokensOf } from "../source/source.ts";

/** The place in an item that MiniZinc names in an error, with the words of its statement. */
export interface Spot {
  /** What MiniZinc said. */
  readonly message: string;
  /** The item, and the offset of the place in it. */
  readonly text: string;
  readonly at: number;
  /** The statement around the place, and which of its words stands there. */
  readonly tokens: readonly Token[];
  readonly index: number;
}

/** What to write instead where the place shows a certain slip. */
export type Cure = (spot: Spot) => string | undefined;

/** The place with its statement. */
export function spotAt(message: string, text: string, at: number): Spot {
  const all = tokensOf(text);
  const found = all.findIndex(({ start, text }) => start + text.length > at);
  const here = found < 0 ? all.length : found;
  // A semicolon at the place itself ends the statement that it stands in.
  const start = all.findLastIndex(({ text }, i) => i < here && text === ";") + 1;
  const end = all.findIndex(({ text }, i) => i >= here && text === ";");
  return { message, text, at, tokens: all.slice(start, end < 0 ? all.length : end + 1), index: here - start };
}

/** The word so many places behind the error, or before it; "" where there is none. */
export function wordAt({ tokens, index }: Spot, offset: number): string {
  return tokens[index + offset]?.text ?? "";
}
