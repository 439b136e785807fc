import { describe, expect, it } from "vitest";
import { reportHtml } from "../../src/viewer/report.ts";

const page = (answer: Record<string, unknown>, sources: { name: string; text: string }[] = []) =>
  reportHtml({ title: "plan", sources, answer: { status: "sat", message: "", ...answer } });
const kept = (...changes: { at: string; old: unknown; new: unknown }[]) => ({
  keep: { number: changes.length, changes, least: true },
});
/** The texts of the cells that are marked as changed. */
const moved = (text: string) =>
  [...text.matchAll(/<td class="[^"]*moved"[^>]*>(.*?)<\/td>/g)].map(([, cell = ""]) =>
    cell.replaceAll(/<[^>]+>/g, ""),
  );

describe("a plan that was kept", () => {
  it("shows old and new in the cells of tables with names, of lists and of single values", () => {
    const index_names = {
      shift: [
        ["Anna", "Bert"],
        ["Mon", "Tue"],
      ],
    };
    const values = {
      shift: [
        [1, 2],
        [3, 4],
      ],
      x: [5, 6, 7],
      n: 8,
      by: { Anna: 9, Bert: 10 },
    };
    const changes = [
      { at: "shift[Bert,Mon]", old: 30, new: 3 },
      { at: "x[1]", old: 60, new: 6 },
      { at: "n", old: 80, new: 8 },
      { at: "by[Bert]", old: 100, new: 10 },
    ];
    const text = page({ values, index_names, ...kept(...changes) });
    expect(moved(text).toSorted()).toEqual(["was 100 → 10", "was 30 → 3", "was 60 → 6", "was 80 → 8"]);
    expect(text).toContain("old → new: changed from the plan that was kept");
    expect(text).toContain("Changed from the plan that was kept: 4");
  });

  it("shows names with indices as a table, and a 0 that is left out as a dash", () => {
    const names = ["Anna", "Bert", "Cleo"].flatMap((who) => ["Mon", "Tue"].map((day) => `shift_${who}_${day}`));
    const values = Object.fromEntries(names.map((name) => [name, name === "shift_Anna_Mon" ? 1 : 0]));
    const text = page({ values, ...kept({ at: "shift_Anna_Mon", old: 0, new: 1 }) });
    expect(moved(text)).toEqual(["was – → 1"]);
  });

  it("marks nothing for a path that leads nowhere, and takes hostile places for text", () => {
    const hostile = ["__proto__[a]", "x[9]", "x[length]", "x[0,0,0]", "constructor", "x[", "<b>x</b>", "toString[0]"];
    const text = page({
      values: {
        x: [
          [1, 2],
          [3, 4],
        ],
      },
      ...kept(...hostile.map((at) => ({ at, old: 7, new: 1 }))),
    });
    expect(moved(text)).toEqual([]);
    expect(text).toContain("&lt;b&gt;x&lt;/b&gt;");
    expect(Object.keys({})).toEqual([]);
    expect("a" in {}).toBe(false);
  });

  it("says that nothing changed, and how many more changes there are", () => {
    expect(page({ values: { x: 1 }, ...kept() })).toContain("Nothing changed from the plan that was kept");
    const { keep } = kept({ at: "x", old: 2, new: 1 });
    expect(page({ values: { x: 1 }, keep: { ...keep, number: 9 } })).toContain("8 more changes.");
  });
});

describe("what if", () => {
  it("is a table with the difference, the forbidding lines and the changes", () => {
    const broken = [{ item: 0, line: 2, text: "constraint x > 1;" }];
    const rows = [
      {
        name: "more",
        status: "sat",
        message: "Optimal.",
        objective: 7,
        difference: 2,
        ...kept({ at: "x", old: 1, new: 2 }),
      },
      { name: "ill", status: "unsat", message: "No solution.", objective: null, difference: null, broken },
    ];
    const text = page({ values: { x: 1 }, what_if: rows }).replaceAll(/<[^>]+>/g, " ");
    expect(text.replaceAll(/\s+/g, " ")).toContain(
      "more sat 7 +2 Optimal.; x: 1 → 2 ill unsat No solution.; forbidden by item 0, line 2: constraint x &gt; 1;",
    );
  });
});

describe("what a plan breaks", () => {
  const sources = [{ name: "item 0", text: "var 1..3: x;\nconstraint x > 1;\nconstraint x < 3;" }];

  it("is shown beside the lines of the model, with the amount, and not by colour alone", () => {
    const broken = [{ item: 0, line: 2, text: "constraint x > 1;", cases: [], by: 1 }];
    const text = page({ status: "invalid", values: { x: 1 }, broken, violations: [] }, sources);
    expect(text).toContain('<p class="verdict unsat">invalid</p>');
    expect(text).toContain('<mark>constraint x &gt; 1;</mark> <span class="said">◀ broken by 1</span>');
    expect(text).toContain("item 0, line 2, broken by 1: <code>constraint x &gt; 1;</code>");
    expect(text.match(/<mark>/g)).toHaveLength(1);
  });

  it("lists the rules of a checker beside the values, and says why it checked nothing", () => {
    const text = page({ values: { x: 1 }, violations: ["Fri has <1>"], checker: { status: "violated" } }, sources);
    expect(text).toContain("<li>✗ <bdi>Fri has &lt;1&gt;</bdi></li>");
    expect(text.indexOf("Fri has")).toBeLessThan(text.indexOf("constraint"));
    const failed = page({ values: { x: 1 }, checker: { status: "failed", reason: "item 1, line 2: KeyError" } });
    expect(failed).toContain("The checker did not check the values: item 1, line 2: KeyError");
  });
});
