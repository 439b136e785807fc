import { expect, it } from "vitest";
import { calendarOf } from "../../src/viewer/calendar.ts";
import { tablesOf } from "../../src/viewer/figures/tables.ts";
import { savedAs } from "../../src/viewer/saved.ts";

/** Values as a calendar (RFC 5545), and as a page. */

const now = new Date("2026-11-29T12:00:00Z");
const calendar = (values: Record<string, unknown>, index_names = {}) =>
  calendarOf(values, tablesOf(values, index_names), now);
/** The lines as a reader of calendars joins them. */
const lines = (text = "") => text.replaceAll("\r\n ", "").split("\r\n");
const of = (name: string, text?: string) =>
  lines(text).flatMap((line) => (line.startsWith(name) ? [line.slice(name.length + 1)] : []));

it("rows with a beginning and an end are events at these local times", () => {
  const plan = [
    { task: "Cut; glue, \\ and\npaint", begins: "2026-12-01T08:30", ends: "2026-12-01 16:00:30", cost: 3 },
    { task: "Dry", begins: "2026-12-31", ends: "2027-01-01" },
    { task: "Odd", begins: "2026-12-02", ends: "2026-12-01" },
  ];
  const text = calendar({ plan, total: 7 });
  expect(of("DTSTART", text)).toEqual(["20261201T083000", "VALUE=DATE:20261231", "VALUE=DATE:20261202"]);
  expect(of("DTEND", text)).toEqual(["20261201T160030", "VALUE=DATE:20270102", "VALUE=DATE:20261203"]);
  expect(of("SUMMARY", text)).toEqual(["Cut\\; glue\\, \\\\ and\\npaint\\, cost 3", "Dry", "Odd\\, ends 2026-12-01"]);
  expect(lines(text).slice(0, 3)).toEqual(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Verdict//Verdict//EN"]);
  expect(text?.endsWith("END:VCALENDAR\r\n")).toBe(true);
  expect(of("DTSTAMP", text)).toEqual(Array(3).fill("20261129T120000Z"));
});

it.each([
  ["a beginning before what is due", { due_date: "2026-12-09", date: "2026-12-08", start: "2026-12-01" }, "2026-12-01"],
  ["a day before any date", { date: "2026-12-08", day: "2026-12-02" }, "2026-12-02"],
  ["a date before what is due", { due_date: "2026-12-09", date: "2026-12-03" }, "2026-12-03"],
  ["what is due, if that is all", { due_date: "2026-12-09" }, "2026-12-09"],
])("an event is at %s", (_, row, day) => {
  expect(of("DTSTART", calendar({ plan: [row] }))).toEqual([`VALUE=DATE:${day.replaceAll("-", "")}`]);
});

it("a day as the end of something with a time lasts to its end", () => {
  const ends = (end: string) => calendar({ plan: [{ a: "x", start: "2026-12-31T22:00", end }] });
  expect(of("DTEND", ends("2026-12-31"))).toEqual(["20270101T000000"]);
  expect([of("DTEND", ends("2026-12-30")), of("SUMMARY", ends("2026-12-30"))]).toEqual([[], ["x\\, end 2026-12-30"]]);
});

it("a summary has the values 0 and false, and nothing of empty ones", () => {
  const row = { worker: 0, late: false, note: "", on: null, start: "2026-12-01" };
  expect(of("SUMMARY", calendar({ plan: [row] }))).toEqual(["worker 0\\, late false"]);
});

it("a table whose columns or rows are dates has an event for each value that is not 0", () => {
  const shift = [
    [1, 0],
    [0, 1],
  ];
  const days = ["2026-12-01", "2026-12-02"];
  const names = ["Anna", "Ben"];
  const by_column = calendar({ shift }, { shift: [names, days] });
  expect(of("SUMMARY", by_column)).toEqual(["Anna", "Ben"]);
  expect(of("DTSTART", by_column)).toEqual(["VALUE=DATE:20261201", "VALUE=DATE:20261202"]);
  expect(of("SUMMARY", calendar({ shift }, { shift: [days, names] }))).toEqual(["Anna", "Ben"]);
  const duty = { Anna: { "2026-12-01": "late", "2026-12-02": "-" }, Ben: { "2026-12-01": "", "2026-12-02": "early" } };
  expect(of("SUMMARY", calendar({ duty }))).toEqual(["Anna: late", "Ben: early"]);
});

it("names of events are the same each time, and different from each other", () => {
  const rows = [1, 1, 2].map((n) => ({ n, day: "2026-12-01" }));
  const names = of("UID", calendar({ rows }));
  expect(new Set(names).size).toBe(3);
  expect(of("UID", calendarOf({ rows }, [], new Date()))).toEqual(names);
  for (const tasks of [
    ["A", "A", "A-2"],
    ["A-2", "A", "A"],
    ["A", "A-2", "A", "A-2", "A"],
  ]) {
    const uids = of("UID", calendar({ plan: tasks.map((task) => ({ task, day: "2026-12-01" })) }));
    expect(new Set(uids).size).toBe(tasks.length);
  }
});

it("no line has more than 75 bytes, and no sign is cut", () => {
  const what = "Später Dienst 夜勤 🌙 ".repeat(20).trim();
  const text = calendar({ plan: [{ what, start: "2026-12-01" }] }) ?? "";
  expect(text.split("\r\n").every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
  expect(of("SUMMARY", text)).toEqual([what]);
});

it.each([
  ["numbers", { x: [1, 2] }],
  ["what only looks like a date", { plan: [{ what: "a", start: "2026-13-40" }] }],
  ["a date that is not a beginning", { plan: [{ what: "a", birthday_of: "2026-12-01" }] }],
])("%s are not a calendar", async (_, values) => {
  expect(calendar(values)).toBeUndefined();
  expect(await savedAs(".ics", values)).toBeUndefined();
});

it("no text of a model leaves its line", () => {
  const text = calendar({ plan: [{ what: "a\r\nATTACH:file:///etc/passwd\u0000", start: "2026-12-01" }] });
  expect(of("ATTACH", text)).toEqual([]);
  expect(of("SUMMARY", text)).toEqual(["a\\nATTACH:file:///etc/passwd"]);
});

it("a page has the tables with names, and no script", async () => {
  const values = {
    shift: [
      [1, 0],
      [0, 1],
    ],
    "<script>alert(1)</script>": "<b>",
  };
  const page = await savedAs(".html", values, {
    shift: [
      ["Anna", "Ben"],
      ["Mon", "Tue"],
    ],
  });
  expect(page).toContain("Anna");
  expect(page).toContain("Tue");
  expect(page).toContain("&lt;script&gt;");
  expect(page).not.toMatch(/<script|<b>|https?:\/\//);
});
