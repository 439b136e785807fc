import { mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { type Content, recordsOf } from "../../src/engines/tables/table.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { removeDirectory } from "../support/directories.ts";
import { workbook } from "../support/workbook.ts";

/** Files of data, as people have them: read in a process of their own, with types that are stated. */

const directory = mkdtempSync(join(tmpdir(), "verdict-tables-"));
const engines = new Engines(readConfig({}));
afterAll(() => {
  engines.close();
  removeDirectory(directory);
});

let count = 0;
function read(
  ending: string,
  bytes: string | Uint8Array,
  part: { sheet?: string; range?: string } = {},
): Promise<Content> {
  const path = join(directory, `file${++count}${ending}`);
  writeFileSync(path, bytes);
  const { dev, ino } = statSync(path, { bigint: true });
  const order = { path, device: String(dev), inode: String(ino), shown: `data${ending}`, ...part };
  return engines.tables.read(order, new Deadline(60_000));
}

async function table(ending: string, bytes: string | Uint8Array, part = {}) {
  const content = await read(ending, bytes, part);
  if (content.kind !== "table") throw new Error("no table");
  const { summary } = content.table;
  return {
    rows: recordsOf(content.table),
    types: Object.fromEntries(summary.columns.map(({ name, type }) => [name, type])),
    remarks: summary.remarks,
    summary,
  };
}

describe.concurrent("CSV", () => {
  it("has typed columns, with missing values as null", async ({ expect }) => {
    const { rows, types, summary } = await table(
      ".csv",
      'name,hours,rate,active,since,at,code\n"Smith, Ann",38,1.5,true,2024-01-31,08:30,007\nBob,,2,false,2025-12-01,9:15,12\n',
    );
    expect(types).toEqual({
      name: "text",
      hours: "int",
      rate: "decimal",
      active: "bool",
      since: "date",
      at: "time",
      code: "text",
    });
    expect(rows).toEqual([
      { name: "Smith, Ann", hours: 38, rate: 1.5, active: true, since: "2024-01-31", at: "08:30", code: "007" },
      { name: "Bob", hours: null, rate: 2, active: false, since: "2025-12-01", at: "9:15", code: "12" },
    ]);
    expect(summary.columns[1]).toMatchObject({ missing: 1, distinct: 1, least: 38, greatest: 38, examples: [38] });
  });

  it.each([
    [
      "semicolons with decimal commas",
      "x;y\n1,5;2\n2,25;3\n",
      [
        { x: 1.5, y: 2 },
        { x: 2.25, y: 3 },
      ],
    ],
    ["tabs", "x\ty\n1\t2\n", [{ x: 1, y: 2 }]],
    ["bars and Windows line ends", "x|y\r\n1|2\r\n\r\n", [{ x: 1, y: 2 }]],
    ["a mark of UTF-8", "\uFEFFx,y\n1,ü\n", [{ x: 1, y: "ü" }]],
    ["a quoted line break", 'x,y\n1,"a\nb"\n', [{ x: 1, y: "a\nb" }]],
  ])("is read with %s", async (_what, text, rows) => {
    expect((await table(".csv", text)).rows).toEqual(rows);
  });

  it("is read in UTF-16 and in Windows-1252, which is said", async ({ expect }) => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("x,y\n1,ü\n", "utf16le")]);
    expect((await table(".csv", utf16)).rows).toEqual([{ x: 1, y: "ü" }]);
    const { rows, remarks } = await table(".csv", Buffer.from("x,y\n1,M\xfcller\n", "latin1"));
    expect(rows).toEqual([{ x: 1, y: "Müller" }]);
    expect(remarks.join()).toContain("Windows-1252");
  });

  it("of two encodings is refused with the line", async ({ expect }) => {
    const bytes = Buffer.concat([Buffer.from("x,y\n1,Jürgen\n"), Buffer.from("2,M\xfcller\n", "latin1")]);
    await expect(read(".csv", bytes)).rejects.toMatchObject({
      code: "input_rejected",
      message: expect.stringContaining("line 3"),
    });
  });

  it("of one form of dates is read, and of several refused with the rows", async ({ expect }) => {
    expect((await table(".csv", "d\n31/1/2026\n2/3/2026\n")).rows).toEqual([{ d: "2026-01-31" }, { d: "2026-03-02" }]);
    expect((await table(".csv", "d\n1/31/2026\n")).rows).toEqual([{ d: "2026-01-31" }]);
    expect((await table(".csv", "d,n\n1.12.2026,a\n")).rows).toEqual([{ d: "2026-12-01", n: "a" }]);
    const unclear = await table(".csv", "d\n2/3/2026\n");
    expect(unclear.types).toEqual({ d: "text" });
    expect(unclear.remarks.join()).toContain("day or the month");
    await expect(read(".csv", "d,n\n2026-01-31,1\n31.1.2026,2\n1/31/2026,3\n")).rejects.toThrow(
      /row 1 has 2026-01-31, row 2 has 31\.1\.2026, row 3 has 1\/31\/2026/,
    );
    await expect(read(".csv", "d,n\n31/1/2026,1\n1/31/2026,2\n")).rejects.toThrow(/different forms/);
  });

  it("names what looks wrong", async ({ expect }) => {
    const { remarks, types, rows } = await table(
      ".csv",
      "job,start,end,duration,duration\na,3,5,2,x\nb,7,4,-3,y\nb,7,4,-3,y\nc,n/a,9,1,z\nd,1,2,1,z\ne,1,2,1,z\n",
    );
    expect(types).toMatchObject({ start: "mixed", duration: "int", duration_2: "text" });
    expect(rows[3]).toMatchObject({ start: "n/a" });
    for (const what of [
      "Two columns are called duration",
      'start has numbers and 1 other value: row 4 has "n/a"',
      "An earlier row is repeated in row 3",
      "duration is negative in rows 2, 3",
      "end is before start in rows 2, 3",
    ])
      expect(remarks.join("\n")).toContain(what);
  });

  it("without a header has numbered columns, and numbers of 16 digits stay text", async ({ expect }) => {
    const { rows, remarks } = await table(".csv", "1,2\n3,4\n");
    expect(rows).toEqual([
      { column_1: 1, column_2: 2 },
      { column_1: 3, column_2: 4 },
    ]);
    expect(remarks.join()).toContain("not a header");
    expect((await table(".csv", "id,n\n9007199254740993,1\n")).rows).toEqual([{ id: "9007199254740993", n: 1 }]);
  });

  it.each([
    ["without rows", "", /no rows/],
    ["with an open quotation mark", 'x,y\n1,"a\n', /not CSV/],
    ["that is no text", "x,y\n1,\0\n", /null bytes/],
  ])("%s is refused", async (_what, text, message) => {
    await expect(read(".csv", text)).rejects.toThrow(message);
  });

  it("of 50,000 rows is read whole", { timeout: 60_000 }, async ({ expect }) => {
    const lines = Array.from(
      { length: 50_000 },
      (_, i) => `p${i},${i % 97},${(i % 13) / 4},x${i % 11},2026-01-${String((i % 28) + 1).padStart(2, "0")}`,
    );
    const { rows, summary } = await table(".csv", `name,a,b,c,d\n${lines.join("\n")}\n`);
    expect(rows.length).toBe(50_000);
    expect(summary.columns[0]).toMatchObject({ type: "text", distinct: 50_000 });
    expect(rows[49_999]).toEqual({ name: "p49999", a: 44, b: 0.25, c: "x4", d: "2026-01-20" });
  });
});

