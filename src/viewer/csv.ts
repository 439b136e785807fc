import { visible } from "../kernel/text/visible.ts";
import { isScalar, isScalars, type Scalar } from "./json.ts";
import { viewer_limits } from "./limits.ts";

/**
 * Formats values as a table for spreadsheets (RFC 4180): one line per row of each value, beginning with the value's
 * name.
 */
export function csvOf(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .flatMap((each) => linesOf(each).map(csvLine))
    .join("\r\n");
}

/** Formats one line, without a line ending. */
export function csvLine(row: readonly unknown[]): string {
  return row.map(cell).join(",");
}

/** Returns the rows of a named value: its indices and a single value, or the name and a list of single values. */
export function linesOf([name, value]: readonly [string, unknown], depth = 0): Scalar[][] {
  if (isScalar(value)) return [[name, value]];
  if (isScalars(value)) return [[name, ...value]];
  if (Array.isArray(value) && value.every(isScalars)) return value.map((row) => [name, ...row]);
  const parts = Object.entries(Object(value));
  if (parts.length === 0) return [[name]];
  if (depth >= viewer_limits.indices_max) return [[name, JSON.stringify(value)]];
  return parts.flatMap((part) => linesOf(part, depth + 1).map((row) => [name, ...row]));
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
