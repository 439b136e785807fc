import { visible } from "../kernel/text/visible.ts";

/**
 * Formats values as a table for spreadsheets (RFC 4180): one line per row of each value, beginning with the value's
 * name.
 */
export function csvOf(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .flatMap(([name, value]) => rowsOf(value).map((row) => csvLine([name, ...row])))
    .join("\r\n");
}

/** Formats one line, without a line ending. */
export function csvLine(row: readonly unknown[]): string {
  return row.map(cell).join(",");
}

function rowsOf(value: unknown): readonly (readonly unknown[])[] {
  if (!Array.isArray(value)) return [[value]];
  return value.every(Array.isArray) && value.length > 0 ? value : [value];
}

/**
 * Formats a cell. A text that begins like a formula gets a quote as prefix, since a spreadsheet would evaluate it.
 * Control characters are made visible, since a terminal would obey them.
 */
function cell(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const is_formula = typeof value === "string" && /^[=+\-@\t\r\n＝＋－＠]/.test(text);
  const harmless = visible(is_formula ? `'${text}` : text);
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
