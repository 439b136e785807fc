import { beforeEach, describe, expect, it } from "vitest";
import { limitReached } from "../../src/kernel/verdict.ts";
import { needsOf } from "../../src/tools/model/language.ts";
import { expectTaken } from "../../src/tools/model/languages/options.ts";
import { faultOf } from "../support/faults.ts";
import { type ModelBench, openModels, plain, ScriptedLanguage, sat } from "../support/scripted_language.ts";

let first: ScriptedLanguage;
let second: ScriptedLanguage;
let bench: ModelBench;

beforeEach(() => {
  first = new ScriptedLanguage("first");
  second = new ScriptedLanguage("second");
  bench = openModels([first, second]);
});

it.each([
  ["cp", ["a"], {}],
  ["cp_exact", ["a"], { solver: "exact" }],
  ["cp_exact", ["a"], { solver: "exact:sub" }],
  ["cp_exact", ["a", "m.solve(solver='exact', time_limit=3)"], {}],
  ["cp_exact", ['s = cp.SolverLookup.get("exact:sub", m)'], {}],
  ["cp", ["x = cp.intvar(0, 1, name='exactly')", "# exact"], { solver: "ortools" }],
] as const)("a process needs %s for %j with %j", (needs, items, options) => {
  const language = Object.assign(new ScriptedLanguage("cp"), { needs: "cp", solver_needs: { exact: "cp_exact" } });
  expect(needsOf(language, items, options)).toBe(needs);
  expect(needsOf(first, items, options)).toBe("model");
});

