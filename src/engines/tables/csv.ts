import { CsvError, parse } from "csv-parse/sync";
import { FileRefused } from "./table.ts";

/** A table's rows as in the file; an empty cell is null. */
export type Grid = readonly (readonly (string | number | boolean | null)[])[];

const delimiters = [",", ";", "\t", "|"];

/** The length of the beginning of a text that is examined to find its separator. */
const head_chars_max = 100_000;

/**
 * Reads CSV. Determines the separator from the first line: the one in a line such as `sep=;`, a tab in a `.tsv` file,
 * or the most frequent one outside quotation marks. Raises `FileRefused` for a row that can't be read.
 */
export function readCsv(text: string, name: string): Grid {
  const [named = "", separator] = /^sep=([,;\t|])\r?\n/i.exec(text) ?? [];
  const delimiter = separator ?? delimiterOf(text, name);
  const body = text.slice(named.length);
  try {
    const rows = rowsOf(body, delimiter);
    return rows.map((row) => row.map((cell) => (cell.trim() === "" ? null : cell.trim())));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new FileRefused(`${name} is not CSV: ${error.message.replace(/\.$/, "")}.`, [
      "close each quotation mark, and double the quotation marks inside a quoted cell",
      "use the right extension: .csv or .tsv for tables, .txt for other text",
    ]);
  }
}

function delimiterOf(text: string, name: string): string {
  const unquoted = text.slice(0, head_chars_max).replaceAll(/"(?:[^"]|"")*"/g, "");
  const [first_line = ""] = /[^\r\n]+/.exec(unquoted) ?? [];
  if (/\.tsv$/i.test(name) && first_line.includes("\t")) return "\t";
  const counts = delimiters.map((each) => first_line.split(each).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ",";
}

/** Parses the rows; a quotation mark inside an unquoted cell is an ordinary character, such as the inch sign. */
function rowsOf(text: string, delimiter: string): string[][] {
  const options = { delimiter, bom: true, relax_column_count: true, skip_empty_lines: true };
  try {
    return parse(text, options);
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== "INVALID_OPENING_QUOTE") throw error;
    const rows = parse(text, { ...options, relax_quotes: true });
    // This option also lets a quoted cell continue after its closing quote.
    if (rows.some((row) => row.some((cell) => cell.startsWith('"')))) throw error;
    return rows;
  }
}