describe.concurrent("XLSX", () => {
  const plan = {
    Plan: [
      ["name", "hours", "from"],
      ["Ann", 38, { date: 46_000 }],
      ["Bob", { formula: "B2/2", value: 19 }, { date: 46_001 }],
    ],
  } as const;

  it("has the values of its only sheet, dates and stored values of formulas", async ({ expect }) => {
    const { rows, types } = await table(".xlsx", workbook({ ...plan, Empty: [] }));
    expect(types).toEqual({ name: "text", hours: "int", from: "date" });
    expect(rows).toEqual([
      { name: "Ann", hours: 38, from: "2025-12-09" },
      { name: "Bob", hours: 19, from: "2025-12-10" },
    ]);
  });

  it("has several sheets only by name, and a range", async ({ expect }) => {
    const book = workbook({ ...plan, Other: [["title"], [null, "x", "y"], [null, 1, 2], [null, 3, 4]] });
    await expect(read(".xlsx", book)).rejects.toMatchObject({
      message: expect.stringContaining("several sheets"),
      remedy: expect.stringContaining("Plan, Other"),
    });
    await expect(read(".xlsx", book, { sheet: "Othr" })).rejects.toMatchObject({
      remedy: expect.stringContaining('did you mean "Other"'),
    });
    expect((await table(".xlsx", book, { sheet: "Other", range: "B2:C3" })).rows).toEqual([{ x: 1, y: 2 }]);
    await expect(read(".xlsx", book, { sheet: "Other", range: "B2" })).rejects.toThrow(/range/);
  });

  it.each([
    [
      "a formula without a value",
      workbook({ Plan: [["x"], [{ formula: "A1+1" }]] }),
      /Cell A2 of data\.xlsx has a formula without a value/,
    ],
    ["what is no workbook", "x,y\n1,2\n", /not a workbook/],
    ["a workbook that is cut", workbook(plan).slice(0, 900), /not a workbook|not a readable/],
    ["no value at all", workbook({ Plan: [] }), /no values/],
  ])("with %s is refused", async (_what, bytes, message) => {
    await expect(read(".xlsx", bytes)).rejects.toThrow(message);
  });
});

describe.concurrent("other files", () => {
  it("of JSON have its value, or the place of the error", async ({ expect }) => {
    expect(await read(".json", '{"n": [1, 2]}')).toEqual({ kind: "json", value: { n: [1, 2] } });
    await expect(read(".json", "{n: 1}")).rejects.toThrow(/data\.json is not JSON/);
  });

  it("are texts", async ({ expect }) => {
    expect(await read(".dzn", "n = 3;\n")).toEqual({ kind: "text", text: "n = 3;\n" });
  });

  it("that were exchanged after they were found are refused", async ({ expect }) => {
    const path = join(directory, "exchanged.csv");
    writeFileSync(path, "x\n1\n");
    const { dev } = statSync(path, { bigint: true });
    const order = { path, device: String(dev), inode: "1", shown: "exchanged.csv" };
    await expect(engines.tables.read(order, new Deadline(30_000))).rejects.toThrow(/changed/);
  });
});
