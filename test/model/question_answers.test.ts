import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import type { Python, RunProgram } from "../../src/engines/python/index.ts";
import type { JobEnd } from "../../src/engines/python/talk.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { quietContext } from "../../src/kernel/tool.ts";
import { limitReached } from "../../src/kernel/verdict.ts";
import type { Outcome } from "../../src/tools/model/language.ts";
import { expectTaken } from "../../src/tools/model/languages/options.ts";
import { readClaim } from "../../src/tools/model/languages/python/claim.ts";
import { rechecked } from "../../src/tools/model/languages/python/confirm/recheck.ts";
import { pythonLanguage } from "../../src/tools/model/languages/python/language.ts";
import { z3 } from "../../src/tools/model/languages/python/z3/index.ts";
import { type AllAnswer, readAnswer } from "../../src/tools/model/languages/questions/answer.ts";
import { withAnswer } from "../../src/tools/model/languages/questions/ask.ts";
import { solveAnswer } from "../../src/tools/model/solution/solve_answer.ts";
import { renderSolve } from "../../src/tools/model/solution/solve_text.ts";
import { whyAnswer } from "../../src/tools/model/why/answer.ts";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";

/** Answers about all solutions on their way to the reader: text and structured part say the same, and nothing is lost. */

const scope = { over: ["x"], left_out: [] };

function answerOf(all_answer: AllAnswer, solutions: readonly Record<string, unknown>[] = []) {
  const outcome: Outcome = {
    verdict: { kind: "sat", witness: { values: { x: 1 } }, ...(solutions.length > 0 && { solutions }) },
    ...{ all_answer, statistics: {}, output: [], warnings: [], engine: "a solver" },
  };
  const answer = solveAnswer(outcome, 1_000, 0);
  return { answer, text: renderSolve(answer).join("\n") };
}

describe("a count of a model that has a solution", () => {
  const sat: Outcome = {
    verdict: { kind: "sat", witness: { values: { x: 1 } } },
    ...{ statistics: {}, output: [], warnings: [], engine: "a solver" },
  };
  const counted = (number: string, exact: boolean) =>
    withAnswer(sat, { kind: "count", limit: 9 }, async () => ({
      ...{ ...scope, kind: "count", number, exact, method: "counting" },
    }));

  it("is one at least, also where counting had no time to begin", async () => {
    expect((await counted("0", false)).all_answer).toMatchObject({ number: "1", exact: false });
    expect((await counted("4", false)).all_answer).toMatchObject({ number: "4", exact: false });
  });

  it("is none where the engine that counts finds no solution at all", async () => {
    const reason = "the counting engine found no solution, but the model has one";
    expect((await counted("0", true)).all_answer).toMatchObject({ kind: "nothing", asked: "count", reason });
  });
});

