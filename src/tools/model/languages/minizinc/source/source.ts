import { endOf, placed, type Token, tokensOf } from "../../../../../evidence/minizinc/tokens.ts";
import { Fault, type Position } from "../../../../../kernel/fault.ts";
import { limits } from "../../../../../kernel/limits.ts";
import { correct_and_send } from "../../../../../kernel/step.ts";
import { type Edit, edited } from "../../../../../kernel/text/edits.ts";
import { Lines } from "../../../../../kernel/text/lines.ts";
import { ItemLines } from "../../../items/item_lines.ts";
import type { Items } from "../../../items/items.ts";

/**
 * Adds a semicolon after an item's last statement if it is missing. Raises `syntax_error` if a comment follows on the
 * same line, since a % that is meant as the remainder must not change the statement's meaning.
 */
export function ended(text: string, item: number): string {
  const at = (offset: number): Position => ({ item, ...new Lines(text).at(offset) });
  const last = tokensOf(text, at).at(-1);
  if (!last || last.text === ";") return text;
  const end = endOf(last);
  const comment = commentBehind(text, last);
  if (comment !== undefined) throw unended(at(end), comment);
  return `${text.slice(0, end)};${text.slice(end)}`;
}

/**
 * Joins the bars of an array literal with its brackets, `[|` and `|]`: the grammar allows nothing between them, but
 * people insert line breaks there. The text keeps its length. Raises the same `syntax_error` as `tokensOf`.
 */
export function withBarsJoined(text: string, item: number): string {
  // Most items have no multidimensional array literal, and models are parsed again for each question.
  if (!/\[(?:\s|%|\/\*)[^[]*?\||\|(?:\s|%|\/\*)[^\]|]*?\]/.test(text)) return text;
  const tokens = tokensOf(text, (offset) => ({ item, ...new Lines(text).at(offset) }));
  let joined_text = text;
  for (const [i, { text: sign, start }] of tokens.entries()) {
    const next = tokens[i + 1];
    if (next === undefined || next.start === start + 1) continue;
    const between = text.slice(start + 1, next.start);
    const pair = sign + next.text;
    const written = pair === "[|" ? pair + between : pair === "|]" ? between + pair : undefined;
    if (written !== undefined) joined_text = joined_text.slice(0, start) + written + joined_text.slice(next.start + 1);
  }
  return joined_text;
}

/** Returns the rest of the line after a token if a % turns it into a comment, such as `% 2 = 0;`. */
export function commentBehind(text: string, token: Token): string | undefined {
  return /^[ \t]*(%[^\n]*)/.exec(text.slice(endOf(token)))?.[1];
}

/** Suggests a step for a % that may be meant as the remainder. */
export function remainderCure(comment: string): string {
  return `% begins a comment, so \`${comment.slice(0, limits.fault_quote_chars_max)}\` was not read: write \`x mod 2\` for the remainder, and ; before a comment`;
}

function unended(position: Position, comment: string): Fault {
  return new Fault(
    "syntax_error",
    { where: placed(position), what: `A semicolon is missing at the end of the item, before a comment.` },
    [remainderCure(comment), correct_and_send],
    position,
  );
}

/** Translates positions in MiniZinc's input into positions in the items. */
export class SourceLines {
  readonly #items: Items;
  readonly #sent: ItemLines;
  /** The insertions in each line, from left to right. */
  readonly #shifts: readonly { readonly position: Position; readonly length: number }[];

  constructor(items: Items, insertions: readonly Edit[] = []) {
    this.#items = items;
    this.#sent = new ItemLines(edited(items, insertions));
    this.#shifts = insertions
      .map(({ item, start, end, text }) => ({
        position: { item, ...new Lines(items[item] ?? "").at(start) },
        length: text.length - (end - start),
      }))
      .sort((a, b) => a.position.column - b.position.column);
  }

  /** The position for a line and a column of the text; undefined after the end of the items. MiniZinc counts bytes. */
  positionOf(line: number, byte: number): Position | undefined {
    const place = this.#sent.placeOf(line);
    if (!place) return undefined;
    const before = Buffer.from(this.#sent.textAt(place) ?? "", "utf8").subarray(0, byte - 1);
    const own = this.#shifts.filter(({ position }) => position.item === place.item && position.line === place.line);
    const column = own.reduce(
      (column, { position, length }) =>
        column > position.column ? Math.max(position.column, column - length) : column,
      before.toString("utf8").length + 1,
    );
    return { ...place, column };
  }

  /** An item's text, and the offset of a position in it. */
  textAt({ item = -1, line, column }: Position): { readonly text: string; readonly at: number } | undefined {
    const text = this.#items[item];
    if (text === undefined) return undefined;
    const above = text.split("\n").slice(0, line - 1);
    return { text, at: above.reduce((sum, each) => sum + each.length + 1, 0) + column - 1 };
  }
}
