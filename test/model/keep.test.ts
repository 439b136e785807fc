import { describe, expect, it } from "vitest";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";
import { assertKept } from "../support/random_questions.ts";

const timeout_ms = 60_000;

describe.runIf(has_python)("a plan that is kept", () => {
  const models = fixture(shareModels);

  it.each(["minizinc", "asp", "z3", "ortools", "cpmpy"])(
    "changes as little as enumeration says in %s",
    async (language) => assertKept(models, language, language === "minizinc" ? 2 : 4),
    240_000,
  );

  const roster = [
    "enum Who = {Anna, Bert, Cleo}; enum Day = {Mon, Tue, Wed};",
    "array[Who, Day] of var 0..1: shift;",
    "constraint forall(d in Day)(sum(w in Who)(shift[w, d]) = 1);",
    "constraint forall(w in Who)(sum(d in Day)(shift[w, d]) <= 2);",
  ];

  it("is the last solution, after an edit, in MiniZinc: changes by entity, weights by entity", async () => {
    const model_id = "roster";
    await models.call("clear_model", { language: "minizinc", model_id });
    for (const item of [...roster, "constraint shift[Anna, Mon] = 1 /\\ shift[Bert, Tue] = 1;"])
      await models.call("add_item", { item, model_id });
    await models.call("solve_model", { model_id, timeout_ms });
    await models.call("replace_item", { model_id, index: 4, new_item: "constraint shift[Anna, Mon] = 0;" });
    const kept = await models.call("solve_model", { model_id, timeout_ms, keep: true });
    expect(kept).toMatchObject({ status: "sat", optimal: true, keep: { number: 2, least: true } });
    expect(kept["keep"]).toMatchObject({
      changes: expect.arrayContaining([{ at: "shift[Anna,Mon]", old: 1, new: 0 }]),
    });
    // What was kept is the last solution now: nothing has to change.
    const again = await models.call("solve_model", { model_id, timeout_ms, keep: "last" });
    expect(again).toMatchObject({ keep: { number: 0, changes: [], least: true } });
    const plan = { "shift[Anna,Mon]": 1, "shift[Bert,Tue]": 1, shift: { Cleo: { Wed: 1 } } };
    const weights = { Anna: 5, "shift[Cleo,Wed]": 2 };
    const by_path = await models.call("solve_model", { model_id, timeout_ms, keep: plan, weights });
    expect(by_path).toMatchObject({ keep: { number: 1, cost: 5, changes: [{ at: "shift[Anna,Mon]" }] } });
  });

  it("survives an unsat, and members that an enum no longer has", async () => {
    const model_id = "leaving";
    await models.call("clear_model", { language: "minizinc", model_id });
    for (const item of [
      "enum Who = {Anna, Bert, Cleo};",
      "array[1..3] of var Who: on;",
      "constraint on[1] = Cleo;",
      "array[Who] of var 0..3: count; constraint forall(w in Who)(count[w] = sum(i in 1..3)(on[i] = w));",
    ])
      await models.call("add_item", { item, model_id });
    const { model } = await models.call("solve_model", { model_id, timeout_ms });
    await models.call("replace_item", { model_id, index: 2, new_item: "constraint on[1] = Anna /\\ on[1] = Bert;" });
    expect(await models.call("solve_model", { model_id, timeout_ms })).toMatchObject({ status: "unsat" });
    await models.call("replace_item", { model_id, index: 2, new_item: "constraint on[1] != on[2];" });
    await models.call("replace_item", { model_id, index: 0, new_item: "enum Who = {Anna, Bert};" });
    const kept = await models.call("solve_model", { model_id, timeout_ms, keep: true, weights: { count: 0 } });
    expect(kept).toMatchObject({
      status: "sat",
      keep: { least: true, not_kept: expect.arrayContaining(["count.Cleo"]) },
    });
    expect(model).toMatchObject({ on: ["Cleo", expect.anything(), expect.anything()] });
  });

  it("has the indices of a set that is data, and none where a set is computed; the objective follows from the rest", async () => {
    const rest =
      "array[S] of var 1..9: x; constraint x[min(S)] + x[min(S) + 1] >= 10; var 0..99: cost = sum(x); solve minimize cost;";
    const plan = { x: [4, 5, 4], cost: 13 };
    const ask = (set: string, at: string, data?: object) =>
      models.solve("minizinc", [`${set} ${rest}`], timeout_ms, {
        keep: plan,
        weights: { [at]: 5 },
        ...(data && { data }),
      });
    const first = { keep: { number: 1, cost: 1, least: true, not_kept: ["cost"] }, model: { x: [4, 6, 4] } };
    for (const S of [[1, 2, 3], { set: [[1, 3]] }])
      expect(await ask("set of int: S;", "x[1]", { S })).toMatchObject({
        ...first,
        keep: { changes: [{ at: "x[2]" }] },
      });
    expect(await ask("set of int: S;", "x[4]", { S: [3, 4, 5] })).toMatchObject({
      keep: { changes: [{ at: "x[3]" }] },
    });
    const computed = "set of int: S = {i | i in 2..4 where i > 1};";
    expect(await ask(computed, "x[#1]")).toMatchObject({ ...first, keep: { changes: [{ at: "x[#2]" }] } });
    expect(await faultOf(ask(computed, "x[2]"))).toMatchObject({ code: "invalid_argument" });
  });

  it("is the solution of another model, data by name, or values, with the model's own objective second", async () => {
    const program = (low: number) => [
      "from ortools.sat.python import cp_model\nm = cp_model.CpModel()\nx = {n: m.new_int_var(0, 20, n) for n in ('Anna', 'Bert')}",
      `m.add(x['Anna'] + x['Bert'] >= ${low})\nm.minimize(3 * x['Anna'] + 2 * x['Bert'])`,
      "s = cp_model.CpSolver()\ns.solve(m)\nexport_solution({'x': x})",
    ];
    const first = await models.call("solve", { language: "ortools", items: program(9), timeout_ms });
    expect(first).toMatchObject({ model: { x: { Anna: 0, Bert: 9 } }, objective: 18 });
    const next = { language: "ortools", items: program(12), timeout_ms };
    const expected = { model: { x: { Anna: 0, Bert: 12 } }, objective: 24, optimal: true };
    const changes = [{ at: "x[Bert]", old: 9, new: 12 }];
    const by_id = await models.call("solve", { ...next, keep: first["model_id"] });
    expect(by_id).toMatchObject({ ...expected, keep: { number: 1, least: true, changes } });
    expect(by_id["message"]).toContain("no others with as few changes have a better objective");
    const by_data = { ...next, data: { plan: first["model"] }, keep: "plan" };
    expect(await models.call("solve", by_data)).toMatchObject({ ...expected, keep: { changes } });
    const weighted = { ...next, keep: { "x[Anna]": 0, x: { Bert: 9 } }, weights: { Bert: 2 } };
    expect(await models.call("solve", weighted)).toMatchObject({
      ...{ model: { x: { Anna: 3, Bert: 9 } }, objective: 27 },
      keep: { number: 1, cost: 1 },
    });
  });

  it("are atoms in ASP, and clauses", async () => {
    const items = [
      "{ on(W,D) : who(W) } = 1 :- day(D). who(anna;bert). day(1..2). #show on/2.",
      "bad(W) :- on(W,1), on(W,2). :~ bad(W). [1,W]",
    ];
    const keep = {
      on: [
        ["anna", 1],
        ["anna", 2],
      ],
    };
    const free = await models.solve("asp", items, timeout_ms, { keep });
    expect(free).toMatchObject({ status: "sat", objective: 1, keep: { number: 0, least: true } });
    const ill = await models.solve("asp", [...items, ":- on(anna,1)."], timeout_ms, { keep });
    expect(ill).toMatchObject({
      objective: 0,
      optimal: true,
      keep: { number: 2, changes: [{ at: "on(anna,1)" }, { at: "on(bert,1)" }] },
    });
    const clauses = [
      "from pysat.solvers import Solver\ns = Solver(name='g4', bootstrap_with=[[1, 2], [-1, -2], [-2, 3]])\ns.solve()\nexport_solution(s, variables={'a': 1, 'rest': [2, 3]})",
    ];
    const sat = await models.solve("pysat", clauses, timeout_ms, { keep: { a: false, rest: [false, true] } });
    expect(sat).toMatchObject({ keep: { number: 1, least: true } });
  });

  it("is a fault where nothing can be kept, or a weight means nothing", async () => {
    const items = ["var 0..3: x;"];
    const wrong = [
      [{ keep: true }, "solve_model" /* no model */],
      [{ keep: { y: 1 } }, "no variable"],
      [{ keep: "nobody" }, "no model or data"],
      [{ keep: { x: 1 }, weights: { z: 2 } }, "that are not in the plan: z"],
      [{ weights: { x: 2 } }, "requires keep"],
      [{ keep: { x: 1 }, count: true }, "keep, count"],
      [{ keep: { x: "one" } }, "wrong form"],
      [{ keep: 3 }, "must be true"],
    ] as const;
    for (const [options, words] of wrong.slice(1)) {
      const fault = await faultOf(models.solve("minizinc", items, timeout_ms, options));
      expect([fault.code, fault.error]).toEqual(["invalid_argument", expect.stringContaining(words)]);
    }
    await models.call("clear_model", { language: "minizinc", model_id: "fresh" });
    await models.call("add_item", { item: "var 0..3: x;", model_id: "fresh" });
    const fault = await faultOf(models.call("solve_model", { model_id: "fresh", keep: true, timeout_ms }));
    expect(fault.error).toContain("no solution to keep");
  });
});
