import * as z from "zod/v4";

/** A value in a table. Dates and times are texts: `2026-11-29`, `2026-11-29T08:30`, `08:30`. */
export const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type Cell = z.output<typeof Cell>;

/** The types of columns; `mixed` means numbers and texts, and `empty` means no values at all. */
export const column_types = ["int", "decimal", "bool", "date", "time", "text", "mixed", "empty"] as const;

export const Column = z.strictObject({
  name: z.string(),
  type: z.enum(column_types),
  /** The number of cells without a value. */
  missing: z.int(),
  /** The number of different values. */
  distinct: z.int(),
  /** Examples: the first few different values. */
  examples: z.array(Cell),
  /** The smallest value, for numbers and dates. */
  least: Cell.optional(),
  greatest: Cell.optional(),
});
export type Column = z.output<typeof Column>;

/** A table's description, without its rows. */
export const Summary = z.strictObject({
  rows: z.int(),
  columns: z.array(Column),
  /** Sentences about what was assumed and what looks wrong. */
  remarks: z.array(z.string()),
});
export type Summary = z.output<typeof Summary>;

/** A table by columns: `values[c][r]`. */
export const Table = z.strictObject({ summary: Summary, values: z.custom<Cell[][]>(areCells) });
export type Table = z.output<typeof Table>;

/** A file's contents: a table, a JSON value, or a text in a model's language. */
export const Content = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("table"), table: Table }),
  z.strictObject({ kind: z.literal("json"), value: z.unknown() }),
  z.strictObject({ kind: z.literal("text"), text: z.string() }),
]);
export type Content = z.output<typeof Content>;

export const Refused = z.strictObject({ error: z.string(), steps: z.array(z.string()) });

/** The part of a file that is shown: a table's summary and some of its rows, or the beginning of any other file. */
export const Shown = z.strictObject({
  name: z.string(),
  path: z.string(),
  /** The table's summary, if the file contains a table. */
  summary: Summary.optional(),
  matching: z.int().optional(),
  rows: z.array(z.record(z.string(), Cell)).optional(),
  /** The beginning of a file that is not a table. */
  value: z.unknown().optional(),
});
export type Shown = z.output<typeof Shown>;

/** The shown parts of files, and warnings about values in one file that another one lacks. */
export const View = z.strictObject({ files: z.array(Shown), warnings: z.array(z.string()) });
export type View = z.output<typeof View>;

/** The answer from the program that reads files. */
export type Reply = Content | View | z.output<typeof Refused>;

/** A file as the server found it, for the program that reads it. */
export const Order = z.strictObject({
  /** The path after resolving all links. */
  path: z.string(),
  device: z.string(),
  inode: z.string(),
  /** The file's name in messages. */
  shown: z.string(),
  sheet: z.string().optional(),
  range: z.string().optional(),
});
export type Order = z.output<typeof Order>;

/** The files to be shown, with their names, and the rows to be shown. */
export const ViewOrder = z.strictObject({
  files: z.array(Order.extend({ name: z.string() })),
  /** The values, by column, that a shown row must have. */
  where: z.record(z.string(), z.unknown()),
  columns: z.array(z.string()).optional(),
  from_row: z.int(),
  rows: z.int(),
});
export type ViewOrder = z.output<typeof ViewOrder>;

/**
 * Whether all values are cells; checking a schema for each cell would be slow for a table of a hundred thousand cells.
 */
function areCells(values: unknown): boolean {
  const isCell = (cell: unknown) => cell === null || /^(?:string|number|boolean)$/.test(typeof cell);
  return Array.isArray(values) && values.every((column) => Array.isArray(column) && column.every(isCell));
}

/** The reason why a file is not usable as data, with suggestions. */
export class FileRefused extends Error {
  readonly steps: readonly string[];

  constructor(message: string, steps: readonly string[]) {
    super(message);
    this.steps = steps;
  }
}

/** Converts a table to one object per row. */
export function recordsOf({ summary: { columns }, values }: Table): Record<string, Cell>[] {
  const rows = values[0]?.length ?? 0;
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(columns.map(({ name }, column) => [name, values[column]?.[row] ?? null])),
  );
}
