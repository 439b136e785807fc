import { calendarOf } from "./calendar.ts";
import { csvLine, csvOf } from "./csv.ts";
import type { Grid } from "./figures/figure.ts";
import { type IndexNames, tablesOf } from "./figures/tables.ts";
import { isScalar, type Scalar, treeOf } from "./json.ts";
import { reportHtml } from "./report.ts";
import type { Sheet } from "./workbook.ts";

/** The forms in which values are saved, by the ending of the file. */
export const saved_endings = [".csv", ".xlsx", ".json", ".html", ".ics"] as const;
export type SavedEnding = (typeof saved_endings)[number];

/**
 * Values as a file. In XLSX each table of the values has a sheet, and the others have one together. CSV is the one table
 * that has all values; otherwise it has a line for each row of each value. Undefined for a calendar (ICS) without a date.
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
  const [only, second] = tables;
  if (ending === ".csv")
    return only && !second && others.length === 0
      ? `${rowsOf(only).map(csvLine).join("\r\n")}\r\n`
      : `${csvOf(values)}\r\n`;
  const rest: Sheet[] =
    others.length > 0 || tables.length === 0
      ? [{ name: "Values", rows: [["name", "value"], ...others.flatMap(linesOf)] }]
      : [];
  // Few servers write a workbook: what packs one is loaded then.
  const { workbookOf } = await import("./workbook.ts");
  return workbookOf([...tables.map((table) => ({ name: table.title, rows: rowsOf(table) })), ...rest]);
}

/** The rows of a table with the names of its columns and rows. */
function rowsOf({ cells, row_labels, column_labels, corner = "" }: Grid): Scalar[][] {
  const begin = corner.replace(/…$/, "");
  const labels = column_labels?.map((each) => `${begin}${each}`);
  return [
    ...(labels ? [[...(row_labels ? [""] : []), ...labels]] : []),
    ...cells.map((row, i) => [...(row_labels ? [row_labels[i] ?? ""] : []), ...row]),
  ];
}

function linesOf([name, value]: readonly [string, unknown]): Scalar[][] {
  if (isScalar(value)) return [[name, value]];
  const rows = Array.isArray(value) && value.length > 0 && value.every(Array.isArray) ? value : [value];
  return rows.map((row: unknown) => [
    name,
    ...(Array.isArray(row) ? row : [row]).map((each: unknown) => (isScalar(each) ? each : JSON.stringify(each))),
  ]);
}
