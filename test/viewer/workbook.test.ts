import { strFromU8, unzipSync } from "fflate";
import { expect, it } from "vitest";
import { savedAs } from "../../src/viewer/saved.ts";
import { workbookOf } from "../../src/viewer/workbook.ts";

const xmlOf = (bytes: Uint8Array) =>
  Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, part]) => [name, strFromU8(part)]));

it("a workbook has its values as what they are, and no text as a formula", () => {
  const xml = xmlOf(
    workbookOf([
      { name: "a/b", rows: [["=1+1", 2, true, null, "<&\u0001>"]] },
      { name: "A b", rows: [] },
    ]),
  );
  expect(xml["xl/worksheets/sheet1.xml"]).toContain(
    '<c r="A1" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c><c r="B1"><v>2</v></c><c r="C1" t="b"><v>1</v></c>' +
      '<c r="E1" t="inlineStr"><is><t xml:space="preserve">&lt;&amp; &gt;</t></is></c>',
  );
  expect(xml["xl/worksheets/sheet1.xml"]).not.toContain("<f>");
  expect(xml["xl/workbook.xml"]).toMatch(/name="a b".*name="A b 2"/);
});

it("a workbook can have thousands of sheets with the same name", () => {
  const sheets = Array.from({ length: 3_000 }, () => ({ name: "n".repeat(40), rows: [] }));
  const names = xmlOf(workbookOf(sheets))["xl/workbook.xml"]?.match(/ name="[^"]{1,31}"/g);
  expect(new Set(names).size).toBe(3_000);
});

it("columns past Z are named as spreadsheets do", () => {
  const row = Array.from({ length: 30 }, (_, i) => i);
  expect(xmlOf(workbookOf([{ name: "x", rows: [row] }]))["xl/worksheets/sheet1.xml"]).toContain(
    '<c r="AD1"><v>29</v></c>',
  );
});

it("values that are not a table have a line each", async () => {
  expect(await savedAs(".csv", { x: 3, row: [1, 2] })).toBe("x,3\r\nrow,1,2\r\n");
  expect(await savedAs(".csv", { x: 3, at: { Ann: [1] } })).toBe("at\r\nAnn,1\r\n\r\nx,3\r\n");
  const saved = await savedAs(".xlsx", { x: 3, at: { Ann: [1] } });
  expect(saved instanceof Uint8Array && xmlOf(saved)["xl/worksheets/sheet2.xml"]).toContain("x</t>");
});

it("CSV has the tables of a workbook with the names of rows and columns", async () => {
  const day = { Mon: { Ida: 0, Jonas: 1 }, Tue: { Ida: 1, Jonas: 0 } };
  const does = { "R-1": day, "R-2": { ...day, Mon: { Ida: 0, Jonas: 0 } } };
  const named = { who: ["Ida", "Jonas"], cost: 7, does, off: { "R-1": 0, "R-2": 1 } };
  const blocks = [
    "who\r\nR-1,R-2\r\nIda,Jonas",
    "does\r\n,Mon,Tue\r\nR-1,Jonas,Ida\r\nR-2,,Ida",
    "off\r\nR-1,0\r\nR-2,1",
  ];
  expect(await savedAs(".csv", named, { who: [["R-1", "R-2"]] })).toBe(`${[...blocks, "cost,7"].join("\r\n\r\n")}\r\n`);
  const shifts = [
    { who: "Ann", at: 1 },
    { who: "=Ben", at: 2 },
  ];
  expect(await savedAs(".csv", { shifts })).toBe("who,at\r\nAnn,1\r\n'=Ben,2\r\n");
  const saved = await savedAs(".xlsx", { shifts });
  expect(saved instanceof Uint8Array && xmlOf(saved)["xl/workbook.xml"]).toMatch(
    /<sheets><sheet name="shifts"[^>]*><\/sheets>/,
  );
});

it.each([
  ["texts of equally many words", { Ada: "Mon 16:00", Ben: "Tue 17:00" }, "Ada,Mon 16:00\r\nBen,Tue 17:00"],
  ["texts of different lengths", { r1: "Anna Maier", r2: "Bo Li Chan" }, "r1,Anna Maier\r\nr2,Bo Li Chan"],
  ["codes without spaces", { Ada: "R12", Ben: "7:30" }, "Ada,R12\r\nBen,7:30"],
  ["codes of equal length", { Ada: "MON", Ben: "TUE", Cy: "1.5" }, "Ada,MON\r\nBen,TUE\r\nCy,1.5"],
  ["dates", { Ada: "2026-12-01", Ben: "2026-12-02" }, "Ada,2026-12-01\r\nBen,2026-12-02"],
  ["the rows of a board", { a: "5 3 .", b: "6 . 10" }, "a,5,3,.\r\nb,6,.,10"],
  [
    "few cells of a table",
    { Ada: { T1: 9 }, Ben: { T2: 8 }, Cy: { T3: 7 } },
    ",T1,T2,T3\r\nAda,9,,\r\nBen,,8,\r\nCy,,,7",
  ],
  ["an index without values", { Ada: { T1: 9 }, Ben: {} }, "Ada,T1,9\r\nBen"],
  ["values at different depths", { Ada: { T1: { Mon: 1 } }, n: 2 }, "Ada,T1,Mon,1\r\nn,2"],
  ["lists of records", { Ada: [{ at: 1 }, { to: "B" }] }, "Ada,0,at,1\r\nAda,1,to,B"],
])("%s are saved with a row for each index", async (_, plan, text) => {
  expect(await savedAs(".csv", { plan })).toBe(`${text}\r\n`);
});
