import type { ItemLine } from "../language.ts";
import type { Items } from "./items.ts";

/** The position of a line in an item. */
export type ItemPlace = Pick<ItemLine, "item" | "line">;

/** The items joined into one text, each on its own lines, for engines without a notion of items. */
export function joined(items: Items): string {
  return items.join("\n");
}

/** Translates between lines of the joined text and lines of its items, both counted from 1. */
export class ItemLines {
  readonly #items: readonly (readonly string[])[];
  /** The number of lines of the text before each item. */
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

  /** The position of a line of the text; undefined if the text has no such line. */
  placeOf(line: number): ItemPlace | undefined {
    const item = this.#before.findLastIndex((before) => before < line);
    const place = { item, line: line - (this.#before[item] ?? 0) };
    return this.textAt(place) === undefined ? undefined : place;
  }

  /** The line of the text for a line of an item; undefined if there is none. */
  lineOf(place: ItemPlace): number | undefined {
    const before = this.#before[place.item];
    return before === undefined || this.textAt(place) === undefined ? undefined : before + place.line;
  }

  /** The text of that line. */
  textAt({ item, line }: ItemPlace): string | undefined {
    return this.#items[item]?.[line - 1];
  }
}
