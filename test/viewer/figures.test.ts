import { describe, expect, it } from "vitest";
import type { Figure } from "../../src/viewer/figures/figure.ts";
import { figuresOf } from "../../src/viewer/figures/index.ts";
import { View } from "../../src/viewer/view.ts";

const guess = (values: Record<string, unknown>, data: Record<string, unknown> = {}) =>
  figuresOf(values, data, undefined).figures;
const viewed = (view: unknown, values: Record<string, unknown>, data: Record<string, unknown> = {}) =>
  figuresOf(values, data, View.parse(view));

function graphIn(figures: readonly Figure[]) {
  const [graph] = figures.filter((each) => each.kind === "graph");
  if (graph?.kind !== "graph") throw new Error("no graph");
  const name = (i: number) => graph.vertices[i]?.label;
  return { ...graph, pairs: graph.edges.map(({ from, to }) => `${name(from)}-${name(to)}`) };
}

describe("a guess of what values mean", () => {
  it("takes successors for a route, counted from 1 or from 0, by the names of places and with their coordinates", () => {
    const from_1 = graphIn(guess({ successor: [3, 1, 2] }, { x: [0, 1, 2], y: [5, 5, 5], cities: ["A", "B", "C"] }));
    expect(from_1).toMatchObject({ guessed_by: "name", is_directed: true });
    expect(from_1.pairs).toEqual(["A-C", "C-B", "B-A"]);
    expect(from_1.vertices[2]).toEqual({ label: "C", at: { x: 2, y: 5 } });
    expect(graphIn(guess({ next: [2, 0, 1] })).pairs).toEqual(["0-2", "2-1", "1-0"]);
  });

  it("leaves out places that follow themselves, and colours each cycle", () => {
    const { pairs, edges } = graphIn(guess({ succ: [2, 1, 3, 5, 4] }));
    expect(pairs).toEqual(["1-2", "2-1", "4-5", "5-4"]);
    expect(edges.map(({ route }) => route)).toEqual([0, 0, 1, 1]);
  });

  it("takes a tour as closed, a path as open, and several routes from one depot", () => {
    expect(graphIn(guess({ tour: ["a", "b", "c"] })).pairs).toEqual(["a-b", "b-c", "c-a"]);
    expect(graphIn(guess({ path: [2, 1, 3] })).pairs).toEqual(["2-1", "1-3"]);
    const points = [
      [0, 0],
      [1, 0],
      [0, 1],
    ];
    const routes = graphIn(
      guess(
        {
          routes: [
            [0, 1, 0],
            [0, 2, 0],
          ],
        },
        { points },
      ),
    );
    expect(routes.pairs).toEqual(["0-1", "1-0", "0-2", "2-0"]);
    expect(routes.vertices.every(({ at }) => at)).toBe(true);
  });

  it("takes pairs for edges, once where they have no direction, with colours by index, by pairs or by name", () => {
    const edges = [
      [1, 2],
      [2, 1],
      [2, 3],
    ];
    const by_index = graphIn(guess({ color: [7, 8, 7] }, { edges }));
    expect(by_index.pairs).toEqual(["1-2", "2-3"]);
    expect(by_index.vertices.map(({ colour }) => colour)).toEqual([7, 8, 7]);
    const named = [["wa", "nt"]];
    const by_pair = graphIn(
      guess({
        edge: named,
        color: [
          ["nt", "red"],
          ["wa", "blue"],
        ],
      }),
    );
    const by_name = graphIn(guess({ edge: named, color: { nt: "red", wa: "blue" } }));
    for (const { vertices } of [by_pair, by_name])
      expect(vertices).toEqual([
        { label: "wa", colour: "blue" },
        { label: "nt", colour: "red" },
      ]);
  });

  it("knows the edges that were chosen", () => {
    const { edges } = graphIn(guess({ chosen: [true, false] }, { from: [1, 2], to: [2, 3] }));
    expect(edges.map(({ is_faint }) => is_faint)).toEqual([false, true]);
  });

  it("draws schedules with their machines, operations of jobs, boards, and numbers as bars", () => {
    const [machines] = guess({ start: [0, 2], end: [2, 4] }, { machine: [2, 1], names: ["a", "b"] });
    expect(machines).toMatchObject({
      tasks: [
        { label: "a", row: "machine 2" },
        { label: "b", row: "machine 1" },
      ],
    });
    const [jobs] = guess(
      {
        s: [
          [0, 3],
          [1, 4],
        ],
      },
      {
        d: [
          [3, 1],
          [2, 2],
        ],
      },
    );
    expect(jobs).toMatchObject({
      tasks: [{ label: "1.1", row: "job 1", end: 3 }, {}, { label: "2.1", row: "job 2" }, {}],
    });
    expect(guess({ queens: [2, 4, 1, 3] })).toMatchObject([{ kind: "grid", look: "queens" }]);
    expect(guess({ share: [0.5, 0.25, 0.125] })).toMatchObject([{ kind: "bars", guessed_by: "shape" }]);
  });

  it.each([
    [
      "the data alone",
      { total: 3 },
      {
        edges: [
          [1, 2],
          [2, 3],
        ],
      },
    ],
    ["successors that are not a permutation", { successor: [1, 1, 2] }, {}],
    ["few numbers", { on: [1, 2, 1] }, {}],
    ["nothing", {}, { start: [1, 2], duration: [1, 2] }],
  ])("draws nothing of %s", (_, values, data) => expect(guess(values, data)).toEqual([]));
});

