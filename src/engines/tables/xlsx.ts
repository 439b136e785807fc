import { strToU8, zipSync } from "fflate";
import readExcelFile from "read-excel-file/universal";
import { nearest } from "../../kernel/text/near_miss.ts";
import { engine_limits } from "../limits.ts";
import { unpacked } from "./archive.ts";
import type { Grid } from "./csv.ts";
import { FileRefused } from "./table.ts";

interface Part {
  readonly sheet?: string | undefined;
  /** A range of cells, such as `B2:F20`. */
  readonly range?: string | undefined;
}

/**
 * Reads one sheet of a workbook: the named one, or the only one that has values. Formulas are replaced by their stored
 * values; macros are never read. Raises `FileRefused`.
 */
export async function readXlsx(bytes: Buffer, name: string, { sheet, range }: Part): Promise<Grid> {
  const readable = readableForm(bytes, name);
  const book = await readExcelFile(new Blob([new Uint8Array(readable)])).catch((error: unknown) => {
    throw new FileRefused(
      `${name} is not a readable workbook (${error instanceof Error ? error.message : "unknown"}).`,
      ["open it in a spreadsheet program and save it as XLSX again, or as CSV in UTF-8"],
    );
  });
  // A chart sheet has no rows, whatever the type says.
  const sheets = book.filter(({ data }) => Array.isArray(data));
  const filled = sheets.filter(({ data }) => data.some((row) => row.some((cell) => cell !== null)));
  const names = sheets.map((each) => each.sheet);
  const chosen = sheet === undefined ? filled : sheets.filter((each) => each.sheet === sheet);
  const [first, second] = chosen;
  if (first === undefined)
    throw new FileRefused(
      sheet === undefined ? `${name} has no values.` : `${name} has no sheet ${JSON.stringify(sheet)}.`,
      [
        ...nearest(sheet ?? "", names).map((each) => `write ${JSON.stringify(each)} if you meant that`),
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
  return typeof cell === "string" && cell.trim() !== "" ? cell.trim().replaceAll(/\r\n?/g, "\n") : null;
}

/** Day 0 of a workbook's calendar. */
const day_0_ms = Date.UTC(1899, 11, 30);
/**
 * A value before this day in March 1900 is a time of day or a duration, since durations such as 31:30 also have a date
 * format.
 */
const durations_ms_max = 61 * 86_400_000;

/**
 * Formats a date, without the time of day if that is midnight, or a time of day or duration as hours and minutes.
 * Seconds are shown unless they are zero. The time is rounded first, since the library truncates fractions and returns
 * 8:29:59.999 for 8:30.
 */
function dateText(date: Date): string {
  const time = Math.round(date.getTime() / 1_000) * 1_000;
  const since = time - day_0_ms;
  const text = new Date(time).toISOString();
  const clock = text.slice(14, text.endsWith(":00.000Z") ? 16 : 19);
  if (since >= 0 && since < durations_ms_max)
    return `${String(Math.floor(since / 3_600_000)).padStart(2, "0")}:${clock}`;
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : `${text.slice(0, 14)}${clock}`;
}

/** Returns the cells in a range such as `B2:F20`. */
function within(rows: Grid, range: string): Grid {
  const [, left = "", top = "", right = "", bottom = ""] =
    /^([A-Z]{1,3})([1-9]\d*):([A-Z]{1,3})([1-9]\d*)$/i.exec(range) ?? [];
  if (left === "")
    throw new FileRefused(`${JSON.stringify(range)} is not a range of cells.`, [
      "write the first and the last cell, such as B2:F20",
    ]);
  const [from, to] = [columnOf(left), columnOf(right)];
  return rows.slice(Number(top) - 1, Number(bottom)).map((row) => row.slice(from, to + 1));
}

function columnOf(letters: string): number {
  return [...letters.toUpperCase()].reduce((sum, each) => sum * 26 + each.charCodeAt(0) - 64, 0) - 1;
}

/**
 * Converts the archive to a form that the library reads correctly. The total size of its parts is limited, and each
 * formula needs a stored value. Raises `FileRefused`.
 */
function readableForm(bytes: Buffer, name: string): Uint8Array {
  const found = unpacked(bytes, /\.(?:xml|rels)$/i, engine_limits.table_unpacked_bytes_max);
  if (found === "broken")
    throw new FileRefused(`${name} is not an XLSX workbook.`, ["save it as XLSX (not XLS) or as CSV in UTF-8"]);
  if ("bytes" in found)
    throw new FileRefused(
      `${name} is too large: it unpacks to ${Math.ceil(found.bytes / 1e6)} MB; a workbook can have at most ${engine_limits.table_unpacked_bytes_max / 1e6} MB.`,
      ["save the sheet that you need as CSV", "leave out the columns that the model does not need"],
    );
  const { parts } = found;
  for (const [part, coded] of Object.entries(parts)) {
    const xml = new TextDecoder().decode(coded);
    const plain = plainXml(xml);
    if (plain !== xml) parts[part] = strToU8(plain);
    const cell = formulaWithoutValue(xml);
    if (cell !== undefined)
      throw new FileRefused(`Cell ${cell} of ${name} has a formula without a value.`, [
        "open the file in a spreadsheet program, let it compute, and save it",
        "or replace the formula with its value",
      ]);
  }
  // The library unpacks without a size limit, so it receives the parts that were unpacked here.
  return zipSync(parts, { level: 0 });
}

/**
 * Rewrites what the library (9.3) reads incorrectly: it treats cells with errors and CDATA text as empty, and
 * recognises the 1904 epoch only if it is written as `1`.
 */
function plainXml(xml: string): string {
  return xml
    .replaceAll(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text: string) =>
      text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
    )
    .replaceAll(/(<(?:\w+:)?c\s[^>]*?\bt=)(?:"e"|'e')/g, '$1"str"')
    .replaceAll(/(<(?:\w+:)?workbookPr\s[^>]*?\bdate1904=)(?:"true"|'true')/g, '$1"1"');
}

/** Returns the address of the first cell with a formula but no value. */
function formulaWithoutValue(xml: string): string | undefined {
  for (const [, attributes = "", inner = ""] of xml.matchAll(/<(?:\w+:)?c\s([^>]*[^/>])>([\s\S]*?)<\/(?:\w+:)?c>/g)) {
    const has_formula = /<(?:\w+:)?f[\s>/]/.test(inner);
    const has_value = /<(?:\w+:)?(?:v(?:\s[^>]*)?>[^<]|is[\s>])/.test(inner);
    if (has_formula && !has_value && !/\bt=["']str["']/.test(attributes))
      return /r="([A-Z]+\d+)"/.exec(attributes)?.[1] ?? "?";
  }
  return undefined;
}
