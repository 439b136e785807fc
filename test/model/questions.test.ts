import { describe, expect, it } from "vitest";
import { quickest_clingo } from "../support/asp.ts";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { compiles_quickly } from "../support/minizinc.ts";
import { has_python, shareModels } from "../support/models.ts";
import { assertAnswers } from "../support/random_questions.ts";

const box = "x, y = Ints('x y')\ns = Solver()\ns.add(x >= 0, x <= 3, y >= 0, y <= 3)";
const shop = "x, y = Ints('x y')\ns = Optimize()\ns.add(x >= 0, x <= 3, y >= 0, y <= 3, x + y <= 4)\ns.maximize(x + y)";
const both = "export_solution(solver=s, variables={'x': x, 'y': y})";

describe.runIf(has_python)("questions about all solutions", () => {
  const models = fixture(shareModels);

  const asked = (language: string, items: readonly string[], question: Record<string, unknown>, timeout_ms = 60_000) =>
    models.solve(language, items, timeout_ms, question);

  it("count what differs in the named values, whatever else differs", async () => {
    const answer = await asked("z3", [box, "s.add(x != 1)", "export_solution(solver=s, variables={'x': x})"], {
      count: true,
    });
    expect(answer["count"]).toEqual({ number: 3, exact: true, over: ["x"], method: "enumeration with Z3" });
    expect(answer["message"]).toContain("exactly 3 solutions, distinguished by x");
  });

  it("are about the variables themselves where the program exports numbers that it read", async () => {
    const read =
      "s.check()\nm = s.model()\nexport_solution(solver=s, variables={'x': m[x], 'twice': m[x].as_long() * 2})";
    const answer = await asked("z3", [box, "s.add(x + y == 2)", read], { count: true });
    expect(answer["count"]).toMatchObject({ number: 3, exact: true, over: ["x", "y"] });
    expect(answer.warnings.join()).toContain(
      "the solver does not choose them, or their values can't be compared: x, twice",
    );
  });

  it("leave out what can't be compared, and say so", async () => {
    const items = ["x = Int('x')\nf = Function('f', IntSort(), IntSort())", "And(x >= 0, x < 2, f(x) > 0)"];
    const answer = await asked("z3", items, { count: true });
    expect(answer["count"]).toMatchObject({ number: 2, exact: true, over: ["x"] });
    expect(answer.warnings.join()).toContain("can't be compared: f");
  });

  it("count at least some of infinitely many", async () => {
    const answer = await asked("z3", ["r = Real('r')", "And(r > 0, r < 1)"], { count: true }, 2_500);
    expect(answer["count"]).toMatchObject({ exact: false, over: ["r"] });
    expect(answer["message"]).toContain("at least");
    expect(answer.warnings.join()).toContain("count is not complete: the time ran out");
  });

  it("keep a constraint that the program names", async () => {
    const answer = await asked("z3", [box, "s.assert_and_track(x + y >= 6, 'rule')", both], { count: true });
    expect(answer["count"]).toMatchObject({ number: 1, exact: true });
  });

  it("say which clauses they are about where the program added some between its solves", async () => {
    const steps =
      "s = Solver(name='g4', bootstrap_with=[[1, 2, 3]])\ns.solve()\ns.get_model()\ns.add_clause([-1])\ns.solve()\nm = s.get_model()";
    const lists = "export_solution({'satisfiable': True, 'first': m[0] > 0})";
    const answer = await asked("pysat", ["from pysat.solvers import Solver", steps, lists], { count: true });
    expect(answer["count"]).toMatchObject({ number: 7, exact: true });
    expect(answer.warnings.join()).toContain("about the 1 clauses of the first solve(), without the 1 that were added");
  });

  it("tell variables apart that have one name, in clauses", async () => {
    const pools =
      "p, q = IDPool(), IDPool(start_from=10)\ns = Solver(name='g4', bootstrap_with=[[p.id('x'), q.id('x')]])\ns.solve()";
    const lists = "export_solution({'satisfiable': True, 'first': s.get_model()[0] > 0})";
    const items = ["from pysat.solvers import Solver\nfrom pysat.formula import IDPool", pools, lists];
    expect((await asked("pysat", items, { count: true }))["count"]).toMatchObject({ number: 3, over: ["x", "x#10"] });
  });

  it("leave out expressions with decimals", async () => {
    const model = "m = cp_model.CpModel()\nx = m.new_int_var(3, 9, 'x')\ns = cp_model.CpSolver()\ns.solve(m)";
    const items = ["from ortools.sat.python import cp_model", model, "export_solution({'x': x, 'half': 0.5 * x})"];
    const answer = await asked("ortools", items, { count: true });
    expect(answer["count"]).toMatchObject({ number: 7, exact: true, over: ["x"] });
    expect(answer.warnings.join()).toContain("half");
  });

  it("count only solutions in which all is defined: also of one row of an order", async () => {
    const items = ["m = cp.Model()\nx, b = cp.intvar(0, 2, name='x'), cp.boolvar(name='b')"];
    const answer = await asked("cpmpy", [...items, "m += cp.LexChainLess([[x, x // b]])"], { count: true });
    expect(answer["count"]).toMatchObject({ number: 3, exact: true, over: ["x", "b"] });
  });

  it("have no solutions to count in a model without any", async () => {
    const answer = await asked("z3", [box, "s.add(x > 5)", both], { count: true });
    expect(answer).toMatchObject({ status: "unsat", count: { number: 0, exact: true } });
  });

  it.each(["count", "backbone", "diverse"])(
    "say what a solver has besides clauses, which %s does not know",
    async (name) => {
      const native = "from pysat.solvers import Solver\ns = Solver(name='minicard', bootstrap_with=[[1, 2], [-1, 3]])";
      const items = [native, "s.add_atmost([1, 2, 3], 1)\ns.solve()\nexport_solution(s, variables={'a': 1, 'b': 2})"];
      const answer = await asked("pysat", items, { [name]: name === "diverse" ? 2 : true });
      expect(answer).toMatchObject({ status: "sat", model: { a: false, b: true } });
      expect(answer.warnings).toContain(`${name} has no answer: it has constraints other than clauses.`);
    },
  );

  it("are about the optimal solutions of a model with an objective", async () => {
    expect((await asked("z3", [shop, both], { count: true }))["count"]).toMatchObject({ number: 3, exact: true });
    const fixed = await asked("z3", [shop, "s.add(x <= 1)", both], { backbone: true });
    expect(fixed["backbone"]).toEqual({ values: { x: 1, y: 3 }, free: [], undecided: [], over: ["x", "y"] });
  });

  it("find what all solutions share, by the paths of values", async () => {
    const rows = "export_solution(solver=s, variables={'row': [x, y], 'by': {'sum': x + y}})";
    const answer = await asked("z3", [box, "s.add(x + y == 5, x > 1)", rows], { backbone: true });
    expect(answer["backbone"]).toMatchObject({ values: { "by.sum": 5 }, free: ["row[0]", "row[1]"], undecided: [] });
  });

  it("rank the best solutions, and say whether the last one has equals", async () => {
    const answer = await asked("z3", [shop, both], { k_best: 4 });
    expect(answer["k_best"]).toMatchObject({ objectives: [4, 4, 4, 3], proved: 4, is_all: false, has_tie: true });
    expect(answer["solutions"]).toHaveLength(4);
  });

  it("say how many values differ between solutions far apart", async () => {
    const answer = await asked("z3", [box, both], { diverse: 3 });
    expect(answer["diverse"]).toEqual({ distances: [2, 2], farthest: [true, true], is_all: false, over: ["x", "y"] });
    const two = await asked("z3", [box, "s.add(x == 0, y < 2)", both], { diverse: 3 });
    expect(two["diverse"]).toMatchObject({ distances: [1], is_all: true });
  });

  it.each([
    [[box, both], { k_best: 2 }, "k_best needs an objective"],
    [[box, both], { count: true, backbone: true }, "One call answers one of these questions: count, backbone"],
    [[shop, both], { diverse: 2, k_best: 2 }, "k_best, diverse"],
  ])("are refused where they ask nothing or two things: %j %j", async (items, question, error) => {
    const fault = await faultOf(asked("z3", items, question));
    expect(fault).toMatchObject({ code: "invalid_argument", error: expect.stringContaining(error) });
  });

  it.each([
    ["z3", ["x = Int('x')\ns = Solver()\ns.add(x > 1, x < 2)", "export_solution(solver=s)"]],
    ["pysat", ["s = Cadical153(bootstrap_with=[[1], [-1]])", "export_solution({'satisfiable': s.solve()})"]],
    ["minizinc", ["var 1..2: x;", "constraint x > 2;", "solve satisfy;"]],
    ["asp", ["a. :- a."]],
    ["cpmpy", ["m = cp.Model()\nx = cp.intvar(0, 1, name='x')", "m += x > 1"]],
  ] as const)("refuse a ranking without an objective also where there is no solution (%s)", async (language, items) => {
    const fault = await faultOf(asked(language, items, { k_best: 2 }));
    expect(fault).toMatchObject({ code: "invalid_argument", error: expect.stringContaining("k_best needs an obj") });
  });

  it.each([
    ["the auxiliary variables of encodings", "for c in at_most_k(list(range(1, 21)), 3): cnf.append(c)", 1351],
    ["parts that share no variable", "for i in range(1, 101, 2): cnf.append([i, i + 1])", `${3n ** 50n}`],
    ["variables that nothing decides", "cnf.append([1, 2])\ncnf.append([3, -3])", 6],
  ])("count clauses exactly beside %s", async (_, clauses, number) => {
    const end =
      "s = Cadical153(bootstrap_with=cnf)\nif s.solve(): export_solution({'satisfiable': True, 'm': s.get_model()})";
    const answer = await asked("pysat", ["cnf = CNF()", clauses, end], { count: true });
    expect(answer["count"]).toMatchObject({ number, exact: true });
  });

  it("rank the solutions of soft clauses, by the names of their variables", async () => {
    const soft = "w = WCNF()\nw.append([1, 2])\nfor i in (1, 2, 3): w.append([-i], weight=i)\nr = RC2(w)";
    const end = "export_solution(r, variables={'a': 1, 'b': 2, 'c': 3})";
    const answer = await asked("pysat", [soft, end], { k_best: 3 });
    expect(answer["k_best"]).toMatchObject({ objectives: [1, 2, 3], proved: 3, has_tie: false });
    expect((await asked("pysat", [soft, end], { backbone: true }))["backbone"]).toMatchObject({
      values: { a: true, b: false, c: false },
    });
  });

  it("count queens in CPMpy", async () => {
    const queens = "n = 6\nq = cp.intvar(1, n, shape=n, name='q')\nm = cp.Model(cp.AllDifferent(q))";
    const more =
      "m += cp.AllDifferent([q[i] + i for i in range(n)])\nm += cp.AllDifferent([q[i] - i for i in range(n)])";
    expect((await asked("cpmpy", [queens, more], { count: true }))["count"]).toMatchObject({ number: 4, exact: true });
  });

  it("tell solutions of MiniZinc apart by what can be compared", async () => {
    const model = [
      "enum C = {Red, Green}; array[1..2] of var C: c; var 0..3: x; var set of 1..2: s;",
      "constraint c[1] = Red;",
    ];
    // A thousandth of the time would not be enough to compile the model.
    const two = [...model, "constraint s = {1} /\\ x > 2; solve maximize x;"];
    const ranked = await asked("minizinc", two, { k_best: 1_000 });
    expect(ranked["k_best"]).toMatchObject({ objectives: [3, 3], proved: 2, is_all: true, over: ["c", "x"] });
    if (!compiles_quickly) return;
    const apart = await asked("minizinc", two, { diverse: 1_000 });
    expect(apart["diverse"]).toMatchObject({ distances: [1], farthest: [true], is_all: true });
    const fixed = await asked("minizinc", [...model, "solve maximize x;"], { backbone: true });
    expect(fixed["backbone"]).toMatchObject({ values: { "c[0]": "Red", x: 3 }, free: ["c[1]"], undecided: [] });
    expect(fixed.warnings.join()).toContain("can't be compared: s");
  });

  it("tell answer sets apart by their shown atoms, of the best costs", async () => {
    const program = ["{a; b; c; d}. :- not a.", "#minimize {1 : b; 2 : c}. #show a/0. #show b/0. #show c/0."];
    expect((await asked("asp", program, { count: true }))["count"]).toMatchObject({ number: 1, exact: true });
    expect((await asked("asp", program, { k_best: 3 }))["k_best"]).toMatchObject({
      objectives: [0, 1, 2],
      has_tie: false,
    });
    const free = ["{a; b}. :- not a."];
    expect((await asked("asp", free, { backbone: true }))["backbone"]).toMatchObject({
      values: { a: true },
      free: ["b"],
    });
    expect((await asked("asp", free, { diverse: 4 }))["diverse"]).toMatchObject({ distances: [1], is_all: true });
    const hidden = await asked("asp", ["{a}. b :- not b, not a. #show b/0."], { count: true });
    expect(hidden.warnings.join()).toContain("no shown atom holds in any answer set");
    const terms = await asked("asp", ["{a}. #show t : a."], { diverse: 2 });
    expect(terms.warnings.join()).toContain("diverse has no answer: the program shows terms");
  });

  // Each answer of the embedded clingo takes several processes.
  it.each([
    ["z3", 2],
    ["cpmpy", 2],
    ["ortools", 2],
    ["asp", quickest_clingo === "wasm" ? 1 : 2],
  ])("are answered right for random models in %s", (language, runs) => assertAnswers(models, language, runs));
});
