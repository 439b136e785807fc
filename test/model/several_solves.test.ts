import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";

/** Programs with several solves that export nothing: the last one is the answer, and each is named. */

const cpmpy = "x = cp.intvar(0, 5, name='x')\ndef fits(least):\n    return cp.Model(x > least).solve()\n";
const ortools = `def fits(least):
    m = cp_model.CpModel()
    m.add(m.new_int_var(0, 5, 'x') > least)
    return cp_model.CpSolver().solve(m) == cp_model.OPTIMAL
`;
const mathopt = `from ortools.math_opt.python import mathopt
def fits(least):
    m = mathopt.Model()
    m.add_linear_constraint(m.add_variable(lb=0, ub=5, name='x') >= least + 1)
    return mathopt.solve(m, mathopt.SolverType.HIGHS).termination.reason == mathopt.TerminationReason.OPTIMAL
`;
const pysat = `from pysat.solvers import Glucose3
def fits(least):
    with Glucose3(bootstrap_with=[[1, 2], [-1]] + [[-2]] * (least > 4)) as s:
        return s.solve()
`;

const callback = (objective: string, inner: string) => `m = cp_model.CpModel()
x = m.new_int_var(0, 4, 'x')
${objective}
class Solve(cp_model.CpSolverSolutionCallback):
    def on_solution_callback(self):
        other = cp_model.CpModel()
        z = other.new_int_var(0, 1, 'z')
        ${inner}
        cp_model.CpSolver().solve(other)
s = cp_model.CpSolver()
print(s.status_name(s.solve(m, Solve())))`;

describe.skipIf(!has_python)("a program with several solves", () => {
  const models = fixture(shareModels);

  it.each([
    ["cpmpy", cpmpy],
    ["ortools", ortools],
    ["ortools", mathopt],
    ["pysat", pysat],
  ])("is answered by the last one, and told how each ended (%s, %#)", async (language, program) => {
    const sat = await models.solve(language, [`${program}print(fits(7), fits(8), fits(2))`]);
    expect(sat).toMatchObject({ status: "sat", confirmed: true, output: ["False False True"] });
    expect(sat.warnings.join()).toMatch(
      /The program made 3 checks, and this is the answer of the last one\. item 0, line \d: 2 times unsat, sat\./,
    );
    const unsat = await models.solve(language, [`${program}print(fits(2), fits(7))`]);
    expect(unsat).toMatchObject({ status: "unsat", confirmed: true, output: ["True False"] });
    expect(unsat["message"]).toContain("of the program's last solve, after one that had a solution");
    expect(unsat.warnings.join()).toContain("The program made 2 checks");
  });

  it.each([
    ["has no solution", callback("", "other.add(z > 3)"), { status: "sat", model: { x: expect.any(Number) } }],
    [
      "has an optimum of its own",
      callback("m.maximize(x)", "other.maximize(z)"),
      { status: "sat", model: { x: 4 }, objective_value: 4, optimal: true },
    ],
  ])("is answered by the one that ended last, not by one in its callback that %s", async (_, program, answer) => {
    expect(await models.solve("ortools", [program])).toMatchObject({ ...answer, output: ["OPTIMAL"], confirmed: true });
  });

  it.each([
    ["cpmpy", "x = cp.intvar(0, 5, name='x')\nm = cp.Model(x > 1)\nm.solve()\n", "m += x > 3\n"],
    [
      "cpmpy",
      "x = cp.intvar(0, 5, name='x')\nm = cp.SolverLookup.get('ortools', cp.Model(x > 1))\nm.solve()\n",
      "m += x > 3\n",
    ],
    [
      "ortools",
      "m = cp_model.CpModel()\nx = m.new_int_var(0, 5, 'x')\nm.add(x > 1)\ncp_model.CpSolver().solve(m)\n",
      "m.add(x > 3)\n",
    ],
    [
      "ortools",
      "from ortools.math_opt.python import mathopt\nm = mathopt.Model()\nx = m.add_variable(lb=0, ub=5)\nmathopt.solve(m, mathopt.SolverType.HIGHS)\n",
      "m.add_linear_constraint(x >= 3)\n",
    ],
    [
      "pysat",
      "from pysat.solvers import Glucose3\ns = Glucose3(bootstrap_with=[[1, 2]])\ns.solve()\n",
      "s.add_clause([-1])\n",
    ],
  ])("names what was added after the last one (%s, %#)", async (language, program, added) => {
    const note = /line \d: this was added after the last solve and is not part of the answer/;
    expect((await models.solve(language, [program])).warnings.join()).not.toMatch(note);
    expect((await models.solve(language, [program + added])).warnings.join()).toMatch(note);
  });

  it.each([
    ["z3", "x = Int('x')\ns = Solver()\ns.add(x > 5)\n", "s.check()\n"],
    ["z3", "x = Int('x')\ns = Solver()\ns.add(x > 5)\n", "export_solution(solver=s)\n"],
    ["cpmpy", "x = cp.intvar(0, 9, name='x')\nm = cp.Model(x > 5)\n", "m.solve()\n"],
    ["ortools", "m = cp_model.CpModel()\nx = m.new_int_var(6, 9, 'x')\n", "cp_model.CpSolver().solve(m)\n"],
  ])("is no check of what it prints, if it solves nothing (%s, %#)", async (language, program, solve) => {
    const note = "The program printed text, but solved nothing itself";
    const warned = async (text: string) => (await models.solve(language, [text])).warnings.join().includes(note);
    expect(await warned(`${program}print('plan: x is 3')`)).toBe(true);
    expect(await warned(`${program}${solve}print('plan: x is 3')`)).toBe(false);
    expect(await warned(program)).toBe(false);
  });

  const z3 = "x = Int('x')\ns, t = Solver(), Solver()\ns.add(x > 5, x < 3)\nt.add(x > 5)\n";

  it("is answered by what it exported, if an exception ends it later", async () => {
    for (const later of ["", "t.check()\n"]) {
      const answer = await models.solve("z3", [`${z3}export_solution(solver=s)\n${later}raise ValueError('broken')`]);
      expect(answer).toMatchObject({ status: "unsat", confirmed: true });
      expect(answer.warnings.join()).toContain("The answer is what the program exported before that (unsat).");
    }
    const fault = await models.fault("z3", [`${z3}export_solution(solver=t)\nassert s.check() == sat`]);
    expect(fault).toMatchObject({ last_verdict: "sat" });
    expect(fault.error).toContain("The program's answer before it was sat.");
  });

  it.each([
    [
      "cpmpy",
      "x = cp.intvar(0, 9, name='x')\nm = cp.Model(x >= 2)\nm.minimize(x)\nm.solve()\nold = x.value()\nm += x >= 6\nm.solve()",
    ],
    [
      "ortools",
      "from ortools.sat.python import cp_model\nm = cp_model.CpModel()\nx = m.new_int_var(0, 9, 'x')\nm.add(x >= 2)\nm.minimize(x)\ns = cp_model.CpSolver()\ns.solve(m)\nold = s.value(x)\nm.add(x >= 6)\ns.solve(m)",
    ],
  ])("has a warning if it exports a value of an earlier one (%s)", async (language, program) => {
    const stale = await models.solve(language, [`${program}\nexport_solution({'x': old})`]);
    expect(stale).toMatchObject({ model: { x: 2 }, unchecked: ["x"] });
    expect(stale.warnings.join()).toMatch(/exports x = 2, but its last solve found x = 6/);
    const own = await models.solve(language, [`${program}\nexport_solution({'y': old, 'x': x})`]);
    expect(own.warnings.join()).not.toContain("its last solve found");
  });
});
