import * as z from "zod/v4";
import { Cell, type Content, recordsOf, Summary } from "../../engines/tables/table.ts";
import { Fault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import { nearest } from "../../kernel/text/near_miss.ts";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import { fitValue } from "../fit.ts";
import { type Files, filesNamed, notesOnTable, readFiles } from "./data/files.ts";
import { strangers } from "./data/strangers.ts";
import { model_limits } from "./limits.ts";

const rows_shown_default = 5;

const whole = (name: string) => {
  const error = `${name} must be a whole number of at least 0.`;
  return z.int({ error }).min(0, { error });
};

const where_error = 'where must be an object of values by column, such as {"skill": "icu"}.';
const columns_error = "columns must be a list of names of columns.";

const input = z.strictObject({
  files: filesNamed("files").describe("Paths, or {path, name, sheet, range}."),
  where: z.record(z.string(), z.unknown(), { error: where_error }).optional().describe("Rows with these values."),
  columns: z.array(z.string({ error: columns_error }), { error: columns_error }).optional(),
  from_row: whole("from_row").default(0),
  rows: whole("rows").default(rows_shown_default),
});

const Shown = z.object({
  name: z.string(),
  path: z.string(),
  /** Of a table. */
  summary: Summary.optional(),
  matching: z.int().optional(),
  rows: z.array(z.record(z.string(), Cell)).optional(),
  /** Of any other file: its beginning. */
  value: z.unknown().optional(),
});
type Shown = z.output<typeof Shown>;

const output = z.object({ status: z.literal("ok"), files: z.array(Shown), warnings: z.array(z.string()) });

/** `read_data`: what data files have, and some of their rows, so that a model can be written without all values. */
export function readData(files: Files): Tool {
  return defineTool({
    name: "read_data",
    description:
      "Columns, types, missing and suspicious values and some rows of data files. Give the paths to solve in data_files.",
    annotations: annotated("Look at data files", "reads"),
    input,
    output,
    listed_output: ["status"],
    limit_ms: () => model_limits.read_data_ms_max,
    question: "of_session",
    async run({ files: wanted, ...part }, { deadline }) {
      const found = await readFiles(wanted, files, deadline);
      return {
        status: "ok" as const,
        files: found.map(({ name, path, content }) => ({ name, path, ...shown(content, name, part) })),
        warnings: strangers(found),
      };
    },
    render: ({ files: found, warnings }) => {
      const [first = "No file was read.", ...others] = found.flatMap(lines);
      return [first, ...others, ...warnings];
    },
  });
}

type Part = Pick<z.output<typeof input>, "where" | "columns" | "from_row" | "rows">;

/** The summary of a file, and the rows that a call asks for. Raises `invalid_argument` for a column that is not there. */
function shown(
  content: Content,
  name: string,
  { where = {}, columns, from_row, rows }: Part,
): Omit<Shown, "name" | "path"> {
  if (content.kind !== "table")
    return {
      value: fitValue(content.kind === "json" ? content.value : content.text, limits.answer_values_chars_max).value,
    };
  const { summary } = content.table;
  const known = summary.columns.map((each) => each.name);
  for (const wanted of [...Object.keys(where), ...(columns ?? [])])
    if (!known.includes(wanted))
      throw new Fault("invalid_argument", `The table ${name} has no column ${JSON.stringify(wanted)}.`, [
        ...nearest(wanted, known).map((each) => `did you mean ${each}?`),
        `its columns: ${known.join(", ")}`,
      ]);
  const matching = recordsOf(content.table).filter((row) =>
    Object.entries(where).every(([column, value]) => row[column] === value),
  );
  const kept = matching
    .slice(from_row, from_row + rows)
    .map((row) => (columns ? Object.fromEntries(columns.map((each) => [each, row[each] ?? null])) : row));
  const { value } = fitValue(kept, limits.answer_values_chars_max);
  return { summary, matching: matching.length, rows: z.array(z.record(z.string(), Cell)).parse(value) };
}

function lines({ name, path, summary, matching, rows = [], value }: Shown): string[] {
  if (!summary) return [`${path} is the value ${name}: ${JSON.stringify(value)}`];
  const columns = summary.columns.map(
    ({ name, type, missing, distinct, examples, least, greatest }) =>
      `  ${name}: ${type}, ${distinct} different${missing > 0 ? `, ${missing} missing` : ""}${least === undefined ? "" : `, ${String(least)} to ${String(greatest)}`}; such as ${examples.map((each) => JSON.stringify(each)).join(", ")}`,
  );
  const part =
    rows.length > 0
      ? [`  ${rows.length} of ${matching ?? 0} rows:`, ...rows.map((row) => `  ${JSON.stringify(row)}`)]
      : [];
  return [...notesOnTable(name, path, summary), ...columns, ...part];
}
