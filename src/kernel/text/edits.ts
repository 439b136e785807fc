/** A text that replaces part of an item; it is inserted if that part is empty. */
export interface Edit {
  readonly item: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits with non-overlapping ranges to the items. */
export function edited(items: readonly string[], edits: readonly Edit[]): string[] {
  return items.map((whole, item) =>
    edits
      .filter((edit) => edit.item === item)
      .sort((a, b) => b.start - a.start)
      .reduce((rest, { start, end, text }) => rest.slice(0, start) + text + rest.slice(end), whole),
  );
}
