import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";
import { privatePython, real_setup_ms_max } from "../support/python.ts";

const begin = `from ortools.math_opt.python import mathopt
m = mathopt.Model()
a, b = m.add_variable(lb=0, ub=1, name="a"), m.add_variable(lb=0, ub=2.5, name="b")`;
const diet = [begin, "m.add_linear_constraint(a + b <= 2.7)", "m.maximize(2 * a + b)"];

describe.skipIf(!has_python)("models for MathOpt", () => {
  const models = fixture(shareModels);

  it.each([
    ["that the program leaves to us", "", "duality"],
    ["by HiGHS", "mathopt.solve(m, mathopt.SolverType.HIGHS)", "duality"],
    ["by GLOP", "mathopt.solve(m, mathopt.SolverType.GLOP)", "duality"],
    ["by SCIP", "mathopt.solve(m, mathopt.SolverType.GSCIP)", "z3"],
    ["by PDLP, which only comes close", "mathopt.solve(m, mathopt.SolverType.PDLP)", "z3"],
  ])("have an optimum that is confirmed in fractions within a tolerance, %s", async (_what, solve, by) => {
    const answer = await models.solve("ortools", solve === "" ? diet : [...diet, solve]);
    expect(answer).toMatchObject({ status: "sat", optimal: true, confirmed: true, confirmed_by: [by] });
    expect(answer["objective_value"]).toBeCloseTo(3.7, 5);
    expect(answer["statistics"]).toMatchObject({ mathopt_status: "OPTIMAL", tolerance: 1e-6 });
  });

  it("of many reals have an optimum that is confirmed, where the values are rounded", async () => {
    const transport = `from ortools.math_opt.python import mathopt
m = mathopt.Model()
x = [[m.add_variable(lb=0, name=f"x{i}_{j}") for j in range(14)] for i in range(14)]
for i in range(14):
    m.add_linear_constraint(sum(x[i]) <= 10.1 + i / 7)
    m.add_linear_constraint(sum(row[i] for row in x) >= 9.3 + (i * 5 % 11) / 13)
m.minimize(sum(((i * 31 + j * 17) % 23 + 0.7) * x[i][j] for i in range(14) for j in range(14)))`;
    const answer = await models.solve("ortools", [transport]);
    expect(answer).toMatchObject({ status: "sat", optimal: true, confirmed_by: ["duality"] });
  });

  it("are infeasible only when that is proved in fractions, too, with the lines that conflict", async () => {
    const items = [begin, "m.add_linear_constraint(a + b >= 2.7)\nm.add_linear_constraint(a <= 0.9)"];
    const answer = await models.solve("ortools", [...items, "m.add_linear_constraint(a + 2 * b <= 0.4)"]);
    expect(answer).toMatchObject({ status: "unsat", confirmed_by: ["duality"] });
    expect(answer["unsat_items"]).toMatchObject([
      { item: 1, line: 1 },
      { item: 2, line: 1 },
    ]);
  });

  it("have no optimum and no unsat by a floating-point solver's word alone", async () => {
    // Too many combinations for a fifth of a second of Z3.
    const large = `from ortools.math_opt.python import mathopt
m = mathopt.Model()
x = [m.add_integer_variable(lb=0, ub=9, name=f"x{i}") for i in range(40)]
for k in range(20):
    m.add_linear_constraint(sum(((i * 37 + k * 53) % 19 + 1) * x[i] for i in range(40)) <= 1000 + 7 * k)`;
    const goal = "m.maximize(sum(((i * 17) % 23 + 1.5) * x[i] for i in range(40)))";
    const answer = await models.solve("ortools", [large, goal]);
    expect(answer).toMatchObject({ status: "sat", optimal: false, confirmed: false });
    expect(answer["unconfirmed"]).toContain("HiGHS computes with floating-point numbers");
    // At a limit, the solver's bound on the objective is a claim, too.
    const limited = "mathopt.solve(m, mathopt.SolverType.HIGHS, params=mathopt.SolveParameters(solution_limit=1))";
    const stopped = await models.solve("ortools", [large, goal, limited]);
    expect(stopped).toMatchObject({ status: "sat", optimal: false, statistics: { claimed_bound: expect.any(Number) } });
    expect(stopped["objective_bound"]).toBeUndefined();
    const parity = "m.add_linear_constraint(2 * sum(x[:20]) - 2 * sum(x[20:]) == 1)";
    const impossible = await models.solve("ortools", [large, parity]);
    if (impossible["confirmed_by"] === undefined)
      expect(impossible).toMatchObject({ status: "unknown", satisfiable: null });
  });

  it("of decimals mean the decimals: what holds for tenths holds", async () => {
    const tenths = "m.add_linear_constraint(a == 0.1)\nm.add_linear_constraint(b == 0.2)";
    const answer = await models.solve("ortools", [begin, tenths, "m.add_linear_constraint(a + b <= 0.3)"]);
    expect(answer).toMatchObject({ status: "sat", model: { a: 0.1, b: 0.2 }, warnings: [] });
    expect(answer["statistics"]).toMatchObject({ largest_violation: 0 });
  });

  it("have no optimum that is reached within the tolerance only", async () => {
    // At 0 the row is missed by 1e-6, which is worth 1000 in the objective: the best exact solution costs 1000.
    const little = `n = m.add_integer_variable(lb=0, ub=3, name="n")
m.add_linear_constraint(a + b >= 1e-6)
m.add_linear_constraint(a - b + n == 0)`;
    const answer = await models.solve("ortools", [begin, little, "m.minimize(1e9 * a + 1e9 * b + n)"]);
    expect(answer).toMatchObject({ status: "sat", objective_value: 0, optimal: false });
  });

  it.each([
    ["tiny weights of real variables", "add_variable", "1e-8 * x + 2e-8 * y"],
    ["tiny weights of whole variables", "add_integer_variable", "1e-8 * x + 2e-8 * y"],
    ["a large constant", "add_variable", "1e-8 * x + 2e-8 * y + 1000000"],
    ["whole variables, of which HiGHS finds the best", "add_integer_variable", "1.5 * x + 3 * y"],
  ])("have no optimum that is worse by a fifth, with %s", async (_what, add, goal) => {
    const variables = `from ortools.math_opt.python import mathopt
m = mathopt.Model()
x, y = m.${add}(lb=0, ub=5, name="x"), m.${add}(lb=0, ub=5, name="y")`;
    const rest = ["m.add_linear_constraint(x + y <= 7)", `m.maximize(${goal})`];
    const { model, optimal } = await models.solve("ortools", [variables, ...rest]);
    // HiGHS calls (0, 5) optimal, where (2, 5) is.
    const isBest = JSON.stringify(model) === JSON.stringify({ x: 2, y: 5 });
    expect(optimal).toBe(isBest);
  });

  it("that hold within the tolerance only are not satisfiable", async () => {
    // HiGHS takes a difference of 1e-9 for none; no exact solution exists.
    const close = "m.add_linear_constraint(a + b >= 1)\nm.add_linear_constraint(a + b <= 1 - 1e-9)";
    const answer = await models.solve("ortools", [begin, close]);
    expect(answer.status).not.toBe("sat");
  });

  it.each([
    ["CP_SAT with reals", "mathopt.solve(m, mathopt.SolverType.CP_SAT)", "rounds continuous variables"],
    ["a solver that is not there", "mathopt.solve(m, mathopt.SolverType.GUROBI)", "GUROBI of MathOpt is not installed"],
    [
      "whole numbers for a linear solver",
      "n = m.add_integer_variable(lb=0, ub=3)\nmathopt.solve(m, mathopt.SolverType.GLOP)",
      "GLOP solves only linear models without integer variables",
    ],
    ["products", "m.minimize(a * a)\nmathopt.solve(m, mathopt.SolverType.GSCIP)", "a quadratic objective"],
    [
      "parameters of one solver",
      "p = mathopt.SolveParameters()\np.highs.string_options['log_file'] = '/tmp/verdict-was-here'\nmathopt.solve(m, mathopt.SolverType.HIGHS, params=p)",
      "Parameters of a single solver are not supported: highs",
    ],
    ["solvers that are kept", "mathopt.IncrementalSolver(m, mathopt.SolverType.HIGHS)", "not available to programs"],
    ["callbacks", "mathopt.solve(m, mathopt.SolverType.GSCIP, cb=print)", "does not take cb"],
    [
      "variables of another model",
      "mathopt.solve(m, mathopt.SolverType.HIGHS)\nz = mathopt.Model().add_variable(name='z')\nexport_solution({'z': z})",
      "The variable z does not belong to the model that was solved",
    ],
  ])("refuse %s", async (_what, item, told) => {
    const fault = await models.fault("ortools", [begin, item]);
    expect(fault.error).toContain(told);
  });

  it("say that their optimum is not explained", async () => {
    const { warnings } = await models.solve("ortools", diet, undefined, { why: true });
    expect(warnings.join()).toContain("nothing is explained: why does not support MathOpt models");
  });

  it("do not answer questions about all solutions with a model of CP-SAT that the program solved before", async () => {
    const before = `from ortools.sat.python import cp_model
whole = cp_model.CpModel()
x = whole.new_int_var(3, 9, "x")
s = cp_model.CpSolver()
s.solve(whole)
export_solution({"x": x}, solver=s)`;
    const after = [begin, 'mathopt.solve(m, mathopt.SolverType.HIGHS)\nexport_solution({"a": a})'];
    const answer = await models.solve("ortools", [before, ...after], 60_000, { count: true });
    expect(answer).toMatchObject({ status: "sat" });
    expect(answer["count"]).toBeUndefined();
    expect(answer.warnings.join()).toContain("not answered for MathOpt models");
  });

  it("have values for all variables: a filter would leave some out, and they would count as 0", async () => {
    const only = "mathopt.ModelSolveParameters(variable_values_filter=mathopt.VariableFilter(filtered_items=[a]))";
    const solve = `mathopt.solve(m, mathopt.SolverType.HIGHS, model_params=${only})`;
    const fault = await faultOf(models.solve("ortools", [...diet, solve]));
    expect(fault.error).toContain("With variable_values_filter");
  });

  it("say that an objective has no bound", async () => {
    const answer = await models.solve("ortools", [begin, "c = m.add_variable(lb=0)\nm.maximize(c)"]);
    expect(answer).toMatchObject({ status: "unknown", satisfiable: null, model: null });
    expect(JSON.stringify(answer)).toContain("give all variables of the objective bounds");
  });

  it("show values of expressions, whatever a program does to the result", async () => {
    const solve = `r = mathopt.solve(m, mathopt.SolverType.HIGHS)
r.variable_values()[a] = 77
a.upper_bound = 99
export_solution({"a": a, "twice": 2 * a + 1, "mine": r.objective_value()})`;
    const answer = await models.solve("ortools", [...diet, solve]);
    expect(answer).toMatchObject({ model: { a: 1, twice: 3 }, unchecked: ["mine"] });
  });

  it.each([
    ["with whole numbers", "whole", "25", ["sat optimal", "unsat"]],
    ["of reals, by duality", "reals", "60", ["sat optimal duality", "unsat duality"]],
  ])(
    "are never wrong: random ones %s, against exact computation",
    async (_what, numbers, count, labels) => {
      const { python } = await privatePython("cp");
      const args = ["-I", "test/fixtures/mathopt_random.py", resolve("python"), "20261123", count, numbers];
      const { stdout, stderr } = spawnSync(python, args, { encoding: "utf8", timeout: real_setup_ms_max });
      // HiGHS writes lines of its own.
      const { said, wrong } = JSON.parse(stdout.trim().split("\n").at(-1) || JSON.stringify({ wrong: [stderr] }));
      expect(wrong).toEqual([]);
      for (const label of labels) expect(said[label], label).toBeGreaterThan(3);
    },
    real_setup_ms_max,
  );
});
