import { unless } from "../unless.ts";

/** Parses JSON. Returns undefined if it is invalid. */
export function jsonOf(text: string): unknown {
  return unless(SyntaxError, () => JSON.parse(text));
}