describe("the text of an answer about all solutions", () => {
  it("has no line that a name makes up", () => {
    const name = "x\nFAKE";
    const free: AllAnswer = {
      kind: "backbone",
      fixed: [[name, 1]],
      free: [name],
      undecided: [name],
      over: [name],
      left_out: [],
    };
    const { answer } = answerOf(free);
    const text = renderSolve({
      ...{ ...answer, message: `About ${name}.`, model: { [name]: 1 }, output: [name], unsat_core: [name] },
      keep: { number: 1, changes: [{ at: name, old: 1, new: 2 }], least: true },
    });
    expect(text.join("\n")).toContain(String.raw`x\u000aFAKE`);
    expect(text.join("\n")).not.toContain("\nFAKE");
  });

  it("has the objectives of the best ones, and says that there are no others", () => {
    const solutions = [{ x: 3 }, { x: 1 }];
    const best: AllAnswer = {
      ...scope,
      kind: "k_best",
      solutions,
      objectives: [30, 10],
      proved: 2,
      is_all: true,
      has_tie: false,
    };
    const { text } = answerOf(best, solutions);
    expect(text).toContain("objectives: 30, 10");
    expect(text).toContain("2 of them are proved to be the best. No others differ in the named values.");
  });

  it.each([
    [1, "1 solution is listed; it is proved to be the best."],
    [0, "1 solution is listed; it is not proved to be the best."],
  ])("speaks of one best solution (%i proved)", (proved, words) => {
    const solutions = [{ x: 3 }];
    const best: AllAnswer = {
      ...scope,
      kind: "k_best",
      solutions,
      objectives: [30],
      proved,
      is_all: false,
      has_tie: null,
    };
    expect(answerOf(best, solutions).text).toContain(words);
  });

  it("has the distances of those far apart, and says that there are no others", () => {
    const solutions = [{ x: 3 }, { x: 1 }];
    const { text } = answerOf(
      { ...scope, kind: "diverse", solutions, distances: [1], farthest: [true], is_all: true },
      solutions,
    );
    expect(text).toContain("distances from the nearest before it: 1");
    expect(text).toContain("No others differ in the named values.");
  });

  it("does not call one solution several", () => {
    const solutions = [{ x: 3 }];
    const only: AllAnswer = { ...scope, kind: "diverse", solutions, distances: [], farthest: [], is_all: true };
    const { text } = answerOf(only, solutions);
    expect(text).toContain("1 solution was found. No others differ in the named values.");
    expect(text).not.toContain("far apart");
  });

  it("names the values that are free or undecided", () => {
    const backbone_answer: AllAnswer = { ...scope, kind: "backbone", fixed: [["a", 1]], free: ["b"], undecided: ["c"] };
    const { text } = answerOf(backbone_answer);
    expect(text).toContain("1 value is the same in all solutions, 1 is not, 1 is undecided.");
    expect(text).toContain("not the same in all solutions: b\nundecided: c");
  });

  it("says how many shared values did not fit", () => {
    const fixed = Array.from({ length: 3_000 }, (_, i): [string, unknown] => [`a_long_name_of_a_variable_${i}`, i]);
    const { answer } = answerOf({ ...scope, kind: "backbone", fixed, free: [], undecided: [] });
    const shown = Object.keys(answer.backbone?.values ?? {}).length;
    expect(shown).toBeLessThan(3_000);
    expect(answer.warnings.join()).toMatch(/Too long for one answer: \d+ values of backbone/);
  });
});

describe("a call", () => {
  const asp = { id: "asp", takes: ["reasoning"], guide: { name: "asp", title: "", text: "" }, slips: [] } as const;
  const language = { ...asp, check: async () => [], solve: async () => Promise.reject(new Error("not solved")) };

  it("that says false to an option of other languages asks for nothing", () => {
    expect(() => expectTaken(language, { count: false, check: false, why: false })).not.toThrow();
    expect(() => expectTaken(language, { count: true, check: false })).toThrow("these options: count.");
  });

  it("names each place to drop once, though several constraints are there", () => {
    const place = { item: 0, line: 1, text: "a. b." };
    const why = { about: "unsat", core: [place, place], drop_complete: true, undecided: [] } as const;
    const answer = whyAnswer({ ...why, drop: [{ items: [place, place], proved: "smallest" }] });
    expect(answer).toMatchObject({ core: [place], drop: [{ items: [place] }] });
  });

  it("keeps a value that has the name of every object's prototype", () => {
    const model = JSON.parse('{"__proto__": 5, "x": {"__proto__": [1]}}');
    const result = { status: "sat", statistics: {}, warnings: [], objective_value: null, optimal: null };
    const { verdict } = readClaim({ ...result, model, solutions: [model], evidence: {} });
    const outcome: Outcome = { verdict, ...{ statistics: {}, output: [], warnings: [], engine: "a solver" } };
    const answer = solveAnswer(outcome, 1_000, 0);
    for (const shown of [answer.model, answer.values, answer.solutions?.[0]])
      expect(JSON.stringify(shown)).toBe('{"__proto__":5,"x":{"__proto__":[1]}}');
  });

  it.each([
    ["a verdict", () => readClaim({ status: 5 })],
    ["nothing", () => readClaim(undefined)],
    ["an answer to a question", () => readAnswer({ kind: "count", limit: 9 }, { over: 3 })],
  ])("of a form that no program of Verdict sends is a failure of the engine: %s", (_, read) => {
    expect(read).toThrowError(expect.objectContaining({ code: "engine_failed" }));
  });

  const killed: JobEnd = { kind: "died", how: "it was killed", from_outside: "killed" };
  it.each([
    [killed, "the second check failed (it was killed; send the call again)"],
    [{ kind: "died", how: "it ended with code 3" } as const, "the second check failed."],
  ])("whose second process is lost says how: %j", async (end, words) => {
    const evidence = {
      hard: [[1], [-1]],
      soft: [],
      weights: [],
      assumptions: [],
      model: null,
      exported: [],
      cost: null,
    };
    const claim = readClaim({
      ...{ status: "unsat", statistics: {}, warnings: [], model: null, objective_value: null, optimal: null, evidence },
    });
    const run: RunProgram = async () => ({ end, printed: "", versions: {} });
    const result = await rechecked(run, "pysat", claim, new Deadline(10_000));
    expect(result).toMatchObject({ confirmed: false });
    expect(JSON.stringify(result)).toContain(words);
  });
});

