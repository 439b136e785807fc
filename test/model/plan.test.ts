import { describe, expect, it } from "vitest";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";
import { assertPlans } from "../support/random_questions.ts";

const timeout_ms = 60_000;

describe.runIf(has_python)("values that somebody proposes", () => {
  const models = fixture(shareModels);

  let count = 0;
  const kept = async (language: string, items: readonly string[]) => {
    const model_id = `plan${count++}`;
    await models.call("clear_model", { language, model_id });
    for (const item of items) await models.call("add_item", { item, model_id });
    return model_id;
  };
  const checked = async (language: string, items: readonly string[], values: Record<string, unknown>) => {
    const model_id = await kept(language, items);
    return models.call("check_plan", { model_id, values, timeout_ms });
  };

  it.each(["minizinc", "asp", "z3", "ortools", "cpmpy"])(
    "are what enumeration says in %s",
    async (language) => assertPlans(models, language, language === "minizinc" ? 2 : 4),
    240_000,
  );

  const roster = [
    "enum Who = {Anna, Bert, 'Eva M.'}; enum Day = {Mon, Tue};",
    "array[Day] of var Who: on; array[Who, Day] of var 0..1: late; var set of 1..4: rooms; var opt 1..3: spare;",
    "constraint on[Mon] != on[Tue];",
    "constraint sum(w in Who)(late[w, Mon]) = 1;\nconstraint card(rooms) = 2;",
    "solve maximize sum(r in rooms)(r);",
  ];

  it("have the form of answers in MiniZinc: enums, sets, absent values, arrays of two dimensions", async () => {
    const model_id = await kept("minizinc", roster);
    const { model } = await models.call("solve_model", { model_id, timeout_ms });
    expect(model).toMatchObject({ rooms: [3, 4] });
    const own = await models.call("check_plan", { model_id, values: model, timeout_ms });
    expect(own).toMatchObject({ status: "valid", objective: 7, values: model, broken: [], not_compared: [] });
    const values = { on: ["Anna", null], late: { "Eva M.": { Mon: 1 } }, rooms: [1, 2], spare: null };
    const some = await models.call("check_plan", { model_id, values, timeout_ms });
    expect(some).toMatchObject({ status: "valid", objective: 3, values: { rooms: [1, 2], spare: null } });
    const twice = { on: ["Anna", "Anna"], rooms: [1, 2, 3], late: { Anna: { Mon: 1 } } };
    const broken = await models.call("check_plan", { model_id, values: twice, timeout_ms });
    expect(broken["status"]).toBe("invalid");
    expect(broken["broken"]).toMatchObject([
      { item: 2, line: 1 },
      { item: 3, line: 2 },
    ]);
  });

  it.each([
    ["minizinc", ["var 0..100: x; var 0..100: y;", "constraint x + y <= 50;"]],
    [
      "ortools",
      [
        "from ortools.sat.python import cp_model\nm = cp_model.CpModel()\nx = m.new_int_var(0, 100, 'x')\ny = m.new_int_var(0, 100, 'y')",
        "m.add(x + y <= 50)",
        "s = cp_model.CpSolver()\ns.solve(m)",
      ],
    ],
  ])("break lines by an amount in %s", async (language, items) => {
    const { broken } = await checked(language, items, { x: 40, y: 30 });
    expect(broken).toMatchObject([{ item: 1, line: 1, by: 20 }]);
  });

  it("are faults where the model has no such name or form", async () => {
    const model_id = await kept("minizinc", roster);
    const wrong = [
      [{ nobody: 1 }, "no variable"],
      [{ on: ["Anna"] }, "a different number"],
      [{ on: "Anna" }, "wrong form"],
      [{ on: ["Zoe", "Anna"] }, "does not allow the plan's values"],
      [{ on: ["Anna", "true); constraint (false"] }, "does not allow the plan's values"],
      [{ rooms: 3 }, "wrong form"],
    ] as const;
    for (const [values, words] of wrong) {
      const fault = await faultOf(models.call("check_plan", { model_id, values, timeout_ms }));
      expect([fault.code, fault.error]).toEqual(["invalid_argument", expect.stringContaining(words)]);
    }
  });

  it("are atoms of answer sets, by predicate", async () => {
    const items = [
      'city("a b"; c).\n1 { visit(X, 1..3) } 1 :- city(X).',
      ":- visit(X, N), visit(Y, N), X != Y.",
      "on :- visit(c, 2).",
    ];
    const visits = [
      ['visit("a b",1)', "visit(c,2)"],
      ['visit("a b",2)', "visit(c,2)"],
    ];
    expect(await checked("asp", items, { atoms: visits[0] })).toMatchObject({ status: "valid" });
    expect(
      await checked("asp", items, {
        visit: [
          ["a b", 1],
          ["c", 3],
        ],
        on: false,
      }),
    ).toMatchObject({ status: "valid" });
    expect(
      await checked("asp", items, {
        visit: [
          ["a b", 1],
          ["c", 3],
        ],
        on: true,
      }),
    ).toMatchObject({ status: "invalid" });
    expect(await checked("asp", items, { atoms: visits[1] })).toMatchObject({
      status: "invalid",
      broken: [{ item: 1, line: 1 }, { item: 1 }],
    });
    const fault = await faultOf(checked("asp", items, { atoms: ["visit(c,2). on"] }));
    expect(fault.error).toContain("An atom of the plan has the wrong form");
  });

  it("are compared exactly in Z3: fractions, texts, floats, bit vectors, irrational numbers", async () => {
    const items = [
      "r, q = Reals('r q')\nt = String('t')\nf = FP('f', Float32())\nb = BitVec('b', 8)\nc = EnumSort('C', ['red', 'blue'])[0]\nk = Const('k', c)\ns = Solver()",
      "s.add(3 * r == 1, q * q == 2, q > 0, Length(t) == 2, f > 0, b > 250)",
      "export_solution(solver=s, variables={'r': r, 'q': q, 't': t, 'f': f, 'b': b, 'k': k})",
    ];
    const model_id = await kept("z3", items);
    const { model } = await models.call("solve_model", { model_id, timeout_ms });
    const own = await models.call("check_plan", { model_id, values: model, timeout_ms });
    expect(own).toMatchObject({ status: "valid", values: model });
    const near = await models.call("check_plan", { model_id, values: { r: 0.333333333333 }, timeout_ms });
    expect(near["status"]).toBe("invalid");
    const other = await models.call("check_plan", {
      model_id,
      values: { t: "\\u{41}", b: 255, k: "blue" },
      timeout_ms,
    });
    expect(other["status"]).toBe("invalid");
    const fault = await faultOf(models.call("check_plan", { model_id, values: { k: "green" }, timeout_ms }));
    expect(fault.error).toContain("k can't have the value");
  });

  it("are not compared with a variable of the same name that the program does not show", async () => {
    const box = "x, y = Ints('x y')\ns = Solver()\ns.add(x == 1, y >= 2, y <= 3)\ns.check()\nm = s.model()";
    const twice = [box, "export_solution(solver=s, variables={'x': m[x].as_long() * 2, 'y': m[y]})"];
    expect(await checked("z3", twice, { x: 2 })).toMatchObject({ status: "unknown" });
    const read = [box, "export_solution(solver=s, variables={'x': m[x].as_long(), 'y': m[y]})"];
    expect(await checked("z3", read, { x: 1, y: 3 })).toMatchObject({ status: "valid", not_compared: [] });
    expect(await checked("z3", read, { x: 2 })).toMatchObject({ status: "invalid" });
  });

  it("can be checked against clauses, and by a program that exports nested values", async () => {
    const clauses = [
      "from pysat.solvers import Solver\ns = Solver(name='g4', bootstrap_with=[[1, 2], [-1, -2]])\ns.solve()\nexport_solution(s, variables={'a': 1, 'rest': [2]})",
    ];
    expect(await checked("pysat", clauses, { a: true, rest: [false] })).toMatchObject({ status: "valid" });
    expect(await checked("pysat", clauses, { a: true, rest: [true] })).toMatchObject({ status: "invalid" });
    expect(await checked("pysat", clauses, { a: true })).toMatchObject({
      status: "valid",
      values: { a: true, rest: [false] },
    });
  });

  it("break lines of Python programs", async () => {
    const sets = [
      "m = cp_model.CpModel()\nx = [m.new_int_var(0, 5, f'x{i}') for i in range(3)]",
      "m.add(x[0] + x[1] <= 4)\nm.add(x[1] != x[2])\nm.add(x[0] >= 1)\nm.maximize(sum(x))",
      "s = cp_model.CpSolver()\ns.solve(m)\nexport_solution({'x': x})",
    ];
    const answer = await checked("ortools", ["from ortools.sat.python import cp_model", ...sets], { x: [3, 2, 2] });
    expect(answer).toMatchObject({ status: "invalid", best: { value: 9, proved: true } });
    expect(answer["broken"]).toMatchObject([
      { item: 2, line: 1 },
      { item: 2, line: 2 },
    ]);
    const own = "import cpmpy as cp\nx = cp.intvar(0, 5, shape=3, name='x')\nm = cp.Model()";
    const rules = "m += x[0] + x[1] <= 4\nm += x[1] != x[2]\nm += x[0] >= 1\nm.solve()\nexport_solution({'x': x})";
    const other = await checked("cpmpy", [own, rules], { x: [3, 2, 2] });
    expect(other["broken"]).toMatchObject([
      { item: 1, line: 1 },
      { item: 1, line: 2 },
    ]);
  });

  it("break rules of the checker, too", async () => {
    const items = [
      "var 1..9: x; var 1..9: y;",
      "constraint x < y;",
      "def violations(values, data):\n    if values['x'] == 2:\n        yield 'x is 2'",
    ];
    expect(await checked("minizinc", items, { x: 2, y: 3 })).toMatchObject({
      status: "invalid",
      message: expect.stringContaining("although the model allows it"),
      violations: ["x is 2"],
      broken: [],
    });
    expect(await checked("minizinc", items, { x: 2, y: 1 })).toMatchObject({
      status: "invalid",
      message: expect.stringMatching(/violate rules of the checker, too\.$/),
      violations: ["x is 2"],
      broken: [{ item: 1 }],
    });
  });
});
