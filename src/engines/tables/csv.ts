import { CsvError, parse } from "csv-parse/sync";
import { FileRefused } from "./table.ts";

/** The rows of a table as they stand in the file; an empty cell is null. */
export type Grid = readonly (readonly (string | number | boolean | null)[])[];

const delimiters = [",", ";", "\t", "|"];

/** Reads CSV, with the separator that its first line has. Raises `FileRefused` for a row that can't be read. */
export function readCsv(text: string, name: string): Grid {
  const first_line = text.slice(0, text.search(/[\r\n]|$/));
  const counts = delimiters.map((each) => first_line.split(each).length);
  const delimiter = delimiters[counts.indexOf(Math.max(...counts))] ?? ",";
  try {
    const rows = parse(text, { delimiter, bom: true, relax_column_count: true, skip_empty_lines: true });
    return rows.map((row) => row.map((cell) => (cell.trim() === "" ? null : cell.trim())));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new FileRefused(`${name} is not CSV: ${error.message.replace(/\.$/, "")}.`, [
      "close each quotation mark, and write a quotation mark inside of a quoted cell twice",
      "send the ending of the file as it is: .csv or .tsv for tables, .txt for other text",
    ]);
  }
}