describe("a view", () => {
  it("says what is what, by names, fields and lists", () => {
    const tasks = [
      { at: 1, who: "Ann" },
      { at: 4, who: "Bob" },
    ];
    const view = {
      kind: "gantt",
      start: "tasks.at",
      duration: [3, 2],
      rows: "tasks.who",
      labels: ["a", "b"],
      title: "T",
    };
    expect(viewed(view, { tasks }).figures).toEqual([
      {
        ...{ kind: "gantt", title: "T", uses: ["tasks.at", "tasks.who"], notes: [] },
        tasks: [
          { label: "a", row: "Ann", start: 1, end: 4 },
          { label: "b", row: "Bob", start: 4, end: 6 },
        ],
      },
    ]);
  });

  it("cuts a list into the rows of a grid, or shows it as a board", () => {
    expect(viewed({ kind: "grid", cells: "c", width: 2 }, { c: [1, 2, 3, 4] }).figures).toMatchObject([
      {
        cells: [
          [1, 2],
          [3, 4],
        ],
      },
    ]);
    expect(viewed({ kind: "grid", cells: "c" }, { c: [1, 0] }).figures).toMatchObject([{ look: "queens" }]);
  });

  it("leaves out numbers that are none, and says so", () => {
    const { figures } = viewed({ kind: "bars", values: "v" }, { v: [1, "NaN", "1/2", null, "Infinity"] });
    expect(figures).toMatchObject([
      {
        bars: [{ value: 1 }, { value: 0.5 }],
        notes: ["3 values are not finite numbers and are not drawn."],
      },
    ]);
  });

  it("makes a table of columns", () => {
    expect(
      viewed({ kind: "table", columns: ["who", "day"] }, { who: ["Ann", "Bob"], day: [1, 2] }).figures,
    ).toMatchObject([
      {
        columns: ["who", "day"],
        rows: [
          ["Ann", 1],
          ["Bob", 2],
        ],
      },
    ]);
  });

  it.each([
    [
      { kind: "gantt", start: "st", end: "e" },
      'start names "st", which the answer does not have; it has: s, e, c. For a computed list or the names of an enum, put the values into the view',
    ],
    [{ kind: "gantt", start: "s", end: [1] }, "start has 2 numbers, but end has 1"],
    [{ kind: "gantt", start: "e", end: "s" }, "some tasks end before they start"],
    [{ kind: "route", next: "s" }, "next[2] is 3, but there are 2 places"],
    [{ kind: "graph", edges: "s" }, "edges is not a list of pairs [from, to]"],
    [{ kind: "bars", values: "c" }, "values is not a list of single values"],
    [{ kind: "table", columns: ["s", "c"] }, "the columns have different lengths: 2, 1"],
  ])("that does not fit is told, and the answer is drawn as it would be without: %j", (view, unfit) => {
    const drawing = viewed(view, { s: [1, 3], e: [2, 4], c: 5 });
    expect(drawing.unfit).toBe(unfit);
    expect(drawing.figures).toMatchObject([{ kind: "gantt", guessed_by: "name" }]);
  });

  it.each([
    [{ kind: "pie" }, "view.kind must be one of: gantt, grid, route, graph, bars, table."],
    [{ kind: "gantt", start: "s" }, "view of kind gantt needs duration or end in addition to start."],
    [{ kind: "route" }, "view of kind route needs next"],
    [{ kind: "graph" }, "view of kind graph needs edges (pairs), or from and to."],
    [{ kind: "bars", values: 3 }, "must be the name of a value, or a list."],
  ])("that means nothing is refused: %j", (view, why) => {
    expect(View.safeParse(view).error?.message).toContain(why);
  });
});
