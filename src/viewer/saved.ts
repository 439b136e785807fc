import { calendarOf } from "./calendar.ts";
import { csvLine, linesOf } from "./csv.ts";
import type { Grid } from "./figures/figure.ts";
import { type IndexNames, tablesOf } from "./figures/tables.ts";
import { isScalar, type Scalar, treeOf } from "./json.ts";
import { reportHtml } from "./report.ts";
import type { Sheet } from "./workbook.ts";

/** The formats in which values can be saved, by file extension. */
export const saved_endings = [".csv", ".xlsx", ".json", ".html", ".ics"] as const;
export type SavedEnding = (typeof saved_endings)[number];

/**
 * Formats values as a file. In XLSX, each table gets its own sheet, and the other values share one. CSV has the same
 * tables one below the other, each preceded by its name unless it contains all values. Undefined for a calendar (ICS)
 * without a date.
 */
export async function savedAs(
  ending: SavedEnding,
  values: Readonly<Record<string, unknown>>,
  index_names: IndexNames = {},
): Promise<string | Uint8Array | undefined> {
  if (ending === ".json") return `${JSON.stringify(values, null, 2)}\n`;
  if (ending === ".html") return reportHtml({ title: "Values", answer: { model: values, index_names }, sources: [] });
  const tables = tablesOf(treeOf(values) ?? {}, index_names);
  if (ending === ".ics") return calendarOf(values, tables);
  const shown = new Set(tables.flatMap(({ uses }) => uses));
  const others = Object.entries(values).filter(([name]) => !shown.has(name));
  const records = others.flatMap(([name, value]) => {
    const rows = recordRows(value);
    return rows ? [{ name, rows }] : [];
  });
  const sheets: Sheet[] = [...tables.map((table) => ({ name: table.title, rows: rowsOf(table) })), ...records];
  const lines = others.filter(([, value]) => !recordRows(value)).flatMap((each) => linesOf(each));
  if (ending === ".csv") return csvText(sheets, lines);
  const rest: Sheet[] =
    lines.length > 0 || sheets.length === 0 ? [{ name: "Values", rows: [["name", "value"], ...lines] }] : [];
  // The packer is loaded only when a workbook is written, since few servers write one.
  const { workbookOf } = await import("./workbook.ts");
  return workbookOf([...sheets, ...rest]);
}

/**
 * Writes a single table without its name. Otherwise, writes each table after its name, separated by empty lines, and
 * then the other values.
 */
function csvText(sheets: readonly Sheet[], lines: readonly Scalar[][]): string {
  const [only, second] = sheets;
  const blocks =
    only && !second && lines.length === 0
      ? [only.rows]
      : [...sheets.map(({ name, rows }) => [[name], ...rows]), ...(lines.length > 0 ? [lines] : [])];
  return `${blocks.map((rows) => rows.map(csvLine).join("\r\n")).join("\r\n\r\n")}\r\n`;
}

/**
 * Converts an object to rows of its names and values, and a list of records with the same names to a header and one row
 * each; undefined for other values.
 */
function recordRows(value: unknown): readonly Scalar[][] | undefined {
  const tree = treeOf(value);
  if (tree) return Object.keys(tree).length > 0 ? Object.entries(tree).flatMap((each) => linesOf(each)) : undefined;
  if (!Array.isArray(value)) return undefined;
  const trees = value.map(treeOf).filter((each) => each !== undefined);
  const names = Object.keys(trees[0] ?? {});
  if (names.length === 0 || trees.length < value.length) return undefined;
  const rows = trees.map((each) => Object.values(each).filter(isScalar));
  const same = trees.every(
    (each, i) => Object.keys(each).join("\n") === names.join("\n") && rows[i]?.length === names.length,
  );
  return same ? [names, ...rows] : undefined;
}

/** Returns the rows of a table, including its column and row names. */
function rowsOf({ cells, row_labels, column_labels, corner = "" }: Grid): Scalar[][] {
  const begin = corner.replace(/…$/, "");
  const labels = column_labels?.map((each) => `${begin}${each}`);
  return [
    ...(labels ? [[...(row_labels ? [""] : []), ...labels]] : []),
    ...cells.map((row, i) => [...(row_labels ? [row_labels[i] ?? ""] : []), ...row]),
  ];
}
