import { strToU8, zipSync } from "fflate";

/** A cell of a workbook: a value, a date (its serial number), or a formula with or without a stored value. */
export type WorkbookCell =
  | string
  | number
  | boolean
  | null
  | { readonly date: number }
  | { readonly formula: string; readonly value?: number };

/** An XLSX file with these sheets, as spreadsheet programs write it: shared strings, a style for dates. */
export function workbook(sheets: Readonly<Record<string, readonly (readonly WorkbookCell[])[]>>): Uint8Array {
  const names = Object.keys(sheets);
  const strings: string[] = [];
  const parts = Object.values(sheets).map((rows) => sheetXml(rows, strings));
  const relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const files: Record<string, string> = {
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relation}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook ${main} xmlns:r="${relation}"><sheets>${names.map((name, i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names.map((_, i) => `<Relationship Id="rId${i + 1}" Type="${relation}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`).join("")}<Relationship Id="rId90" Type="${relation}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId91" Type="${relation}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": `<styleSheet ${main}><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `<sst ${main}>${strings.map((text) => `<si><t>${escaped(text)}</t></si>`).join("")}</sst>`,
  };
  for (const [i, xml] of parts.entries())
    files[`xl/worksheets/sheet${i + 1}.xml`] = `<worksheet ${main}><sheetData>${xml}</sheetData></worksheet>`;
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)])));
}

function sheetXml(rows: readonly (readonly WorkbookCell[])[], strings: string[]): string {
  return rows
    .map(
      (row, i) =>
        `<row r="${i + 1}">${row.map((cell, j) => cellXml(cell, `${String.fromCharCode(65 + j)}${i + 1}`, strings)).join("")}</row>`,
    )
    .join("");
}

function cellXml(cell: WorkbookCell, at: string, strings: string[]): string {
  if (cell === null) return "";
  if (typeof cell === "string") return `<c r="${at}" t="s"><v>${strings.push(cell) - 1}</v></c>`;
  if (typeof cell === "boolean") return `<c r="${at}" t="b"><v>${Number(cell)}</v></c>`;
  if (typeof cell === "number") return `<c r="${at}"><v>${cell}</v></c>`;
  if ("date" in cell) return `<c r="${at}" s="1"><v>${cell.date}</v></c>`;
  const value = cell.value === undefined ? "" : `<v>${cell.value}</v>`;
  return `<c r="${at}"><f>${escaped(cell.formula)}</f>${value}</c>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
