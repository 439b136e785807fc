import type { Position } from "../../../../../kernel/fault.ts";
import { Lines } from "../../../../../kernel/text/lines.ts";
import { type Edit, edited } from "../../../items/edits.ts";
import { ItemLines } from "../../../items/item_lines.ts";
import type { Items } from "../../../items/items.ts";

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
