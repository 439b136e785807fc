import * as z from "zod/v4";

/** A value of a table. Dates and times are texts: `2026-11-29`, `2026-11-29T08:30`, `08:30`. */
export const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type Cell = z.output<typeof Cell>;

/** `mixed`: numbers and texts; `empty`: no value at all. */
export const column_types = ["int", "decimal", "bool", "date", "time", "text", "mixed", "empty"] as const;

export const Column = z.strictObject({
  name: z.string(),
  type: z.enum(column_types),
  /** Cells without a value. */
  missing: z.int(),
  /** Different values. */
  distinct: z.int(),
  /** The first different values. */
  examples: z.array(Cell),
  /** Of numbers and dates. */
  least: Cell.optional(),
  greatest: Cell.optional(),
});
export type Column = z.output<typeof Column>;

/** What a table has, without its rows. */
export const Summary = z.strictObject({
  rows: z.int(),
  columns: z.array(Column),
  /** What was assumed, and what looks wrong, as sentences. */
  remarks: z.array(z.string()),
});
export type Summary = z.output<typeof Summary>;

/** A table by columns: `values[c][r]`. */
export const Table = z.strictObject({ summary: Summary, values: z.custom<Cell[][]>(areCells) });
export type Table = z.output<typeof Table>;

/** What a file has: a table, a JSON value, or a text in the language of a model. */
export const Content = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("table"), table: Table }),
  z.strictObject({ kind: z.literal("json"), value: z.unknown() }),
  z.strictObject({ kind: z.literal("text"), text: z.string() }),
]);
export type Content = z.output<typeof Content>;

export const Refused = z.strictObject({ error: z.string(), steps: z.array(z.string()) });

/** What is shown of a file: of a table its summary and some rows, of any other its beginning. */
export const Shown = z.strictObject({
  name: z.string(),
  path: z.string(),
  /** Of a table. */
  summary: Summary.optional(),
  matching: z.int().optional(),
  rows: z.array(z.record(z.string(), Cell)).optional(),
  /** Of any other file: its beginning. */
  value: z.unknown().optional(),
});
export type Shown = z.output<typeof Shown>;

/** Files as they are shown, and what of one another one lacks, as sentences. */
export const View = z.strictObject({ files: z.array(Shown), warnings: z.array(z.string()) });
export type View = z.output<typeof View>;

/** The answer of the program that reads files. */
export type Reply = Content | View | z.output<typeof Refused>;

/** A file as the server found it, for the program that reads it. */
export const Order = z.strictObject({
  /** The path after all links were followed. */
  path: z.string(),
  device: z.string(),
  inode: z.string(),
  /** The name of the file in messages. */
  shown: z.string(),
  sheet: z.string().optional(),
  range: z.string().optional(),
});
export type Order = z.output<typeof Order>;

/** Files to be shown, by their names, and the rows that are shown. */
export const ViewOrder = z.strictObject({
  files: z.array(Order.extend({ name: z.string() })),
  /** The values of a row by column. */
  where: z.record(z.string(), z.unknown()),
  columns: z.array(z.string()).optional(),
  from_row: z.int(),
  rows: z.int(),
});
export type ViewOrder = z.output<typeof ViewOrder>;

/** A table has a hundred thousand cells, for which a schema of each is slow. */
function areCells(values: unknown): boolean {
  const isCell = (cell: unknown) => cell === null || /^(?:string|number|boolean)$/.test(typeof cell);
  return Array.isArray(values) && values.every((column) => Array.isArray(column) && column.every(isCell));
}

/** Why a file is not data, with what to do. */
export class FileRefused extends Error {
  readonly steps: readonly string[];

  constructor(message: string, steps: readonly string[]) {
    super(message);
    this.steps = steps;
  }
}

/** The rows of a table as objects, one for each row. */
export function recordsOf({ summary: { columns }, values }: Table): Record<string, Cell>[] {
  const rows = values[0]?.length ?? 0;
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(columns.map(({ name }, column) => [name, values[column]?.[row] ?? null])),
  );
}
