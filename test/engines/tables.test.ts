import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { Tables } from "../../src/engines/tables/index.ts";
import { type Content, recordsOf } from "../../src/engines/tables/table.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Children } from "../../src/kernel/process/child.ts";
import { Slots } from "../../src/kernel/process/slots.ts";
import { scratchDirectory } from "../support/directories.ts";
import { workbook } from "../support/workbook.ts";

/** Files of data, as people have them: read in a process of their own, with types that are stated. */

const directory = scratchDirectory();
const engines = new Engines(readConfig({}));
afterAll(() => engines.close());

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

/** A workbook whose sheet unpacks to a number of bytes. */
function bomb(bytes = 400_000_000): Uint8Array {
  const files = unzipSync(workbook({ Plan: [["x"], [1]] }));
  return zipSync({ ...files, "xl/worksheets/sheet1.xml": new Uint8Array(bytes).fill(32) });
}

/** An archive that says another size of its parts, or another place of its directory. */
function withSizes(archive: Uint8Array, from: number | "directory", to: number): Uint8Array {
  const lying = Buffer.from(archive);
  const end = lying.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  if (from === "directory") lying.writeUInt32LE(to, end + 16);
  else
    for (let i = 0; i < end; i++)
      if (lying.readUInt32LE(i) === from && lying.subarray(0, i).lastIndexOf("PK") >= i - 30)
        lying.writeUInt32LE(to, i);
  return lying;
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
      "Equal rows: row 3 repeats row 2.",
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

  it("with commas that can separate thousands has texts, and a decimal comma where it is clear", async ({ expect }) => {
    const prices = await table(".csv", 'n,p\na,"1,234"\nb,"2,500"\nc,950\n');
    expect(prices.rows.map(({ p }) => p)).toEqual(["1,234", "2,500", "950"]);
    expect(prices.remarks.join()).toContain("a thousands separator");
    expect((await table(".csv", "n;p\na;1,234\nb;2,5\n")).rows.map(({ p }) => p)).toEqual([1.234, 2.5]);
  });

  it("keeps the order of columns whose names are numbers", async ({ expect }) => {
    const { rows, remarks } = await table(".csv", "from,2,1\nA,5,6\n");
    expect(Object.entries(rows[0] ?? {})).toEqual([
      ["from", "A"],
      ["_2", 5],
      ["_1", 6],
    ]);
    expect(remarks.join()).toContain("here they are prefixed with _");
  });

  it.each([
    ["a tab in .tsv before commas", ".tsv", "a, b\tn\nx\t1\n", [{ "a, b": "x", n: 1 }]],
    ["a line that names the separator", ".csv", "sep=;\r\na,b;n\r\nx;1\r\n", [{ "a,b": "x", n: 1 }]],
    ["separators in quotation marks", ".csv", '"a;b;c",n\nx,1\n', [{ "a;b;c": "x", n: 1 }]],
    ["inches", ".csv", 'part,n\n5" pipe,1\n', [{ part: '5" pipe', n: 1 }]],
    ["the signs of Windows-1252", ".csv", Buffer.from("x\n\x80 \x84a\x93\n", "latin1"), [{ x: "€ „a“" }]],
    [
      "numbers beyond any",
      ".csv",
      "x,n\n1e400,1\n12345678901234567.5,1\n",
      [
        { x: "1e400", n: 1 },
        { x: "12345678901234567.5", n: 1 },
      ],
    ],
  ])("is read right with %s", async (_what, ending, bytes, rows) => {
    expect((await table(ending, bytes)).rows).toEqual(rows);
  });

  it.each([
    ["without rows", "", /no rows/],
    ["of too many columns", `${"x,".repeat(20_000)}x\n`, /20001 columns/],
    ["with text after a quoted cell", 'x,y\n"a"b,5" c\n', /not CSV/],
    ["with an open quotation mark", 'x,y\n1,"a\n', /not CSV/],
    ["that is not text", "x,y\n1,\0\n", /null bytes/],
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
      remedy: expect.stringContaining('write "Other" if you meant that'),
    });
    expect((await table(".xlsx", book, { sheet: "Other", range: "B2:C3" })).rows).toEqual([{ x: 1, y: 2 }]);
    await expect(read(".xlsx", book, { sheet: "Other", range: "B2" })).rejects.toThrow(/range/);
  });

  it("has times of day, durations, and seconds, without an error of rounding", async ({ expect }) => {
    const dates = [45_000 + 8.5 / 24, 45_000 + (8 * 3_600 + 15) / 86_400, 11.5 / 24, 0, 31.5 / 24];
    const book = workbook({ Plan: [["at"], ...dates.map((date) => [{ date }])] });
    expect((await table(".xlsx", book)).rows.map(({ at }) => at)).toEqual([
      "2023-03-15T08:30",
      "2023-03-15T08:00:15",
      "11:30",
      "00:00",
      "31:30",
    ]);
  });

  it("of the epoch of 1904, with errors, texts in CDATA and charts is read right", async ({ expect }) => {
    const files = unzipSync(
      workbook({
        Plan: [
          ["x", "d", "n"],
          [1, { date: 42_735 }, "no"],
          [2, { date: 42_736 }, "no"],
        ],
      }),
    );
    const edit = (part: string, from: string, to: string) => {
      const text = strFromU8(files[part] ?? new Uint8Array());
      expect(text).toContain(from);
      files[part] = strToU8(text.replace(from, to));
    };
    const sheet = "xl/worksheets/sheet1.xml";
    edit(
      "xl/workbook.xml",
      "<sheets>",
      '<workbookPr date1904="true"/><sheets><sheet name="Chart" sheetId="9" r:id="rId80"/>',
    );
    edit(
      "xl/_rels/workbook.xml.rels",
      "<Relationship ",
      '<Relationship Id="rId80" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/chartsheet" Target="chartsheets/sheet1.xml"/><Relationship ',
    );
    files["xl/chartsheets/sheet1.xml"] = strToU8("<chartsheet/>");
    edit(sheet, '<c r="A2"><v>1</v></c>', '<c r="A2" t="e"><v>#DIV/0!</v></c>');
    edit(sheet, '<c r="C3" t="s"><v>4</v></c>', '<c r="C3" t="inlineStr"><f>C2</f><is><t><![CDATA[a<b]]></t></is></c>');
    const { rows, types } = await table(".xlsx", zipSync(files));
    expect(rows).toEqual([
      { x: "#DIV/0!", d: "2021-01-01", n: "no" },
      { x: "2", d: "2021-01-02", n: "a<b" },
    ]);
    expect(types).toEqual({ x: "text", d: "date", n: "text" });
  });

  it.each([
    [
      "a formula without a value",
      workbook({ Plan: [["x"], [{ formula: "A1+1" }]] }),
      /Cell A2 of data\.xlsx has a formula without a value/,
    ],
    ["what is not a workbook", "x,y\n1,2\n", /not an XLSX workbook|not a workbook/],
    ["a workbook that is cut", workbook(plan).slice(0, 900), /not an XLSX workbook|not a readable/],
    ["no value at all", workbook({ Plan: [] }), /no values/],
    ["400 MB when it is unpacked", bomb(), /too large: it unpacks to 401 MB; a workbook can have at most 80 MB/],
    ["a directory that hides 400 MB", withSizes(bomb(), 400_000_000, 1_000), /not an XLSX workbook|not a workbook/],
    [
      "a directory that hides 80 MB",
      withSizes(bomb(80_000_000), 80_000_000, 1_000),
      /not an XLSX workbook|not a workbook/,
    ],
    ["a directory with too large sizes", withSizes(bomb(1_000), 1_000, 5_000), /not an XLSX workbook|not a workbook/],
    ["sizes in another place", withSizes(bomb(1_000), 1_000, 0xffffffff), /not an XLSX workbook|not a workbook/],
    [
      "a directory outside of the file",
      withSizes(bomb(1_000), "directory", 0x7fffffff),
      /not an XLSX workbook|not a workbook/,
    ],
  ])("with %s is refused", async (_what, bytes, message) => {
    await expect(read(".xlsx", bytes)).rejects.toThrow(message);
  });
});

