import { describe, expect, it } from "vitest";
import type { CallRecord } from "../../src/agent/evidence/calls.ts";
import { dataOf } from "../../src/agent/evidence/model_text.ts";
import { resolveValues } from "../../src/agent/evidence/values.ts";
import { evidenceOf, supports } from "../../src/agent/evidence/verdict.ts";

let number = 0;
const record = (tool: string, structured: Record<string, unknown>, is_fault = false): CallRecord => ({
  ...{ number: ++number, tool, structured, is_fault },
  ...{ args: {}, text: "", ms: 1 },
});

describe("what calls bear out", () => {
  it.each([
    ["solve", { status: "sat", optimal: null }, "sat"],
    ["solve_model", { status: "sat", optimal: false }, "sat"],
    ["solve_model", { status: "sat", optimal: false, claimed: "optimal" }, "sat"],
    ["solve_model", { status: "sat", optimal: true }, "optimal"],
    ["solve_smtlib", { status: "unsat" }, "unsat"],
    ["symbolic_check", { status: "verified" }, "verified"],
    ["find_path_to_exception", { status: "unreachable" }, "unreachable"],
    ["compare_functions", { status: "equivalent", confidence: "proven" }, "equivalent"],
    ["compare_functions", { status: "different", confidence: "proven" }, "different"],
  ])("%s with %o is %s", (tool, structured, word) => {
    expect(evidenceOf([record(tool, structured)])).toMatchObject({ kind: "decided", word });
  });

  it.each([
    ["solve", { status: "unknown" }],
    ["solve", { status: "unknown", claimed: "unsat", confirmed: false }],
    ["solve_model", { status: "timeout" }],
    ["solve", { status: "sat", optimal: null, checker: { status: "violated", checked: 1, violated: 1 } }],
    ["solve_smtlib", { status: "unknown", reason: "timeout" }],
    ["symbolic_check", { status: "undecided" }],
    ["compare_functions", { status: "equivalent", confidence: "high" }],
    ["analyze_branches", { status: "partial" }],
    ["get_job", { status: "running", tool: "solve" }],
    ["get_model", { status: "unsat" }],
    // A word of one tool is none of another.
    ["symbolic_check", { status: "unsat" }],
    ["solve", { status: "verified" }],
  ])("%s with %o is open", (tool, structured) => {
    expect(evidenceOf([record(tool, structured)])).toMatchObject({ kind: "open" });
  });

  it("is open after a fault, and after a change of the model that was not refused", () => {
    const solved = record("solve", { status: "sat" });
    expect(evidenceOf([solved, record("solve", { status: "sat" }, true)]).kind).toBe("open");
    expect(evidenceOf([solved, record("add_item", { status: "ok" })]).kind).toBe("open");
    expect(evidenceOf([solved, record("add_item", { status: "error" }, true)]).kind).toBe("decided");
    expect(evidenceOf([solved, record("get_solution", { status: "ok" })]).kind).toBe("decided");
  });

  it("takes the answer of a job only where a call of this conversation began it, for the model as it was then", () => {
    const running = { status: "running", tool: "solve_model", job_id: "j" };
    const begun = record("solve_model", running);
    const changed = record("add_item", { status: "ok" });
    const other = record("solve_model", { status: "unknown" });
    const ended = record("get_job", { ...running, status: "sat" });
    expect(evidenceOf([begun, ended])).toMatchObject({ kind: "decided", word: "sat", record: ended, call: begun });
    expect(evidenceOf([ended]).kind).toBe("open");
    expect(evidenceOf([record("solve_model", { ...running, job_id: "i" }), ended]).kind).toBe("open");
    expect(evidenceOf([begun, changed, ended]).kind).toBe("open");
    expect(evidenceOf([begun, other, ended]).kind).toBe("open");
  });

  it("counts a change whose answer was lost as made, and one that was refused not", () => {
    const solved = record("solve_model", { status: "sat" });
    const change = (structured: Record<string, unknown>) => record("add_item", structured, true);
    expect(evidenceOf([solved, change({ code: "no_answer" })]).kind).toBe("open");
    expect(evidenceOf([solved, change({ code: "input_rejected" })]).kind).toBe("decided");
  });

  it("lets a claim say less than is known, and never more", () => {
    const best = evidenceOf([record("solve", { status: "sat", optimal: true })]);
    expect([supports(best, "optimal"), supports(best, "sat"), supports(best, "unsat")]).toEqual([true, true, false]);
    const some = evidenceOf([record("solve", { status: "sat", optimal: false })]);
    expect([supports(some, "optimal"), supports(some, "sat")]).toEqual([false, true]);
  });
});

