import type { Items } from "./items.ts";

/** A text that replaces a part of an item, or is inserted where the part is empty. */
export interface Edit {
  readonly item: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The items with these edits, whose parts do not overlap. */
export function edited(items: Items, edits: readonly Edit[]): string[] {
  return items.map((whole, item) =>
    edits
      .filter((edit) => edit.item === item)
      .sort((a, b) => b.start - a.start)
      .reduce((rest, { start, end, text }) => rest.slice(0, start) + text + rest.slice(end), whole),
  );
}