describe.concurrent("other files", () => {
  it("of JSON have its value, or the place of the error", async ({ expect }) => {
    expect(await read(".json", '{"n": [1, 2]}')).toEqual({ kind: "json", value: { n: [1, 2] } });
    await expect(read(".json", "{n: 1}")).rejects.toThrow(/data\.json is not JSON/);
    expect(await read(".json", '["9007199254740993 1e400 \\" 9007199254740993"]')).toMatchObject({ kind: "json" });
    await expect(read(".json", "[1, 9007199254740993]")).rejects.toThrow(/9007199254740993, which is too large/);
    await expect(read(".json", '{"x": 1e400}')).rejects.toThrow(/1e400, which is too large/);
    await expect(read(".json", "[".repeat(50_000) + "]".repeat(50_000))).rejects.toThrow(/levels deep/);
  });

  it("have no sheet and no range", async ({ expect }) => {
    await expect(read(".csv", "x\n1\n2\n", { range: "A1:A2" })).rejects.toThrow(/no sheet and no range/);
  });

  it("are texts", async ({ expect }) => {
    expect(await read(".dzn", "n = 3;\n")).toEqual({ kind: "text", text: "n = 3;\n" });
  });

  it("wait for the slot of a solver", async ({ expect }) => {
    const slots = new Slots(1, 10);
    const settings = readConfig({});
    const children = new Children(settings.child_environment, settings.child_directory);
    const tables = new Tables({ config: settings, children, slots });
    const path = join(directory, "waiting.csv");
    writeFileSync(path, "x\n1\n");
    const { dev, ino } = statSync(path, { bigint: true });
    const order = { path, device: String(dev), inode: String(ino), shown: "waiting.csv" };
    const release = await slots.take(new Deadline(1_000));
    await expect(tables.read(order, new Deadline(100))).rejects.toMatchObject({ code: "busy" });
    if (release !== "expired") release();
    expect(await tables.read(order, new Deadline(60_000))).toMatchObject({ kind: "table" });
    children.stopAll();
  });

  it("that were exchanged after they were found are refused", async ({ expect }) => {
    const path = join(directory, "exchanged.csv");
    writeFileSync(path, "x\n1\n");
    const { dev } = statSync(path, { bigint: true });
    const order = { path, device: String(dev), inode: "1", shown: "exchanged.csv" };
    await expect(engines.tables.read(order, new Deadline(30_000))).rejects.toThrow(/changed/);
  });
});
