import type { Grid } from "../figures/figure.ts";
import { shown } from "../json.ts";

/** Formats a table as lines of text, with dots for empty cells; a single row becomes one line of names and values. */
export function gridLines({ title, cells, row_labels, column_labels, corner = "" }: Grid): readonly string[] {
  const rows = cells.map((row) => row.map((cell) => (cell === null || cell === "" ? "." : shown(cell))));
  if (!row_labels) {
    const [row = []] = cells;
    const is_binary = row.every((cell) => cell === 0 || cell === 1 || typeof cell === "boolean");
    const on = row.flatMap((cell, i) => (is_binary && !cell ? [] : [`${column_labels?.[i]} = ${shown(cell)}`]));
    const off = `${on.length > 0 ? "the others" : "all"} ${row.includes(false) ? "false" : "0"}`;
    return [`${title}: ${[...on, ...(on.length < row.length ? [off] : [])].join(", ")}`];
  }
  const lines = rows.map((row, i) => [row_labels[i] ?? "", ...row]);
  const all = column_labels ? [[corner, ...column_labels], ...lines] : lines;
  const widths = (all[0] ?? []).map((_, at) => all.reduce((most, line) => Math.max(most, line[at]?.length ?? 0), 0));
  return [
    `${title}:`,
    ...all.map((line) => `  ${line.map((text, at) => text.padEnd(widths[at] ?? 0)).join("  ")}`.trimEnd()),
  ];
}
