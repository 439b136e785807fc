import { describe, expect, it } from "vitest";
import { gridLines } from "../../src/viewer/drawings/lines.ts";
import { figuresOf } from "../../src/viewer/figures/index.ts";
import { type IndexNames, tablesOf } from "../../src/viewer/figures/tables.ts";
import { reportHtml } from "../../src/viewer/report.ts";
import type { View } from "../../src/viewer/view.ts";

const people = ["Anna", "Ben", "Carl"];
const days = ["2026-12-01", "2026-12-02", "2026-12-03"];
const shifts = ["E", "L", "N"];

const lines = (values: Record<string, unknown>, names: IndexNames = {}) => tablesOf(values, names).flatMap(gridLines);

const roster = (name: (person: string, day: string, shift: string) => string) =>
  Object.fromEntries(
    people.flatMap((p, i) =>
      days.flatMap((d, j) => shifts.map((s, k) => [name(p, d, s), (i + j + k) % 4 === 0 ? 1 : 0])),
    ),
  );

const drawn = ["  2026-12-…  01  02  03", "  Anna       E   .   N", "  Ben        .   N   L", "  Carl       N   L   E"];

describe("values with indices", () => {
  it.each([
    ["*_*_*", (p: string, d: string, s: string) => `${p}_${d}_${s}`],
    ["shift_*_*_*", (p: string, d: string, s: string) => `shift_${p}_${d}_${s}`],
    ["x[*,*,*]", (p: string, d: string, s: string) => `x[${p},${d},${s}]`],
    ["x[*][*][*]", (p: string, d: string, s: string) => `x['${p}']['${d}']['${s}']`.replaceAll("'", "")],
    ["works(*, *, *)", (p: string, d: string, s: string) => `works(${p}, ${d}, ${s})`],
  ])("are one table by names such as %s", (title, name) => {
    expect(lines(roster(name))).toEqual([`${title}:`, ...drawn]);
  });

  it("are the same table as an array with the names of its indices", () => {
    const x = people.map((_, i) => days.map((_, j) => shifts.map((_, k) => ((i + j + k) % 4 === 0 ? 1 : 0))));
    expect(lines({ x }, { x: [people, days, shifts] })).toEqual(["x:", ...drawn]);
    expect(lines({ x })).toEqual([]);
  });

  it("leave names of another meaning alone", () => {
    const values = { min_total_hours: 12, cost: 3, ...roster((p, d, s) => `${p}_${d}_${s}`) };
    expect(lines(values)).toEqual(["*_*_*:", ...drawn]);
    expect(tablesOf(values)[0]?.uses).not.toContain("min_total_hours");
    expect(lines({ start_a: 1, end_b: 2, total_cost: 3, x_1: 4, x_2: 5, n: 6, o_2_p: 7 })).toEqual([]);
  });

  it("have a table for each first index if they are numbers", () => {
    const numbers = (name: string, factor: number) =>
      [1, 2, 10].flatMap((i) => [1, 2].map((j) => [`${name}_${i}_${j}`, i * j * factor]));
    expect(lines(Object.fromEntries([...numbers("start", 1), ...numbers("len", 3)]))).toEqual([
      ...["start_*_*:", "      1   2", "  1   1   2", "  2   2   4", "  10  10  20"],
      ...["len_*_*:", "      1   2", "  1   3   6", "  2   6   12", "  10  30  60"],
    ]);
  });

  it("are one line with the name of each, of which those that are 0 are left out", () => {
    expect(
      lines({ bake: [0, 3, 2], w: [0, 1, 0], t: [0, 0, 0] }, { bake: [people], w: [people], t: [people] }),
    ).toEqual(["bake: Anna = 0, Ben = 3, Carl = 2", "w: Ben = 1, the others 0", "t: all 0"]);
    const others = { b: [false, true, false], o: [3, null, 0], s: ["E", ".", ""] };
    expect(lines(others, { b: [people], o: [people], s: [people] })).toEqual([
      "b: Ben = true, the others false",
      "o: Anna = 3, Ben = null, Carl = 0",
      "s: Anna = E, Ben = ., Carl = ",
    ]);
  });

  it("are a table of rows of the same length, and of objects", () => {
    expect(lines({ plan: { Anna: "E L . N", Ben: ". . L E" }, codes: { a: "LL.N", b: "..LE" } })).toEqual([
      ...["plan:", "  Anna  E  L  .  N", "  Ben   .  .  L  E"],
      ...["codes:", "  a  L  L  .  N", "  b  .  .  L  E"],
    ]);
    expect(lines({ n: { a: { x: 1, y: 0 }, b: { x: 0, y: 0 } }, who: { a: "early", b: "night" } })).toEqual([
      ...["n:", "     x  y", "  a  1  .", "  b  .  ."],
    ]);
  });

  it("are texts that stay whole", () => {
    expect(lines({ plan: { Ada: "Mon 16:00", Ben: "Tue 17:00" }, room: { Ada: "R1", Ben: "R2" } })).toEqual([]);
    expect(lines({ name: { a: "J R R Tolkien", b: "C S L Lewis" } })).toEqual([]);
  });

  it("are a table with empty cells if nested objects have few of them, and a list if very few", () => {
    const slots = { Ada: { T1: { Mon: 1, Tue: 0 } }, Ben: { T2: { Mon: 0, Tue: 1 } }, Cy: { T3: { Mon: 1, Tue: 1 } } };
    expect(lines({ slots })).toEqual([
      ...["slots:", "       T1   T2   T3", "  Ada  Mon  .    .", "  Ben  .    Tue  .", "  Cy   .    .    Mon, Tue"],
    ]);
    const pairs = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`s${i}`, { [`t${i}`]: i }]));
    expect(lines({ pairs })).toHaveLength(21);
    expect(lines({ pairs })).toEqual(expect.arrayContaining(["pairs:", "  s0   t0   0", "  s19  t19  19"]));
    expect(tablesOf({ pairs })[0]?.places?.[3]).toEqual([undefined, ["pairs", "s3", "t3"]]);
    const cells = Array.from({ length: 200_000 }, (_, i) => [i]);
    const row_labels = cells.map(() => "a");
    const many = gridLines({ kind: "grid", look: "plain", title: "many", uses: [], cells, row_labels });
    expect(many).toHaveLength(200_001);
  });

  it("are left as they are if names are hostile or do not fit", () => {
    expect(lines({ x: [1, 2] }, { x: [["a"]] })).toEqual([]);
    expect(
      lines(
        { x: [[1, 2], [3]] },
        {
          x: [
            ["a", "b"],
            ["c", "d"],
          ],
        },
      ),
    ).toEqual([]);
    const deep = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${"a_".repeat(500)}${i}`, 1]));
    expect(lines(deep)).toEqual([]);
    const chain = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`a${i}_a${i + 1}`, 1]));
    expect(lines(chain)).toEqual([]);
    const pairs = Array.from({ length: 4_000 }, (_, i) => [0, 1].map((j) => [`a${i}_b${i + j}`, i]));
    expect(lines(Object.fromEntries(pairs.flat()))).toEqual([]);
  });
});

describe("the page of values with indices", () => {
  const page = (values: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    reportHtml({ title: "", sources: [], answer: { status: "sat", values, ...more } });

  it("is one table with the names of rows and columns", () => {
    const text = page(roster((p, d, s) => `${p}_${d}_${s}`));
    expect(text.match(/<tr>/g)).toHaveLength(4);
    expect(text).toContain('<td class="corner">2026-12-…</td><th scope="col"><bdi>01</bdi></th>');
    expect(text).toContain('<th scope="row"><bdi>Anna</bdi></th><td class="c0"><bdi>E</bdi></td><td><bdi></bdi></td>');
    expect(text).not.toContain('<table class="values">');
  });

  it("has the names of an enum above its list, and beside the bars and tasks", () => {
    const index_names = { bake: [["Rye", "Spelt", "Rolls", "Cake"]] };
    expect(page({ bake: [0, 1, 1, 0] }, { index_names })).toMatch(
      /<bdi>Rye<\/bdi>.*<bdi>Spelt<\/bdi>.*<bdi>Cake<\/bdi>/,
    );
    const { figures } = figuresOf({ bake: [0.5, 1.5, 2, 3] }, {}, undefined, index_names);
    expect(figures[0]).toMatchObject({ kind: "bars", bars: [{ label: "Rye" }, {}, {}, { label: "Cake" }] });
    const view: View = { kind: "gantt", start: "bake", duration: [1, 1, 1, 1] };
    const gantt = figuresOf({ bake: [0, 1, 2, 3] }, {}, view, index_names).figures;
    expect(gantt[0]).toMatchObject({ kind: "gantt", tasks: [{ label: "Rye" }, {}, {}, { label: "Cake" }] });
  });

  it("folds what is 0 or false of many single values", () => {
    const many = Object.fromEntries(Array.from({ length: 1_200 }, (_, i) => [`use${i}`, i === 7 ? 1 : 0]));
    const [first = "", folded = ""] = page(many).split("<summary>All 1200</summary>");
    expect(first.match(/<tr>/g)).toHaveLength(1);
    expect(folded).toContain("<bdi>use8</bdi>");
  });

  it("shows an object of single values as a list", () => {
    expect(page({ hours: { Anna: 8, Ben: 7 } })).toContain('<th scope="row"><bdi>Ben</bdi></th><td><bdi>7</bdi></td>');
  });
});

describe("the head and the foot of a page", () => {
  const page = (answer: Record<string, unknown>) => reportHtml({ title: "", sources: [], answer });

  it("distinguishes an optimum from a solution that can be a counterexample", () => {
    expect(page({ status: "sat", optimal: true })).toContain('<p class="verdict good">sat, optimal</p>');
    expect(page({ status: "sat", optimal: false })).toContain('<p class="verdict sat">sat</p>');
    expect(page({ status: "verified" })).toContain('<p class="verdict good">verified</p>');
  });

  it("names the engines that confirmed the answer", () => {
    expect(page({ status: "sat", engine: "z3", confirmed_by: ["cvc5", "bitwuzla"] })).toContain(
      "Decided by z3. Confirmed by cvc5, bitwuzla.",
    );
    expect(page({ status: "sat", model: { x: "7", "(* x 2)": "14" } })).toContain("<bdi>(* x 2)</bdi>");
  });
});
