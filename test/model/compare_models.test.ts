import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { quietContext } from "../../src/kernel/tool.ts";
import { limitReached } from "../../src/kernel/verdict.ts";
import { openToolsets } from "../../src/tools/index.ts";
import { solutionsOf } from "../../src/tools/model/compare/side.ts";
import type { Language } from "../../src/tools/model/language.ts";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";
import { callsOf } from "../support/tools.ts";

/** One small problem in several languages: x and y from 0 to 3, with a rule. */
const minizinc = (rule: string) => `var 0..3: x; var 0..3: y; constraint ${rule}; solve satisfy;`;
const z3 = (rule: string) =>
  `x, y = Ints('x y')\ns = Solver()\ns.add(x >= 0, x <= 3, y >= 0, y <= 3, ${rule})\nexport_solution(solver=s, variables={'x': x, 'y': y})`;
const cpmpy = (rule: string, goal = "") =>
  `m = cp.Model()\nx = cp.intvar(0, 3, name="x")\ny = cp.intvar(0, 3, name="y")\nm += ${rule}\n${goal}`;

describe("the solutions of a model", () => {
  it("have the names of its first answer if the list is cut off", async () => {
    const cut = { verdict: limitReached("time"), statistics: {}, output: [], warnings: [], engine: "" };
    const language: Language = {
      ...{ id: "x", takes: [], slips: [], guide: { name: "x", title: "x", text: "" } },
      check: async () => [],
      plain: async () => ({ files: {}, command: null, needs: "", versions: {} }),
      solve: async () => cut,
    };
    const first = { values: { hits: [2, 4] }, printed: { hits: [2, 4] }, warnings: [] };
    const context = { ...quietContext(), deadline: new Deadline(1000) };
    const found = await solutionsOf({ language, items: [], options: {} }, first, ["hits", "z"], context, 1);
    expect(found).toMatchObject({ is_cut: true, own: first, chosen: { over: ["hits"], is_all: false } });
  });
});