describe("a process that is lost while it answers a question about all solutions", () => {
  const reported = {
    ...{ status: "sat", statistics: {}, warnings: [], model: { x: 1 }, objective_value: null, optimal: null },
    ...{ evidence: { open: "no" }, space: {} },
  };
  const died: JobEnd = { kind: "died", how: "it was killed", from_outside: "killed" };
  const so_far = { over: ["x"], left_out: [], method: "enumeration", number: "41", exact: false };

  it.each<[string, JobEnd, readonly unknown[], object]>([
    ["killed", died, [{ so_far }], { kind: "count", number: "41", exact: false }],
    ["out of time", { kind: "deadline" }, [{ so_far }], { kind: "count", number: "41", reason: "the time ran out" }],
    ["killed before it found one", died, [], { kind: "nothing" }],
    ["killed after nonsense", died, [{ so_far: { number: 3 } }, "?"], { kind: "nothing" }],
  ])("leaves what it had counted: %s", async (_, end, sent, expected) => {
    const run: RunProgram = async (_id, { items, request }, _deadline, found) => {
      const common = { printed: "", versions: {} };
      if (items.length > 0) return { end: { kind: "result", result: reported }, ...common };
      if (request && "question" in request) {
        for (const each of sent) found?.(each);
        return { end, ...common };
      }
      return { end: { kind: "result", result: { verdict: "open", reason: "no" } }, ...common };
    };
    const python = { turn: (_d: unknown, _p: unknown, use: (run: RunProgram) => unknown) => use(run) };
    const engines = new Engines(readConfig({}));
    const language = pythonLanguage(python as unknown as Python, engines, {
      ...{ id: "pysat", name: "", sign: /./, title: "", guide: "", hints: [], slips: [], takes: ["count"] },
    });
    const context = { ...quietContext(), news: () => {}, deadline: new Deadline(10_000), options: { count: true } };
    const { all_answer } = await language.solve(["x"], context);
    engines.close();
    expect(all_answer).toMatchObject(expected);
  });
});

describe.runIf(has_python)("solutions far apart", () => {
  const models = fixture(shareModels);

  it("use their time, however many are asked for", async () => {
    const program = [
      "xs = [Bool('b%d' % i) for i in range(40)]",
      "s = Solver()",
      "s.add(Or(xs))",
      "export_solution(solver=s, variables={str(x): x for x in xs})",
    ];
    const answer = await models.solve("z3", [program.join("\n")], 3_000, { diverse: 1_000 });
    const { solutions, solve_time } = answer;
    const is_done = Array.isArray(solutions) && solutions.length === 1_000;
    expect(is_done || Number(solve_time) > 1.5, JSON.stringify(answer.warnings)).toBe(true);
  });
});

it.each([
  ["x, y = Ints('x y')\nx * x == y", undefined],
  ["x = BitVec('x', 256)", "solve_smtlib"],
  ["s = String('s')", undefined],
  ["x = Int('x')\nForAll(x, f(x) > x)", undefined],
])("after a time limit a model of Z3 is sent where it can be decided: %j", (item, way) => {
  const others = z3.orElsewhere?.([item]) ?? "";
  if (way === undefined) expect(others).toBe("");
  else expect(others).toContain(way);
  const outcome: Outcome = { verdict: limitReached("time"), statistics: {}, output: [], warnings: [], engine: "z3" };
  const { message } = solveAnswer({ ...outcome, or_elsewhere: others }, 1_000, 0);
  expect(message).toContain(`simplify the model${others}.`);
});
