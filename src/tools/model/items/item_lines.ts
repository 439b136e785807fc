import type { ItemLine } from "../language.ts";
import type { Items } from "./items.ts";

/** Where a line of an item stands. */
export type ItemPlace = Pick<ItemLine, "item" | "line">;

/** The items as one text, each on lines of its own; engines that know no items read this. */
export function joined(items: Items): string {
  return items.join("\n");
}

/** Translates between the lines of the joined text and those of its items, both counted from 1. */
export class ItemLines {
  readonly #items: readonly (readonly string[])[];
  /** How many lines of the text stand before each item. */
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

  /** The place of a line of the text; undefined when the text has no such line. */
  placeOf(line: number): ItemPlace | undefined {
    const item = this.#before.findLastIndex((before) => before < line);
    const place = { item, line: line - (this.#before[item] ?? 0) };
    return this.textAt(place) === undefined ? undefined : place;
  }

  /** The line of the text where a line of an item stands; undefined when there is no such line. */
  lineOf(place: ItemPlace): number | undefined {
    const before = this.#before[place.item];
    return before === undefined || this.textAt(place) === undefined ? undefined : before + place.line;
  }

  /** What is written there. */
  textAt({ item, line }: ItemPlace): string | undefined {
    return this.#items[item]?.[line - 1];
  }
}