describe.runIf(has_python)("compare_models", () => {
  const models = fixture(shareModels);

  const compare = async (
    [language, model]: readonly [string, string],
    [other_language, other]: readonly [string, string],
    more: Record<string, unknown> = {},
  ) => {
    await models.solve(language, [model]);
    return models.call("compare_models", { model: other, language: other_language, timeout_ms: 120_000, ...more });
  };

  it("proves that models in two languages are equal", async () => {
    const answer = await compare(["minizinc", minizinc("x + y = 3")], ["z3", z3("x == 3 - y")]);
    expect(answer).toMatchObject({ status: "equal", names: { x: "x", y: "y" }, solutions: { model: 4, other: 4 } });
    expect(answer["differences"]).toEqual([]);
  });

  it("shows a solution that only one of them has", async () => {
    const answer = await compare(["z3", z3("x + y <= 1")], ["cpmpy", cpmpy("x + y < 1")]);
    expect(answer).toMatchObject({ status: "allows_more", solutions: { model: 3, other: 1 } });
    const [{ kind, of, values }] = answer["differences"] as [
      { kind: string; of: string; values: { x: number; y: number } },
    ];
    expect([kind, of, values.x + values.y]).toEqual(["solution", "model", 1]);
  });

  it("compares names that differ, lists with objects, and truth values with numbers", async () => {
    const one =
      "b = BoolVector('b', 3)\ns = Solver()\ns.add(PbEq([(each, 1) for each in b], 1))\nexport_solution(solver=s, variables={'chosen': b})";
    const two =
      "m = cp.Model()\np = {i: cp.intvar(0, 1, name=f'p{i}') for i in range(3)}\nm += cp.sum(list(p.values())) == 1\nm.solve()\nexport_solution({'picked': p})";
    const answer = await compare(["z3", one], ["cpmpy", two], { names: { chosen: "picked" } });
    expect(answer).toMatchObject({ status: "equal", names: { chosen: "picked" }, solutions: { model: 3, other: 3 } });
  });

  it("finds that optima are equal and what is feasible is not", async () => {
    const answer = await compare(
      ["cpmpy", cpmpy("x + y <= 2", "m.maximize(2 * x + y)")],
      ["cpmpy", cpmpy("x + y <= 2", "m += y <= 1\nm.maximize(2 * x + y)")],
    );
    expect(answer).toMatchObject({ status: "same_best", objective: { model: 4, other: 4 } });
    expect(answer["differences"]).toMatchObject([{ kind: "solution", of: "model", values: { x: 0, y: 2 } }]);
    expect(answer["message"]).toContain("The best solutions are the same.");
  });

  it("finds that one optimum is not the other one", async () => {
    const answer = await compare(
      ["cpmpy", cpmpy("x + y <= 2", "m.maximize(2 * x + y)")],
      ["cpmpy", cpmpy("x + y <= 2", "m.maximize(x + 2 * y)")],
    );
    expect(answer["differences"]).toMatchObject([
      { kind: "optimum", of: "model", values: { x: 2, y: 0 } },
      { kind: "optimum", of: "other", values: { x: 0, y: 2 } },
    ]);
  });

  it("tells large objectives apart that differ by one", async () => {
    const steep = (goal: string) => cpmpy("(x <= 1) & (y == 0)", goal);
    const answer = await compare(
      ["cpmpy", steep("m.minimize(20000000 + x)")],
      ["cpmpy", steep("m.maximize(20000000 + x)")],
    );
    expect(answer["differences"]).toMatchObject([
      { kind: "optimum", of: "model", values: { x: 0 } },
      { kind: "optimum", of: "other", values: { x: 1 } },
    ]);
  });

  it("compares models without a solution", async () => {
    const none = cpmpy("x + y > 6");
    expect(await compare(["cpmpy", none], ["z3", z3("x + y > 6")])).toMatchObject({ status: "equal" });
    expect(await compare(["cpmpy", none], ["z3", z3("x + y > 5")])).toMatchObject({
      status: "different",
      differences: [{ kind: "solution", of: "other", values: { x: 3, y: 3 } }],
    });
  });

  it("claims nothing of models with more solutions than it compares", async () => {
    const wide = "1 {x(0..99)} 1.";
    expect(await compare(["asp", wide], ["asp", wide], { names: { x: "x" } })).toMatchObject({
      status: "no_difference_found",
    });
  });

  const ortools = (rules: string, ending: string) =>
    `import json\nfrom ortools.sat.python import cp_model\nm = cp_model.CpModel()\n${rules}\ns = cp_model.CpSolver()\ns.solve(m)\n${ending}`;

  /** Three numbers below 100 in Z3, as a list or as an object. */
  const numbers = (rules: readonly string[], shown = "{0: v[0], 1: v[1], 2: v[2]}") =>
    `v = IntVector('v', 3)\ns = Solver()\ns.add([each >= 0 for each in v] + [each < 100 for each in v] + [${rules}])\nexport_solution(solver=s, variables={'v': ${shown}})`;

  it("puts solutions of one into the other, if there are too many to list", async () => {
    const one = ortools(
      "v = [m.new_int_var(0, 99, f'v{i}') for i in range(3)]\nm.add(v[0] < v[1])",
      "export_solution({'v': v})",
    );
    const same = await compare(["ortools", one], ["z3", numbers(["v[0] < v[1]"])]);
    expect(same["status"], JSON.stringify(same)).toBe("no_difference_found");
    const answer = await compare(["z3", numbers(["v[0] < v[1]"], "v")], ["z3", numbers(["v[0] + 50 < v[1]"])]);
    expect(answer).toMatchObject({ status: "allows_more", differences: [{ kind: "solution", of: "model" }] });
  });

  it("compares the optimal solutions of one model with all solutions of a model without an objective", async () => {
    const oneNumber = (least: number, most: number, goal = "") =>
      ["cpmpy", `x = cp.intvar(${least}, ${most}, name="x")\nm = cp.Model(x >= 0)\n${goal}`] as const;
    const goal = oneNumber(0, 3, "m.maximize(x)");
    const answer = await compare(oneNumber(2, 3), goal);
    expect(answer).toMatchObject({ status: "allows_more" });
    const wrong = await compare(oneNumber(0, 2), goal);
    expect(wrong).toMatchObject({ status: "different" });
  });

  it("tests the solutions of a complete list in the other model, too", async () => {
    const few = 'v = cp.intvar(0, 99, shape=3, name="v")\nm = cp.Model(v[0] == 5, v[1] == 3, v[2] <= 1)';
    const answer = await compare(["z3", numbers(["v[0] < v[1]"], "v")], ["cpmpy", few]);
    expect(answer).toMatchObject({ status: "different", differences: [{ of: "other" }, { of: "model" }] });
  });

  it("compares a model with the state before its last edits", async () => {
    const variables = 'x, y = cp.intvar(0, 3, name="x"), cp.intvar(0, 3, name="y")\nm = cp.Model()';
    await models.solve("cpmpy", [variables, "m += x + y == 3"]);
    const first = await faultOf(models.call("compare_models", { timeout_ms: 120_000 }));
    expect(first).toMatchObject({ code: "input_rejected" });
    await models.call("replace_item", { index: 1, new_item: "m += y == 3 - x" });
    const unchanged = await models.call("compare_models", { timeout_ms: 120_000 });
    expect([unchanged["status"], unchanged["message"]]).toEqual([
      "equal",
      expect.stringMatching(/^No solution changes/),
    ]);
    await models.call("solve_model");
    await models.call("add_item", { item: "m += x != 1" });
    const answer = await models.call("compare_models", { timeout_ms: 120_000 });
    expect(answer).toMatchObject({
      status: "excludes_more",
      message: 'Now forbidden: {"x":1,"y":2}.',
      differences: [{ kind: "solution", of: "other", values: { x: 1, y: 2 } }],
    });
    await models.call("solve_model");
    expect(await models.call("compare_models", { timeout_ms: 120_000 })).toMatchObject({ status: "excludes_more" });
  });

  /** One program whose variables have no names for its solver, and one in a function: both print what they found. */
  const truth = (rule: string, printed = "int(v) for v in seats.value()") =>
    `import json\nseats = cp.intvar(0, 9, shape=3)\nm = cp.Model(cp.AllDifferent(seats), ${rule})\nm.solve()\nprint(json.dumps({"seats": [${printed}]}))`;
  const inFunction = (rule: string, shift = "") =>
    `import json\nfrom ortools.sat.python import cp_model\ndef main():\n    model = cp_model.CpModel()\n    s = [model.new_int_var(0, 9, f"s_{i}") for i in range(3)]\n    model.add_all_different(s)\n    model.add(${rule})\n    solver = cp_model.CpSolver()\n    solver.solve(model)\n    print(json.dumps({"seats": [solver.value(v)${shift} for v in s]}))\nmain()`;

  it("puts the answer that a program prints into the variables of that name", async () => {
    const one = ["cpmpy", truth("seats[0] > seats[1]")] as const;
    const wrong = await compare(one, ["ortools", inFunction("s[0] < s[1]")]);
    expect(wrong).toMatchObject({ status: "excludes_more", names: { seats: "seats" }, differences: [{ of: "other" }] });
    const right = await compare(one, ["ortools", inFunction("s[0] > s[1] + 2")]);
    expect(right["status"], JSON.stringify(right)).toBe("no_difference_found");
    const turned = await compare(["ortools", inFunction("s[0] < s[1]")], one);
    expect(turned).toMatchObject({ status: "allows_more", differences: [{ of: "model" }] });
  });

  it.each([
    ["a wrong value", '"E": int(m.objective_value()) + 1', "excludes_more", ["x", "E"]],
    ["a right value", '"E": int(m.objective_value())', "no_difference_found", ["x"]],
    ["another form", '"E": "low"', "no_difference_found", ["x"]],
    ["a name that is no expression there", '"F": 7', "no_difference_found", ["x"]],
  ])("puts %s that only one program prints into the expression of that name", async (_, printed, status, names) => {
    const program = (more = "") =>
      `import json\nx = cp.intvar(0, 3, shape=3)\nE = cp.sum([each * each for each in x])\nF = 3\nm = cp.Model(cp.sum(x) == 5)\nm.minimize(E)\nm.solve()\nprint(json.dumps({"x": [int(v) for v in x.value()]${more}}))`;
    const answer = await compare(["cpmpy", program()], ["cpmpy", program(`, ${printed}`)]);
    expect(answer, JSON.stringify(answer)).toMatchObject({ status });
    expect(Object.keys(answer["names"] as object)).toEqual(names);
    if (status === "excludes_more") expect(answer["differences"]).toMatchObject([{ of: "other" }]);
  });

  it("proves nothing of what is printed, although it is the solver's value in the one answer", async () => {
    const x = "x = m.new_int_var(-3, 3, 'x')\nm.maximize(x)";
    const printed = ortools(x, "print(json.dumps({'x': abs(s.value(x))}))");
    const answer = await compare(["ortools", printed], ["ortools", ortools(x, "")]);
    expect(answer).toMatchObject({ status: "no_difference_found", warnings: [expect.stringContaining("For a proof")] });
  });

  it.each([
    ["excludes", "m.add(y == 0)\nm.maximize(100 * x + 100 * y - z)", "solution"],
    ["finds worse", "m.add(x + y <= 1)\nm.maximize(100 * x + 30 * y - z)", "optimum"],
  ])("finds a best solution that the other model %s beside a difference of others", async (_, rules, kind) => {
    const variables = "x, y, z = (m.new_int_var(0, most, name) for most, name in ((1, 'x'), (1, 'y'), (60, 'z')))";
    const ending = "export_solution({'x': x, 'y': y, 'z': z})";
    const own = `${variables}\nm.add(x + y == 1)\nm.add(z == 0)\nm.maximize(100 * x + 100 * y - z)`;
    const answer = await compare(
      ["ortools", ortools(own, ending)],
      ["ortools", ortools(`${variables}\n${rules}`, ending)],
    );
    expect(answer["status"]).toBe("allows_more");
    expect(answer["differences"]).toContainEqual(
      expect.objectContaining({ kind, of: "model", values: { x: 0, y: 1, z: 0 } }),
    );
  });

  it("compares predicates of answer sets that have no atoms in some of them", async () => {
    const asp = (rule: string, more = "") => ["asp", `s(1..2). {pick(N)} :- s(N)${rule}. ${more}`] as const;
    expect(await compare(asp(""), asp(", N >= 1"))).toMatchObject({
      status: "equal",
      names: { s: "s", pick: "pick" },
      solutions: { model: 4, other: 4 },
    });
    expect(await compare(asp(""), asp(", N > 1"))).toMatchObject({
      status: "allows_more",
      differences: [{ of: "model" }],
    });
    expect(await compare(asp("", "{a; b}."), asp("", "{a; b}. :- b, a."))).toMatchObject({ status: "allows_more" });
  });

  it("proves nothing in names by which not all solutions are told apart", async () => {
    const answer = await compare(["asp", "s(1..2). {pick(N)} :- s(N)."], ["asp", "s(1..2). {pick(N)} :- s(N), N < 1."]);
    expect(answer).toMatchObject({
      status: "no_difference_found",
      names: { s: "s" },
      reason: "solutions differ in names that are not compared",
      warnings: ["Not compared, of the model: pick."],
    });
  });

  it("compares what is printed, where a solver has another value under the same name", async () => {
    const printed = truth("seats[0] == 3, seats[1] < 5, seats[2] < 5", "int(v) + 1 for v in seats.value()");
    const right = await compare(["cpmpy", truth("seats[0] == 4")], ["cpmpy", printed]);
    expect(right["status"], JSON.stringify(right)).toBe("no_difference_found");
    const wrong = await compare(["cpmpy", truth("seats[0] == 3")], ["cpmpy", printed]);
    expect(wrong).toMatchObject({ status: "excludes_more", differences: [{ kind: "solution", of: "other" }] });
  });

  it("refuses values that do not correspond", async () => {
    const text = "C, (Red, Blue) = EnumSort('C', ['Red', 'Blue'])\nx = Const('x', C)\ns = Solver()\ns.add(x == x)";
    await models.solve("z3", [text]);
    for (const other of [z3("x < 2"), "z = Int('z')\ns = Solver()\ns.add(z >= 0, z <= 3)"])
      expect(
        await faultOf(models.call("compare_models", { model: other, language: "z3", timeout_ms: 120_000 })),
      ).toMatchObject({
        code: "invalid_argument",
      });
  });

  it("takes a single name for the id of a model, and names the models if there is none with it", async () => {
    await models.solve("asp", ["{b}."]);
    const fault = await faultOf(models.call("compare_models", { model: "m999" }));
    expect(fault).toMatchObject({ code: "invalid_argument", error: expect.stringContaining('no model "m999"') });
    expect(fault.remedy).toMatch(/existing model: \w/);
    await models.solve("asp", ["{a}."]);
    expect(await models.call("compare_models", { model: "a.", language: "asp" })).toMatchObject({
      status: "allows_more",
    });
  });

  const session = () =>
    callsOf(openToolsets(models.engines, readConfig({}, process.env)).flatMap((set) => set.session()));

  it("shows first where two solutions differ, and at most 20 such places", async () => {
    const call = session();
    const text = (value: number) => `x = cp.intvar(0, 1, shape=30, name="x")\nm = cp.Model(cp.all(x == ${value}))`;
    await call("solve", { language: "cpmpy", model: text(1) });
    const shown = (await call("compare_models", { model: text(0), timeout_ms: 120_000 })).text.join("\n");
    expect(shown).toMatch(/^Different: .*\nFrom model to other .*:\n {2}x\[0\]: 1 -> 0\n/);
    expect(shown.match(/^ {2}.* -> /gm)).toHaveLength(20);
    expect(shown).toContain("and 10 more");
  });

  it("names the current model and its fault if its solve ended with one", async () => {
    const call = session();
    await call("solve", { language: "minizinc", model: "var 0..3: x;" });
    await faultOf(call("solve", { language: "minizinc", model: "int: n = 0; var 0..3: x = 1 div n;" }));
    const step = /\(1\) this is about the current model (m\d+), whose solve ended with: .*zero.*pass model_id/;
    expect((await faultOf(call("compare_models", { model: "var 0..2: x;" }))).remedy).toMatch(step);
    expect((await faultOf(call("solve_model"))).remedy).toMatch(step);
    await call("replace_item", { index: 0, new_item: "var 0..3: x;" });
    expect((await call("compare_models", { model: "var 0..3: x;" })).structured).toMatchObject({ status: "equal" });
  });
});