describe("values of an answer", () => {
  const solved = record("solve", {
    status: "sat",
    values: {
      start: [
        [0, 5],
        [4, 9],
      ],
      "x.y": 7,
      at: { Ann: "desk 2" },
      text: "12",
    },
    objective: 9,
  });

  it.each([
    ["start[1][0]", 4],
    ["x.y", 7],
    ['at["Ann"]', "desk 2"],
    ["at.Ann", "desk 2"],
    ["objective", 9],
    ["text", "12"],
  ])("are read at %s", (from, value) => {
    expect(resolveValues([{ name: "it", from }], solved)).toEqual({ values: { it: value }, missing: [] });
  });

  it.each(["42", "start[9]", "start[-1]", "at.Bob", "constructor", "__proto__", "start.length", "start[0", "x..y", ""])(
    "are not found at %j",
    (from) => {
      expect(resolveValues([{ name: "it", from }], solved).missing).toHaveLength(1);
    },
  );

  it("are not what the model's own program printed, nor bounds and times", () => {
    const structured = {
      status: "sat",
      model: { x: "1" },
      transcript: [{ line: 1, command: '(echo "42")', output: "42" }],
      ...{ output: "sat\n42", objective_bound: 3, time_ms: 5, message: "42" },
    };
    const places = ["transcript[0].output", "output", "objective_bound", "time_ms", "message", "status"];
    const { values, missing } = resolveValues(
      places.map((from) => ({ name: from, from })),
      record("solve_smtlib", structured),
    );
    expect([values, missing.length]).toEqual([{}, places.length]);
  });

  it("are none where nothing satisfies the model, whatever it exports", () => {
    const none = record("solve", { status: "unsat", values: { x: 1 }, objective: 2, unsat_items: [3] });
    expect(resolveValues([], none).values).toEqual({});
    expect(
      resolveValues(
        [
          { name: "x", from: "x" },
          { name: "o", from: "objective" },
        ],
        none,
      ).missing,
    ).toHaveLength(2);
    expect(resolveValues([{ name: "items", from: "unsat_items" }], none).values).toEqual({ items: [3] });
  });

  it("are numbers where SMT-LIB writes numerals", () => {
    const model = { a: "5", b: "(- 5)", c: "2.0", d: "(/ 1.0 3.0)", e: "#b101", f: "true", g: "99999999999999999999" };
    const { values } = resolveValues([], record("solve_smtlib", { status: "sat", model }));
    expect(values).toEqual({ a: 5, b: -5, c: 2, d: "(/ 1.0 3.0)", e: "#b101", f: true, g: "99999999999999999999" });
  });
});

describe("the data of a solve", () => {
  const solve = (tool: string, args: Record<string, unknown>) => ({ ...record(tool, { status: "sat" }), args });

  it("are its own, or those that an earlier solve left with the model", () => {
    const first = solve("solve", { model: "int: n;", data: { n: 3 } });
    const again = solve("solve_model", {});
    const other = solve("solve_model", { data: { n: 5 } });
    const last = solve("solve_model", {});
    const records = [first, again, other, last];
    expect(records.map((call) => dataOf(call, records))).toEqual([{ n: 3 }, { n: 3 }, { n: 5 }, { n: 5 }]);
  });

  it("are not those of another model", () => {
    const first = solve("solve", { model: "int: n;", data: { n: 3 } });
    const cleared = solve("clear_model", {});
    for (const call of [solve("solve_model", {}), solve("solve", { model: "x" })])
      expect(dataOf(call, [first, cleared, call])).toBeUndefined();
    const named = solve("solve_model", { model_id: "m7" });
    expect(dataOf(named, [named])).toBeUndefined();
  });
});
