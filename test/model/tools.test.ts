import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { limits } from "../../src/kernel/limits.ts";
import { limitReached, undecided } from "../../src/kernel/verdict.ts";
import { model_limits } from "../../src/tools/model/limits.ts";
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

/** Bytes of the heap that something still refers to: garbage is collected first. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

async function add(...items: string[]): Promise<void> {
  for (const item of items) await bench.call("add_item", { item });
}

describe("editing a model", () => {
  it("needs no clear_model, and no model_id", async () => {
    expect(await bench.call("get_model")).toEqual({
      status: "ok",
      item_count: 0,
      items: [],
      model_id: "m1",
      language: "first",
    });
    expect(await bench.call("add_item", { item: "a" })).toEqual({ status: "ok", index: 0, item: "a", warnings: [] });
    expect(await bench.call("add_item", { item: "b", index: 0 })).toMatchObject({ index: 0 });
    expect(await bench.call("add_item", { item: "c warn" })).toMatchObject({
      index: 2,
      warnings: ["You were warned."],
    });
    expect(await bench.call("get_model")).toMatchObject({
      item_count: 3,
      items: [
        { index: 0, content: "b" },
        { index: 1, content: "a" },
        { index: 2, content: "c warn" },
      ],
    });
  });

  it("replaces and deletes, and gives back what was there", async () => {
    await add("a", "b", "c");
    expect(await bench.call("replace_item", { index: 1, new_item: "B" })).toEqual({
      status: "ok",
      old_item: "b",
      new_item: "B",
      index: 1,
      warnings: [],
    });
    expect(await bench.call("delete_item", { index: 0 })).toEqual({ status: "ok", removed_item: "a", index: 0 });
    expect(await bench.items()).toEqual(["B", "c"]);
  });

  it("shows only the lines that an item has lost and gained", async () => {
    await add("a\nb\nc\nd");
    const replaced = (new_item: string) => bench.text("replace_item", { index: 0, new_item });
    expect(await replaced("a\nB\nC\nc\nd")).toBe("Replaced item 0, from line 2:\n- b\n+ B\n+ C");
    expect(await replaced("a\nd")).toBe("Replaced item 0, from line 2:\n- B\n- C\n- c");
    expect(await replaced("a\na\nd")).toBe("Replaced item 0, from line 2:\n+ a");
    expect(await replaced("a\na\nd")).toBe("Replaced item 0: no line differs.");
    expect((await replaced("b\n".repeat(20_000))).length).toBeLessThan(20_000);
  });

  it("checks the whole model as it would be, and says which item is new", async () => {
    await add("a", "b");
    await bench.call("replace_item", { index: 0, new_item: "A" });
    await bench.call("delete_item", { index: 1 });
    await bench.call("delete_item", { index: 0 });
    expect(first.checked).toEqual([
      { items: ["a"], changed: 0 },
      { items: ["a", "b"], changed: 1 },
      { items: ["A", "b"], changed: 0 },
      { items: ["A"], changed: undefined },
    ]);
  });

  it("leaves the model as it was when a check fails, and reports item, line and column", async () => {
    await add("a");
    const { code, position } = await faultOf(bench.call("add_item", { item: "fine\nbad" }));
    expect({ code, position }).toEqual({ code: "syntax_error", position: { item: 1, line: 2, column: 1 } });
    await faultOf(bench.call("replace_item", { index: 0, new_item: "bad" }));
    expect(await bench.items()).toEqual(["a"]);
  });

  it("says that another language may be meant, when nobody chose this one", async () => {
    const { remedy } = await faultOf(bench.call("add_item", { item: "bad" }));
    expect(remedy).toContain(
      "this model's language is first; to use another language call clear_model with language, one of: second",
    );
    await bench.call("clear_model", { language: "first" });
    expect((await faultOf(bench.call("add_item", { item: "bad" }))).remedy).not.toContain("to use another language");
    await bench.call("clear_model");
    expect((await faultOf(bench.call("add_item", { item: "bad" }))).remedy).not.toContain("to use another language");
  });

  it("takes code fences off and says so; makes every line end a line feed", async () => {
    expect(await bench.call("add_item", { item: "```python\r\na\r\n  b\r\n```\r\n" })).toMatchObject({
      item: "a\n  b",
      warnings: ["the code fence around the item was removed; lines are counted without it"],
    });
    const { position, remedy } = await faultOf(bench.call("add_item", { item: "```\nbad\n```" }));
    expect(position).toMatchObject({ item: 1, line: 1 });
    expect(remedy).toContain("the code fence around the item was removed; lines are counted without it");
    expect(await bench.call("replace_item", { index: 0, new_item: "a\rb" })).toMatchObject({ new_item: "a\nb" });
    expect(await bench.call("add_item", { item: "s = '```'" })).toMatchObject({ item: "s = '```'", warnings: [] });
  });

  it.each(["", " \n\t", "```python\n```", "```\n\n```"])("refuses an item that is empty: %j", async (item) => {
    expect(await faultOf(bench.call("add_item", { item }))).toMatchObject({ code: "invalid_argument" });
    expect(await bench.items()).toEqual([]);
  });

  it("gives any sequence of edits, with failures in between, the model that it would have written at once", async () => {
    const step = fc.record({
      name: fc.constantFrom("add_item", "add_item", "delete_item", "replace_item"),
      index: fc.integer({ min: -1, max: 6 }),
      text: fc.constantFrom("a", "b", "c soon", "bad"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await bench.call("clear_model");
        const expected: string[] = [];
        for (const { name, index, text } of steps) {
          const last = name === "add_item" ? expected.length : expected.length - 1;
          const possible = index >= 0 && index <= last && (name === "delete_item" || text !== "bad");
          const args =
            name === "add_item"
              ? { item: text, index }
              : name === "delete_item"
                ? { index }
                : { new_item: text, index };
          if (!possible) await faultOf(bench.call(name, args));
          else {
            await bench.call(name, args);
            expected.splice(index, name === "add_item" ? 0 : 1, ...(name === "delete_item" ? [] : [text]));
          }
        }
        expect(await bench.items()).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });
});

describe("an index that can't be", () => {
  it.each([
    [-1, "The index -1 is negative; items are numbered from 0, not from the end."],
    [3, "The index 3 is past the end; items are numbered from 0."],
    [1.5, "The index 1.5 is not an integer."],
    [1e300, "The index 1e+300 is past the end; items are numbered from 0."],
  ])("%j is a fault that names the valid ones, and changes nothing", async (index, why) => {
    await add("a", "b");
    for (const [name, args] of [
      ["delete_item", { index }],
      ["replace_item", { index, new_item: "c" }],
    ] as const) {
      const { error, code } = await faultOf(bench.call(name, args));
      expect({ error, code }).toEqual({ error: `${why} Valid: 0 to 1.`, code: "invalid_argument" });
    }
    const { error } = await faultOf(bench.call("add_item", { item: "c", index }));
    expect(error).toBe(`${why} Valid: 0 to 2 (2 appends).`);
    expect(await bench.items()).toEqual(["a", "b"]);
  });

  it.each(["first", "0x", [0], true])("%j is not a number, and the fault shows it", async (index) => {
    for (const name of ["delete_item", "replace_item", "add_item"]) {
      const args = {
        index,
        ...(name === "add_item" ? { item: "a" } : name === "replace_item" ? { new_item: "a" } : {}),
      };
      const { error, code } = await faultOf(bench.call(name, args));
      expect(code).toBe("invalid_argument");
      expect(error).toBe(
        `index must be a whole number, counted from 0; get_model shows which ones are valid. Given: ${JSON.stringify(index)}.`,
      );
    }
  });

  it("is any index of an empty model, and 0 alone is where one can add", async () => {
    for (const [name, args] of [
      ["delete_item", { index: 0 }],
      ["replace_item", { index: 0, new_item: "a" }],
    ] as const) {
      expect((await faultOf(bench.call(name, args))).error).toContain("The model is empty: no index is valid");
    }
    expect((await faultOf(bench.call("add_item", { item: "a", index: 1 }))).error).toContain("Valid: 0 (0 appends).");
  });

  it("is missing", async () => {
    expect((await faultOf(bench.call("delete_item"))).error).toContain("It is missing.");
    expect((await faultOf(bench.call("add_item"))).error).toBe(
      "item must be a string: code of the model's language. It is missing.",
    );
  });
});

describe("a long model", () => {
  it("is shown in parts, none of which is lost", async () => {
    const long = "x".repeat(25_000);
    await add(`${long}0`, `${long}1`, `${long}2`);
    const part = await bench.call("get_model");
    expect(part).toMatchObject({ item_count: 3, items: [{ index: 0 }, { index: 1 }] });
    expect(part["warnings"]).toEqual(["More items: get_model with from_index 2 shows them."]);
    const rest = await bench.call("get_model", { from_index: 2 });
    expect(rest).toMatchObject({ item_count: 3, items: [{ index: 2, content: `${long}2` }] });
    expect(rest["warnings"]).toBeUndefined();
    expect((await faultOf(bench.call("get_model", { from_index: 3 }))).error).toContain("Valid: 0 to 2.");
  });

  it("is written with its indices", async () => {
    await add("a\nb", "c");
    expect(await bench.text("get_model")).toBe("m1, first: 2 items\n0 | a\n  | b\n1 | c");
  });
});

describe("several models", () => {
  it("are kept apart by their ids; clear_model makes its one the current one", async () => {
    expect(await bench.call("clear_model", { model_id: "left" })).toEqual({
      status: "ok",
      message: "Model cleared",
      model_id: "left",
      language: "first",
    });
    await add("l");
    await bench.call("clear_model", { model_id: "right", language: "second" });
    await add("r");
    await bench.call("add_item", { item: "l2", model_id: "left" });
    expect(await bench.items("left")).toEqual(["l", "l2"]);
    expect(await bench.items()).toEqual(["r"]);
    expect(await bench.call("clear_model")).toMatchObject({ model_id: "right", language: "second" });
    expect(await bench.items()).toEqual([]);
    expect(await bench.items("left")).toEqual(["l", "l2"]);
  });

  it("have ids of the store's own that no client took", async () => {
    const other = openModels([first]);
    await other.call("clear_model", { model_id: "m1" });
    expect(await bench.call("clear_model")).toMatchObject({ model_id: "m1" });
  });

  it.each(["get_model", "solve_model", "get_solution", "get_solve_time", "delete_item", "add_item", "replace_item"])(
    "%s of a model that there is not lists those that there are",
    async (name) => {
      await bench.call("clear_model", { model_id: "here" });
      const args = { model_id: "there", index: 0, item: "a", new_item: "a", name: "x" };
      const needed: Record<string, string[]> = {
        add_item: ["item"],
        delete_item: ["index"],
        replace_item: ["index", "new_item"],
        get_solution: ["name"],
      };
      const taken = Object.entries(args).filter(([key]) => key === "model_id" || needed[name]?.includes(key));
      const { error, code, remedy } = await faultOf(bench.call(name, Object.fromEntries(taken)));
      expect(code).toBe("invalid_argument");
      expect(error).toContain('There is no model "there"; models expire after 24 h without use');
      expect(remedy).toContain("pass the id of an existing model: here");
    },
  );

  it("counts as left out where it is empty", async () => {
    expect(await bench.call("clear_model", { model_id: "" })).toMatchObject({ status: "ok" });
  });

  it.each(["a b", "../x", "x".repeat(65), 5])("refuses the name %j", async (model_id) => {
    const { error } = await faultOf(bench.call("clear_model", { model_id }));
    expect(error).toContain('model_id must be a name of 1 to 64 letters, digits, ".", "_" or "-".');
  });
});

describe("the language of a model", () => {
  it("has to be one that there is", async () => {
    expect(await faultOf(bench.call("clear_model", { language: "secnd" }))).toMatchObject({
      error: 'There is no language "secnd". Did you mean "second"?',
      code: "invalid_argument",
      remedy: expect.stringContaining("choose from: first, second"),
    });
    expect((await faultOf(bench.call("clear_model", { language: 5 }))).error).toContain("first, second");
  });

  it("is the locked one, and no other", async () => {
    const locked = openModels([first, second], "second");
    expect(await locked.call("clear_model")).toMatchObject({ language: "second" });
    expect(await locked.call("clear_model", { language: "second" })).toMatchObject({ language: "second" });
    expect((await faultOf(locked.call("clear_model", { language: "first" }))).error).toBe(
      'This server was started only for the language "second".',
    );
    expect((await faultOf(locked.call("add_item", { item: "bad" }))).remedy).not.toContain("to use another language");
    expect(() => openModels([first], "third")).toThrow('There is no language "third".');
  });

  it("is none on a server without languages: a fault, not a crash", async () => {
    expect(await faultOf(openModels([]).call("add_item", { item: "a" }))).toMatchObject({ code: "engine_missing" });
  });
});

describe("calls at the same time", () => {
  it("lose no item and keep their order", async () => {
    const items = Array.from({ length: 50 }, (_, i) => `${i}${i % 3 === 0 ? " soon" : ""}`);
    await Promise.all(items.map((item) => bench.call("add_item", { item })));
    expect(await bench.items()).toEqual(items);
    for (const [i, { items: seen }] of first.checked.entries()) expect(seen).toEqual(items.slice(0, i + 1));
  });

  it("see the changes that came before them", async () => {
    const [, , answer, shown] = await Promise.all([
      bench.call("add_item", { item: "a" }),
      bench.call("add_item", { item: "b" }),
      bench.call("solve_model"),
      bench.call("get_model"),
      bench.call("add_item", { item: "c" }),
    ]);
    expect(answer).toMatchObject({ status: "sat" });
    expect(shown).toMatchObject({ item_count: 2 });
  });

  it("go on when one before them fails its check", async () => {
    const ends = await Promise.allSettled(["a", "bad", "b"].map((item) => bench.call("add_item", { item })));
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await bench.items()).toEqual(["a", "b"]);
  });

  it("leave the queue when they are cancelled", async () => {
    const cancel = new AbortController();
    const slow = bench.call("add_item", { item: "slow" });
    const given_up = bench.call("add_item", { item: "given up" }, { signal: cancel.signal });
    const last = bench.call("add_item", { item: "last" });
    cancel.abort();
    expect((await faultOf(given_up)).code).toBe("cancelled");
    first.letGo();
    await Promise.all([slow, last]);
    expect(await bench.items()).toEqual(["slow", "last"]);
  });

  it("change nothing when they are cancelled during their check", async () => {
    const cancel = new AbortController();
    const slow = bench.call("add_item", { item: "slow" }, { signal: cancel.signal });
    await vi.waitUntil(() => first.checked.length > 0);
    cancel.abort();
    first.letGo();
    expect((await faultOf(slow)).code).toBe("cancelled");
    expect(await bench.items()).toEqual([]);
  });

  it("are refused past the bound on waiting ones", async () => {
    const slow = bench.call("add_item", { item: "slow" });
    const waiting = Array.from({ length: limits.changes_waiting_max }, () => bench.call("add_item", { item: "soon" }));
    expect((await faultOf(bench.call("add_item", { item: "one too many" }))).code).toBe("busy");
    first.letGo();
    await Promise.all([slow, ...waiting]);
    expect(await bench.items()).toHaveLength(limits.changes_waiting_max + 1);
  });

  it("of several models do not wait for each other, and clear_model waits for nobody", async () => {
    await bench.call("clear_model", { model_id: "a" });
    const slow = bench.call("add_item", { item: "slow", model_id: "a" });
    await bench.call("clear_model", { model_id: "b" });
    await bench.call("add_item", { item: "b" });
    await bench.call("clear_model", { model_id: "a" });
    await bench.call("add_item", { item: "new", model_id: "a" });
    first.letGo();
    await slow;
    expect(await bench.items("a")).toEqual(["new"]);
  });
});

describe("solving", () => {
  it("answers with the fields of the source and of the paper", async () => {
    await add("a");
    first.outcome = {
      ...plain,
      verdict: { ...sat({ x: [1, "2/3"] }), best: { value: 7, proved: true } },
      output: ["hello"],
    };
    const answer = await bench.call("solve_model", { timeout_ms: 1000 });
    expect(answer).toEqual({
      status: "sat",
      satisfiable: true,
      model: { x: [1, "2/3"] },
      objective_value: 7,
      optimal: true,
      statistics: {},
      error: null,
      success: true,
      message: "Satisfiable, with these values, and no others have a better objective.",
      values: { x: [1, "2/3"] },
      objective: 7,
      solve_time: expect.any(Number),
      output: ["hello"],
      warnings: [],
      engine: "script 1.0",
    });
    expect(await bench.text("solve_model")).toBe(
      `sat\n${answer["message"]}\noutput:\n| hello\nvalues:\nx = [1,"2/3"]\nobjective: 7`,
    );
    expect(await bench.call("get_solve_time")).toEqual({
      status: "ok",
      solve_time: expect.any(Number),
      solve_status: "sat",
    });
  });

  it("names the items that conflict", async () => {
    await add("a");
    first.outcome = {
      ...plain,
      verdict: { kind: "unsat", core: { names: ["p"], items: [{ item: 0, line: 1, text: "a" }] } },
      warnings: ["Look."],
    };
    expect(await bench.call("solve_model")).toMatchObject({ satisfiable: false, model: null, values: null });
    expect(await bench.text("solve_model")).toBe(
      "unsat\nUnsatisfiable: no values satisfy all constraints.\nunsat core: p\nitem 0, line 1: a\nnote: Look.",
    );
  });

  const hard = { kind: "undecided", cause: "doubted", reason: "hard" } as const;
  const late = "The time limit of 500 ms was reached; this is not a verdict.";
  const open = "neither satisfiable nor unsatisfiable was proved; this is not a verdict.";
  it.each([
    ["no time is left", limitReached("time"), "timeout", "timeout", late],
    ["time ended the search, and its result is doubted", { ...hard, cut_by: "time" }, "timeout", "hard", late],
    ["no memory is left", limitReached("memory"), "unknown", "memory limit", `Undecided (memory limit): ${open}`],
    [
      "the program set a limit",
      undecided("interrupted", "timeout"),
      "unknown",
      "timeout",
      `Undecided (timeout): ${open}`,
    ],
    ["the solver is not believed", hard, "unknown", "hard", `Undecided (hard): ${open}`],
  ] as const)("claims nothing where %s", async (_, verdict, status, reason, message) => {
    await add("a");
    first.outcome = { ...plain, verdict };
    const answer = await bench.call("solve_model", { timeout_ms: 500 });
    expect(answer).toMatchObject({ status, satisfiable: null, model: null, success: true, error: null, reason });
    expect(answer["message"]).toContain(message);
  });

  it("of an empty model is a fault", async () => {
    expect(await faultOf(bench.call("solve_model"))).toMatchObject({ code: "input_rejected" });
  });

  it.each([0, 600_001, "1000ms"])("refuses timeout_ms %j", async (timeout_ms) => {
    const { error } = await faultOf(bench.call("solve_model", { timeout_ms }));
    expect(error).toContain('Parameter "timeout_ms" must be 1-600000');
  });

  it("can't be imitated by what the program prints", async () => {
    await add("a");
    first.outcome = { ...plain, output: ["x\nunsat"] };
    expect(await bench.text("solve_model")).toContain("output:\n| x\n| unsat");
  });

  it("does not keep others from editing, and a newer solution is not overwritten by an older one", async () => {
    await add("a");
    let finish = () => {};
    first.solving = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const older = bench.call("solve_model");
    await add("b");
    first.solving = Promise.resolve();
    first.outcome = { ...plain, verdict: sat({ x: 2 }) };
    await bench.call("solve_model");
    finish();
    expect(await older).toMatchObject({ model: { x: 1 } });
    expect(await bench.call("get_solution", { name: "x" })).toMatchObject({ value: 2 });
  });

  it("of long values and long output gives what fits, and says what does not", async () => {
    await add("a");
    const grid = Array.from({ length: 10_000 }, (_, i) => i);
    first.outcome = { ...plain, verdict: sat({ small: 1, grid, last: 2 }), output: Array(50).fill("y".repeat(1000)) };
    const answer = await bench.call("solve_model");
    expect(answer).toMatchObject({ model: { small: 1, grid: expect.arrayContaining([0, 1, 2]) } });
    expect(answer["warnings"]).toEqual([
      'The values are longer than one answer (20000 characters); shortened or left out: grid, last. get_solution with name "values" shows all, with indices for parts.',
    ]);
    expect(answer["output"]).toContainEqual(expect.stringMatching(/^… \d+ characters are left out …$/));
    expect(JSON.stringify(answer).length).toBeLessThan(limits.answer_chars_max * 1.5);
    expect(await bench.call("get_solution", { name: "grid", indices: [9_999] })).toMatchObject({ value: 9_999 });
  });
});

describe("an answer with many values", () => {
  const names = Array.from({ length: 2_000 }, (_, i) => `plan_of_person_${i}_on_day_${i % 28}`);
  const many = Object.fromEntries(names.map((name, i) => [name, i % 20 === 19 ? 1 : 0]));
  const some = Object.fromEntries(Object.entries(many).slice(0, 400));
  const lines = (text: string) => text.split("\n").filter((line) => line.startsWith("plan"));
  beforeEach(() => add("a"));

  it("lists those that are not 0 or false in its text, and has all of them once in the structured part", async () => {
    first.outcome = { ...plain, verdict: sat(some) };
    const text = await bench.text("solve_model");
    expect(lines(text)).toHaveLength(20);
    expect(lines(text)).toContain(`${names[19]} = 1`);
    expect(text).toContain('… not shown: 380 values that are 0 or false; get_solution with name "values" shows all');
    expect(await bench.call("solve_model")).toMatchObject({ model: some, values: null, warnings: [] });
  });

  it("leaves out zeros first where not all fit, and pages through all with get_solution", async () => {
    first.outcome = { ...plain, verdict: sat(many) };
    const { model, warnings } = await bench.call("solve_model");
    expect(model).toEqual(Object.fromEntries(Object.entries(many).filter(([, value]) => value === 1)));
    expect(warnings).toEqual([expect.stringContaining("left out: 1900 values that are 0 or false. get_solution")]);
    const text = await bench.text("solve_model");
    expect(lines(text)).toHaveLength(50);
    expect(text).toContain("… not shown: 50 values; get_solution");
    const page = await bench.call("get_solution", { name: "values" });
    expect(String(page["warnings"])).toMatch(/Elements 0 to \d+ of 2000 are shown; from_index \d+ shows more/);
    const rest = await bench.call("get_solution", { name: "values", from_index: 1_998 });
    expect(rest["value"]).toEqual({ [names[1_998] ?? ""]: 0, [names[1_999] ?? ""]: 1 });
  });

  it("shows the first of them where none is 0, and each long one by its beginning", async () => {
    const long = Array.from({ length: 3_000 }, (_, i) => i + 1);
    first.outcome = { ...plain, verdict: sat({ long, ...Object.fromEntries(names.map((name, i) => [name, i + 1])) }) };
    const text = await bench.text("solve_model");
    expect(lines(text)).toHaveLength(49);
    expect(text).toContain("long = [1,2,3,");
    expect(text.length).toBeLessThan(6_000);
  });
});

describe("the last solution", () => {
  beforeEach(async () => {
    await add("a");
    first.outcome = { ...plain, verdict: sat({ board: [[1, 2], [3]], queens: { "0": 4 }, x: 5, none: [] }) };
    await bench.call("solve_model");
  });

  it.each([
    ["x", [], 5],
    ["board", [], [[1, 2], [3]]],
    ["board", [0, 1], 2],
    ["queens", [0], 4],
    ["queens", ["0"], 4],
  ])("has the value %s%j", async (name, indices, value) => {
    expect(await bench.call("get_solution", { name, indices })).toEqual({ status: "ok", name, indices, value });
  });

  it.each([
    ["bord", [], 'The solution has no value "bord". Did you mean "board"?'],
    ["constructor", [], 'The solution has no value "constructor".'],
    ["board", [2], "board is a list of 2: 2 is not a valid index. Valid: 0 to 1."],
    ["board", [-1], "board is a list of 2: -1 is not a valid index. Valid: 0 to 1."],
    ["board", [0.5], "board is a list of 2: 0.5 is not a valid index. Valid: 0 to 1."],
    ["board", ["length"], 'board is a list of 2: "length" is not a valid index. Valid: 0 to 1.'],
    ["none", [0], "none is an empty list."],
    ["queens", ["1"], 'queens has no key "1".'],
    ["board", [0, 0, 0], "board[0][0] is 1: it has no parts."],
  ])("has no %s%j, and says what there is", async (name, indices, words) => {
    const { error, code } = await faultOf(bench.call("get_solution", { name, indices }));
    expect(code).toBe("invalid_argument");
    expect(error).toContain(words);
  });

  it("lists the names that there are", async () => {
    const { remedy } = await faultOf(bench.call("get_solution", { name: "y" }));
    expect(remedy).toContain('choose from: "board", "queens", "x", "none"');
  });

  it.each([["0"], [[true]], [[null]]])("takes no indices like %j", async (indices) => {
    const { error } = await faultOf(bench.call("get_solution", { name: "x", indices }));
    expect(error).toContain("indices must be a list of integers and strings");
  });

  it("says when the model has changed since", async () => {
    await add("b");
    const answer = await bench.call("get_solution", { name: "x" });
    expect(answer["warnings"]).toEqual([
      "The model has changed since this solution was found; solve_model finds a new one.",
    ]);
  });

  it("is none after unsat, after clear_model, and before the first solve", async () => {
    first.outcome = { ...plain, verdict: { kind: "unsat" } };
    await bench.call("solve_model");
    expect((await faultOf(bench.call("get_solution", { name: "x" }))).error).toContain("answered unsat");
    expect(await bench.call("get_solve_time")).toMatchObject({ solve_status: "unsat" });
    await bench.call("clear_model");
    expect((await faultOf(bench.call("get_solution", { name: "x" }))).error).toContain("has not been solved");
    expect((await faultOf(bench.call("get_solve_time"))).code).toBe("input_rejected");
  });

  it("is not kept when it is huge, and says so", async () => {
    first.outcome = { ...plain, verdict: sat({ x: "y".repeat(model_limits.solution_chars_max) }) };
    await bench.call("solve_model");
    expect((await faultOf(bench.call("get_solution", { name: "x" }))).error).toContain("were not stored");
  });
});

describe("the store", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("lets the model go that was not used for the longest time, when there are too many", async () => {
    for (let i = 0; i < model_limits.models_max; i++) await bench.call("clear_model", { model_id: `n${i}` });
    await bench.call("get_model", { model_id: "n0" });
    await bench.call("clear_model", { model_id: "one_more" });
    expect((await faultOf(bench.call("get_model", { model_id: "n1" }))).error).toContain('no model "n1"');
    expect(await bench.call("get_model", { model_id: "n0" })).toMatchObject({ item_count: 0 });
  });

  it("lets models go when all of them together hold too much text", async () => {
    const text = "x".repeat(model_limits.item_chars_max);
    const models = model_limits.models_chars_max / model_limits.model_chars_max;
    for (let i = 0; i <= models; i++) {
      await bench.call("clear_model", { model_id: `n${i}` });
      for (let k = 0; k < 10; k++) await bench.call("add_item", { item: text });
    }
    await bench.call("get_model");
    expect((await faultOf(bench.call("get_model", { model_id: "n0" }))).error).toContain('no model "n0"');
    expect(await bench.call("get_model", { model_id: "n1" })).toMatchObject({ item_count: 10 });
  });

  it("forgets a model after a day without use, the current one too, and never begins another in silence", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await bench.call("clear_model", { model_id: "old" });
    await bench.call("clear_model", { model_id: "used" });
    vi.advanceTimersByTime(model_limits.model_idle_ms_max - 1);
    await bench.call("get_model", { model_id: "used" });
    vi.advanceTimersByTime(2);
    await faultOf(bench.call("get_model", { model_id: "old" }));
    await bench.call("get_model");
    vi.advanceTimersByTime(model_limits.model_idle_ms_max);
    const { error, remedy } = await faultOf(bench.call("add_item", { item: "a" }));
    expect(error).toContain('The current model "used" is gone; models expire after 24 h without use');
    expect(remedy).toContain("no model exists: clear_model creates one");
    expect(await bench.call("clear_model")).toMatchObject({ model_id: "used" });
    await add("a");
  });

  it("holds 100 models of 200 items in less than 20 MB", async () => {
    const before = heldBytes();
    const items = Array.from({ length: 200 }, (_, i) => `x${i} = Int('x${i}') # ${"soon ".repeat(20)}`);
    for (let m = 0; m < 100; m++) {
      await bench.call("clear_model", { model_id: `n${m}` });
      await Promise.all(items.map((item) => bench.call("add_item", { item: `${item} ${m}` })));
      first.checked.length = 0;
    }
    const megabytes = (heldBytes() - before) / 1e6;
    expect(await bench.items("n0")).toHaveLength(200);
    expect(megabytes).toBeLessThan(20);
  });
});
