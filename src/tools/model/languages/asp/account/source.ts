import type { Statement, Token } from "../../../../../evidence/asp/tokens.ts";
import type { Items } from "../../../items/items.ts";
import { placeOf } from "../explain/conflict.ts";
import type { AspProgram } from "../program.ts";

/** The source text of consecutive tokens in a statement, as one line, truncated to `chars_max` if that is given. */
export function sourceOf(
  { item }: Statement,
  tokens: readonly Token[],
  { bare_items }: AspProgram,
  chars_max = Number.POSITIVE_INFINITY,
): string {
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (!first || !last) return "";
  const line = (bare_items[item] ?? "").slice(first.at, last.at + last.text.length).replaceAll("\n", " ");
  return line.length > chars_max ? `${line.slice(0, chars_max)}…` : line;
}

/** A suspicious part of a program; if `statement` is undefined, the finding concerns the whole program. */
export interface Found {
  readonly statement?: Statement;
  readonly text: string;
}

/** The maximum number of findings: nobody reads more, and to locate each one its item must be read. */
const found_max = 50;

/** Formats the first findings as sentences with their positions. */
export function placed(found: readonly Found[], items: Items): string[] {
  return found.slice(0, found_max).map(({ statement, text }) => {
    if (!statement) return text;
    const { item, line } = placeOf(statement, [], items);
    return `Item ${item}, line ${line}: ${text}`;
  });
}
