import * as z from "zod/v4";
import { Shown } from "../../engines/tables/table.ts";
import { Fault } from "../../kernel/fault.ts";
import { nearest } from "../../kernel/text/near_miss.ts";
import { visibleLine } from "../../kernel/text/visible.ts";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import { type Files, filesNamed, findFiles, notesOnTable } from "./data/files.ts";
import { model_limits } from "./limits.ts";

const rows_shown_default = 5;

const whole = (name: string) => {
  const error = `${name} must be a whole number of at least 0.`;
  return z.int({ error }).min(0, { error });
};

const where_error = 'where must be an object of values by column, such as {"skill": "icu"}.';
const columns_error = "columns must be a list of column names.";

const input = z.strictObject({
  files: filesNamed("files").describe("Paths, or {path, name, sheet, range}."),
  where: z.record(z.string(), z.unknown(), { error: where_error }).optional().describe("Rows with these values."),
  columns: z.array(z.string({ error: columns_error }), { error: columns_error }).optional(),
  from_row: whole("from_row").default(0),
  rows: whole("rows").default(rows_shown_default),
});

const output = z.object({ status: z.literal("ok"), files: z.array(Shown), warnings: z.array(z.string()) });

/**
 * `read_data`: describes data files and shows some of their rows, so that a model can be written without seeing all
 * values.
 */
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
    async run({ files: wanted, where = {}, ...part }, { deadline }) {
      const found = await files.tables.view({ files: await findFiles(wanted, files), where, ...part }, deadline);
      expectColumns(found.files, [...Object.keys(where), ...(part.columns ?? [])]);
      return { status: "ok" as const, ...found };
    },
    render: ({ files: found, warnings }) => {
      const [first = "No file was read.", ...others] = found.flatMap(lines).map(visibleLine);
      return [first, ...others, ...warnings];
    },
  });
}

/** Checks that the requested columns exist. Raises `invalid_argument` for a column that no table has. */
function expectColumns(files: readonly Shown[], wanted: readonly string[]): void {
  for (const { name, summary } of files) {
    const known = summary?.columns.map((each) => each.name);
    const missing = known && wanted.find((each) => !known.includes(each));
    if (missing === undefined) continue;
    throw new Fault("invalid_argument", `The table ${name} has no column ${JSON.stringify(missing)}.`, [
      ...nearest(missing, known ?? []).map((each) => `write ${each} if you meant that`),
      `its columns: ${(known ?? []).join(", ")}`,
    ]);
  }
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
      : matching === 0
        ? [`  0 of ${summary.rows} rows have these values`]
        : [];
  return [...notesOnTable(name, path, summary), ...columns, ...part];
}
