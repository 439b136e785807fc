import { unzip } from "fflate";
import readExcelFile from "read-excel-file/universal";
import { nearest } from "../../kernel/text/near_miss.ts";
import { engine_limits } from "../limits.ts";
import type { Grid } from "./csv.ts";
import { FileRefused } from "./table.ts";

interface Part {
  readonly sheet?: string | undefined;
  /** `B2:F20`. */
  readonly range?: string | undefined;
}

/**
 * Reads one sheet of a workbook: the named one, or the only one that has values. Formulas count with the value that was
 * stored with them; macros are never read. Raises `FileRefused`.
 */
export async function readXlsx(bytes: Buffer, name: string, { sheet, range }: Part): Promise<Grid> {
  await expectReadable(bytes, name);
  const sheets = await readExcelFile(new Blob([new Uint8Array(bytes)])).catch((error: unknown) => {
    throw new FileRefused(
      `${name} is not a readable workbook (${error instanceof Error ? error.message : "unknown"}).`,
      ["open it in a spreadsheet program and save it as XLSX again, or as CSV in UTF-8"],
    );
  });
  const filled = sheets.filter(({ data }) => data.some((row) => row.some((cell) => cell !== null)));
  const names = sheets.map((each) => each.sheet);
  const chosen = sheet === undefined ? filled : sheets.filter((each) => each.sheet === sheet);
  const [first, second] = chosen;
  if (first === undefined)
    throw new FileRefused(
      sheet === undefined ? `${name} has no values.` : `${name} has no sheet ${JSON.stringify(sheet)}.`,
      [
        ...nearest(sheet ?? "", names).map((each) => `did you mean ${JSON.stringify(each)}?`),
        `its sheets: ${names.join(", ")}`,
      ],
    );
  if (second !== undefined)
    throw new FileRefused(`${name} has several sheets with values.`, [
      `name one of them with sheet: ${chosen.map((each) => each.sheet).join(", ")}`,
    ]);
  const rows = first.data.map((row) => row.map((cell) => (cell instanceof Date ? dateText(cell) : plain(cell))));
  return range === undefined ? rows : within(rows, range);
}

function plain(cell: unknown): string | number | boolean | null {
  if (typeof cell === "number" || typeof cell === "boolean") return cell;
  return typeof cell === "string" && cell.trim() !== "" ? cell.trim() : null;
}

/** A date without its time of day if that is midnight. */
function dateText(date: Date): string {
  const text = date.toISOString();
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text.slice(0, 16);
}

/** The cells of a range such as `B2:F20`. */
function within(rows: Grid, range: string): Grid {
  const [, left = "", top = "", right = "", bottom = ""] = /^([A-Z]{1,3})(\d+):([A-Z]{1,3})(\d+)$/i.exec(range) ?? [];
  if (left === "")
    throw new FileRefused(`The range ${JSON.stringify(range)} is none.`, ["write it as B2:F20: first and last cell"]);
  const [from, to] = [columnOf(left), columnOf(right)];
  return rows.slice(Number(top) - 1, Number(bottom)).map((row) => row.slice(from, to + 1));
}

function columnOf(letters: string): number {
  return [...letters.toUpperCase()].reduce((sum, each) => sum * 26 + each.charCodeAt(0) - 64, 0) - 1;
}

/**
 * Looks into the archive before it is read: its parts together have a bound, and each formula needs a stored value.
 * Raises `FileRefused`.
 */
async function expectReadable(bytes: Uint8Array, name: string): Promise<void> {
  let left = engine_limits.table_unpacked_bytes_max;
  const parts = await new Promise<Record<string, Uint8Array>>((done, fail) => {
    const filter = ({ name: part, originalSize }: { readonly name: string; readonly originalSize: number }) => {
      left -= originalSize;
      return left >= 0 && /^xl\/worksheets\/[^/]*\.xml$/.test(part);
    };
    unzip(bytes, { filter }, (error, found) => (error ? fail(error) : done(found)));
  }).catch(() => {
    throw new FileRefused(`${name} is not a workbook in the XLSX form.`, [
      "save it as XLSX (not XLS) or as CSV in UTF-8",
    ]);
  });
  if (left < 0)
    throw new FileRefused(
      `${name} is too large: unpacked it has more than ${engine_limits.table_unpacked_bytes_max / 1e6} MB.`,
      ["save the sheet that is needed as CSV"],
    );
  for (const xml of Object.values(parts)) {
    const cell = formulaWithoutValue(new TextDecoder().decode(xml));
    if (cell !== undefined)
      throw new FileRefused(`Cell ${cell} of ${name} has a formula without a value.`, [
        "open the file in a spreadsheet program, let it compute, and save it",
        "or replace the formula by its value",
      ]);
  }
}

/** The address of the first cell with a formula and no value. */
function formulaWithoutValue(xml: string): string | undefined {
  for (const [, attributes = "", inner = ""] of xml.matchAll(/<c\s([^>]*[^/>])>([\s\S]*?)<\/c>/g)) {
    const has_formula = /<f[\s>/]/.test(inner);
    if (has_formula && !/<v>[^<]+<\/v>/.test(inner) && !/t="str"/.test(attributes))
      return /r="([A-Z]+\d+)"/.exec(attributes)?.[1] ?? "?";
  }
  return undefined;
}
