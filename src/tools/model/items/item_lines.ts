import type { ItemLine } from "../language.ts";
import type { Items } from "./items.ts";

/** The position of a line in an item. */
export type ItemPlace = Pick<ItemLine, "item" | "line">;

/** Joins the items into one text, with each item on separate lines, for engines without a notion of items. */
export function joined(items: Items): string {
  return items.join("\n");
}

/** Translates between line numbers in the joined text and line numbers in its items, both counted from 1. */
export class ItemLines {
  readonly #items: readonly (readonly string[])[];
  /** The number of lines that precede each item in the joined text. */
  readonly #before: readonly number[];

  constructor(items: Items) {
    this.#items = items.map((item) => item.split("\n"));
    let sum = 0;
    this.#before = this.#items.map((lines) => {
      const before = sum;
      sum += lines.length;
      return before;
    });
  }

  /** Maps a line of the joined text to its position in an item; undefined if the text has no such line. */
  placeOf(line: number): ItemPlace | undefined {
    const item = this.#before.findLastIndex((before) => before < line);
    const place = { item, line: line - (this.#before[item] ?? 0) };
    return this.textAt(place) === undefined ? undefined : place;
  }

  /** Maps a line of an item to its line in the joined text; undefined if there is none. */
  lineOf(place: ItemPlace): number | undefined {
    const before = this.#before[place.item];
    return before === undefined || this.textAt(place) === undefined ? undefined : before + place.line;
  }

  /** The text of this line of an item. */
  textAt({ item, line }: ItemPlace): string | undefined {
    return this.#items[item]?.[line - 1];
  }
}
