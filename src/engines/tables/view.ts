import * as z from "zod/v4";
import { limits } from "../../kernel/limits.ts";
import { fitValue } from "../../kernel/text/fit.ts";
import { strangers } from "./strangers.ts";
import { Cell, type Content, recordsOf, type Shown, type View, type ViewOrder } from "./table.ts";

/** Returns the parts of files that a call asks to see; the contents are in the order of the names. */
export function viewOf(order: ViewOrder, contents: readonly Content[]): View {
  const read = order.files.flatMap(({ name, shown: path }, at) => {
    const content = contents[at];
    return content ? [{ name, path, content }] : [];
  });
  return {
    files: read.map(({ name, path, content }) => ({ name, path, ...shown(content, order) })),
    warnings: strangers(
      read.flatMap(({ name, content }) => (content.kind === "table" ? [{ name, table: content.table }] : [])),
    ),
  };
}

/** Returns a file's summary and the rows that a call asks for. */
function shown(content: Content, { where, columns, from_row, rows }: ViewOrder): Omit<Shown, "name" | "path"> {
  if (content.kind !== "table")
    return {
      value: fitValue(content.kind === "json" ? content.value : content.text, limits.answer_values_chars_max).value,
    };
  const matching = recordsOf(content.table).filter((row) =>
    Object.entries(where).every(([column, value]) => row[column] === value),
  );
  const chosen = matching
    .slice(from_row, from_row + rows)
    .map((row) => (columns ? Object.fromEntries(columns.map((each) => [each, row[each] ?? null])) : row));
  const { value } = fitValue(chosen, limits.answer_values_chars_max);
  return {
    summary: content.table.summary,
    matching: matching.length,
    rows: z.array(z.record(z.string(), Cell)).parse(value),
  };
}