describe("a model that is solved in one call", () => {
  it("is checked once, solved, and is then the current model", async () => {
    const answer = await bench.call("solve", { items: ["a", "b"], language: "second" });
    expect(answer).toMatchObject({ status: "sat", values: { x: 1 }, model_id: "m1" });
    expect(second.checked).toEqual([{ items: ["a", "b"], changed: "all" }]);
    expect(await bench.call("get_model")).toMatchObject({ model_id: "m1", language: "second", item_count: 2 });
    await bench.call("replace_item", { index: 1, new_item: "c" });
    expect(await bench.items()).toEqual(["a", "c"]);
    expect(await bench.call("get_solution", { name: "x" })).toMatchObject({ value: 1 });
  });

  it("can be one text; the fence around it is dropped with a note", async () => {
    const answer = await bench.call("solve", { model: "```python\na\nb\n```" });
    expect(answer["warnings"]).toEqual([expect.stringContaining("code fence")]);
    expect(await bench.items()).toEqual(["a\nb"]);
    expect(first.checked).toHaveLength(1);
  });

  it("leaves other models alone", async () => {
    await bench.call("clear_model", { model_id: "m1" });
    await bench.call("add_item", { item: "mine" });
    expect(await bench.call("solve", { model: "a" })).toMatchObject({ model_id: "m2" });
    expect(await bench.items("m1")).toEqual(["mine"]);
    expect(await bench.items()).toEqual(["a"]);
  });

  it("does not replace a model of its id that another call creates while it is checked", async () => {
    const solving = bench.call("solve", { items: ["slow"] });
    await expect.poll(() => first.checked.length).toBe(1);
    await bench.call("clear_model", { model_id: "m1", language: "second" });
    await bench.call("add_item", { item: "mine", model_id: "m1" });
    first.letGo();
    expect(await solving).toMatchObject({ status: "sat", model_id: "m2" });
    expect(await bench.items("m1")).toEqual(["mine"]);
    expect(await bench.items()).toEqual(["slow"]);
  });

  it("is not kept where its check fails: the fault names the item, and the current model stays", async () => {
    await bench.call("add_item", { item: "mine" });
    const fault = await faultOf(bench.call("solve", { items: ["a", "b\nbad"] }));
    expect(fault).toMatchObject({ code: "syntax_error", position: { item: 1, line: 2, column: 1 } });
    expect(await bench.items()).toEqual(["mine"]);
  });

  it("needs no check if its language says that solving does all of it, and it is decided soon", async () => {
    second.remarksBesideSolving = (items) => [`It has ${items.length} items.`];
    const decided = { ...plain, verdict: sat({ x: 2 }), warnings: ["Only one was sought."] };
    second.outcome = decided;
    const answer = await bench.call("solve", { items: ["a", "b"], language: "second" });
    expect(answer).toMatchObject({ values: { x: 2 }, warnings: ["It has 2 items.", "Only one was sought."] });
    expect(second.checked).toEqual([]);
    await bench.call("replace_item", { index: 1, new_item: "c" });
    expect(await bench.items()).toEqual(["a", "c"]);
  });

  it("is checked beside its solve if that is not decided soon", async () => {
    second.remarksBesideSolving = () => ["not asked for"];
    let go = () => {};
    second.solving = new Promise<void>((resolve) => {
      go = resolve;
    });
    const solving = bench.call("solve", { items: ["a", "warn"], language: "second" });
    await expect.poll(() => second.checked.length, { timeout: 20_000 }).toBe(1);
    expect(second.solved).toHaveLength(1);
    go();
    expect(await solving).toMatchObject({ status: "sat", warnings: ["You were warned."] });
  });

  it("is checked where its solve decided nothing", async () => {
    second.remarksBesideSolving = () => ["not asked for"];
    second.outcome = { ...plain, verdict: limitReached("memory") };
    const answer = await bench.call("solve", { items: ["a", "warn"], language: "second" });
    expect(answer).toMatchObject({ status: "unknown", warnings: ["You were warned."] });
    const fault = await faultOf(bench.call("solve", { items: ["bad"], language: "second" }));
    expect(fault).toMatchObject({ code: "syntax_error" });
  });

  it("gives the fault of its check, and the solve beside it is stopped", async () => {
    first.remarksBesideSolving = () => [];
    let stopped = () => {};
    first.solving = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    const refused = faultOf(bench.call("solve", { items: ["bad slow"] }));
    await expect.poll(() => first.checked.length, { timeout: 20_000 }).toBe(1);
    first.solved[0]?.signal.addEventListener("abort", () => stopped());
    first.letGo();
    expect(await refused).toMatchObject({ code: "syntax_error" });
    expect(first.solved[0]?.signal.aborted).toBe(true);
    first.solving = Promise.reject(new Error("broken"));
    expect(await faultOf(bench.call("solve", { items: ["bad"] }))).toMatchObject({ code: "syntax_error" });
  });

  it("is kept where solving it is a fault, so that an item can be replaced", async () => {
    first.solving = Promise.reject(new Error("broken"));
    first.solving.catch(() => {});
    await expect(bench.call("solve", { items: ["a", "b"] })).rejects.toThrow("broken");
    expect(await bench.items()).toEqual(["a", "b"]);
  });

  it("has the warnings of the check and those of solving", async () => {
    first.outcome = { ...plain, verdict: sat({ x: 2 }), warnings: ["Only one was sought."] };
    const answer = await bench.call("solve", { items: ["a", "warn"] });
    expect(answer).toMatchObject({ values: { x: 2 }, warnings: ["You were warned.", "Only one was sought."] });
    expect(await bench.text("solve", { model: "a" })).toContain("Kept as model m2.");
  });

  it("has a remark once that checking and solving both make", async () => {
    first.outcome = { ...plain, verdict: sat({ x: 2 }), warnings: ["You were warned.", "Only one was sought."] };
    const answer = await bench.call("solve", { items: ["a", "warn"] });
    expect(answer["warnings"]).toEqual(["You were warned.", "Only one was sought."]);
  });

  it.each([
    { model: "a", items: [], language: "", solver: "", data: {}, all_solutions: false },
    { model: "", items: ["a"], language: null, data: {} },
  ])("takes what was filled in empty as left out: %j", async (args) => {
    first.outcome = { ...plain, verdict: sat({ x: 2 }) };
    expect(await bench.call("solve", args)).toMatchObject({ status: "sat", values: { x: 2 } });
    expect(await bench.items()).toEqual(["a"]);
  });

  it.each([
    [{}, "There is no model."],
    [{ items: [] }, "There is no model."],
    [{ model: "a", items: ["b"] }, "exclude each other"],
    [{ model: "  " }, "is empty"],
    [{ model: "a", language: "third" }, 'no language "third"'],
    [{ model: "a", solver: "gecode" }, "does not accept these options: solver"],
    [{ model: 7 }, "model must be a string"],
    [{ items: "a" }, "items"],
  ])("needs its text: %j", async (args, told) => {
    const fault = await faultOf(bench.call("solve", args));
    expect(fault).toMatchObject({ code: "invalid_argument", error: expect.stringContaining(told) });
    expect(first.checked).toEqual([]);
    expect(await bench.items()).toEqual([]);
  });

  it.each([
    [["max_models"], { max_solutions: 3 }, "ask for several answer sets with max_models"],
    [["diverse"], { max_solutions: 3 }, "ask for several solutions with diverse (a number)"],
    [
      ["diverse", "count"],
      { all_solutions: true },
      "ask for some solutions with diverse (a number), and for their exact",
    ],
    [["max_solutions", "diverse"], { max_models: 3 }, "ask for several solutions with max_solutions"],
    [["backbone"], { reasoning: "cautious" }, "ask for what holds in all solutions with backbone"],
    [["why"], { solver: "gecode" }, "only minizinc and cpmpy accept a solver name"],
  ] as const)("takes %j and is sent %j: the fault names another way", async (takes, options, step) => {
    const { remedy } = await faultOf((async () => expectTaken({ id: "some", takes }, options))());
    expect(remedy).toContain(`; (2) ${step}`);
  });

  it("is bounded as any other model", async () => {
    const fault = await faultOf(bench.call("solve", { items: Array.from({ length: 2_001 }, () => "a") }));
    expect(fault).toMatchObject({ code: "invalid_argument", error: expect.stringContaining("more than 2000") });
  });
});
