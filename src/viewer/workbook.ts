import { strToU8, zipSync } from "fflate";
import type { Scalar } from "./json.ts";

/** A sheet: its name and its rows. */
export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly Scalar[])[];
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const package_relations = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';
const content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml";
/** The maximum length of a sheet name; Excel rejects longer names. */
const sheet_name_chars_max = 31;

/** Creates a workbook (ECMA-376) with these sheets. Strings stay strings, so a spreadsheet evaluates none of them. */
export function workbookOf(sheets: readonly Sheet[]): Uint8Array {
  const names = sheetNames(sheets);
  const part = (i: number) => `worksheets/sheet${i + 1}.xml`;
  const files: Record<string, string> = {
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${content_type}.sheet.main+xml"/>${names.map((_, i) => `<Override PartName="/xl/${part(i)}" ContentType="${content_type}.worksheet+xml"/>`).join("")}</Types>`,
    "_rels/.rels": `<Relationships ${package_relations}><Relationship Id="rId1" Type="${relation}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook ${main} xmlns:r="${relation}"><sheets>${names.map((name, i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships ${package_relations}>${names.map((_, i) => `<Relationship Id="rId${i + 1}" Type="${relation}/worksheet" Target="${part(i)}"/>`).join("")}</Relationships>`,
  };
  for (const [i, { rows }] of sheets.entries())
    files[`xl/${part(i)}`] = `<worksheet ${main}><sheetData>${rows.map(rowXml).join("")}</sheetData></worksheet>`;
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(head + xml)])));
}

function rowXml(row: readonly Scalar[], at: number): string {
  return `<row r="${at + 1}">${row.map((cell, i) => cellXml(cell, `${columnName(i)}${at + 1}`)).join("")}</row>`;
}

function cellXml(value: Scalar, at: string): string {
  if (value === null || value === "") return "";
  if (typeof value === "boolean") return `<c r="${at}" t="b"><v>${Number(value)}</v></c>`;
  if (typeof value === "number" && Number.isFinite(value)) return `<c r="${at}"><v>${value}</v></c>`;
  return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escaped(String(value))}</t></is></c>`;
}

/** Names a column: A, B, … Z, AA, … */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

/** Returns unique sheet names in a form that spreadsheets accept. */
function sheetNames(sheets: readonly Sheet[]): string[] {
  const names: string[] = [];
  const used = new Set<string>();
  // The next number of a repeated name, so that many equal names cost no more than distinct ones.
  const next = new Map<string, number>();
  for (const { name } of sheets) {
    const plain =
      name
        .replaceAll(/[[\]:*?/\\']/g, " ")
        .trim()
        .slice(0, sheet_name_chars_max) || "Values";
    const begin = plain.slice(0, sheet_name_chars_max - 6);
    const key = begin.toLowerCase();
    let own = plain;
    while (used.has(own.toLowerCase())) {
      const number = next.get(key) ?? 2;
      next.set(key, number + 1);
      own = `${begin} ${number}`;
    }
    used.add(own.toLowerCase());
    names.push(own);
  }
  return names;
}

/** Escapes text for XML, and removes control characters, which XML lacks. */
function escaped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML lacks.
  const clean = text.replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, " ");
  return clean.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
