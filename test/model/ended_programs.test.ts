import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";

/** What is known of a program that ends by an exception: the verdict of its last solve, and what it printed. */

const z3 = "x = Int('x')\ns = Solver()\ns.add(x > 5, x < 3)\nprint('begun')\n";
const cpmpy = "x = cp.intvar(0, 9, name='x')\nm = cp.Model(x > 5, x < 3)\nprint('begun')\n";
const ortools =
  "m = cp_model.CpModel()\nx = m.new_int_var(0, 9, 'x')\nm.add(x > 5)\nm.add(x < 3)\ns = cp_model.CpSolver()\nprint('begun')\n";
const mathopt =
  "from ortools.math_opt.python import mathopt\nm = mathopt.Model()\nx = m.add_variable(lb=0, ub=9, name='x')\nm.add_linear_constraint(x >= 5)\nm.add_linear_constraint(x <= 3)\nprint('begun')\nr = mathopt.solve(m, mathopt.SolverType.HIGHS)\n";
const pysat = "from pysat.solvers import Solver\ns = Solver(bootstrap_with=[[1], [-1]])\nprint('begun')\n";

const without_solution = [
  ["z3", `${z3}assert s.check() == sat`, "AssertionError"],
  ["z3", `${z3}if s.check() != sat:\n    raise ValueError('no plan is possible')`, "ValueError: no plan is possible"],
  ["z3", `${z3}s.check()\nprint(s.model()[x])`, "Z3Exception: "],
  ["cpmpy", `${cpmpy}assert m.solve()`, "AssertionError"],
  ["cpmpy", `${cpmpy}if not m.solve():\n    raise ValueError('no plan')`, "ValueError: no plan"],
  ["ortools", `${ortools}assert s.solve(m) in (cp_model.OPTIMAL, cp_model.FEASIBLE)`, "AssertionError"],
  [
    "ortools",
    `${ortools}if s.solve(m) != cp_model.OPTIMAL:\n    raise RuntimeError('infeasible roster')`,
    "RuntimeError: infeasible roster",
  ],
  [
    "ortools",
    `${mathopt}assert r.termination.reason == mathopt.TerminationReason.OPTIMAL, 'no diet'`,
    "AssertionError: no diet",
  ],
  ["pysat", `${pysat}with s:\n    assert s.solve()`, "AssertionError"],
  ["pysat", `${pysat}if not s.solve():\n    raise ValueError('no plan')`, "ValueError: no plan"],
] as const;

const with_solution = [
  ["z3", "x = Int('x')\ns = Solver()\ns.add(x > 5)\nassert s.check() == sat\n"],
  ["cpmpy", "x = cp.intvar(0, 9, name='x')\nm = cp.Model(x > 5)\nassert m.solve()\n"],
  [
    "ortools",
    "m = cp_model.CpModel()\nx = m.new_int_var(0, 9, 'x')\ns = cp_model.CpSolver()\nassert s.solve(m) == cp_model.OPTIMAL\n",
  ],
  ["pysat", "from pysat.solvers import Solver\ns = Solver(bootstrap_with=[[1]])\nassert s.solve()\n"],
] as const;

describe.skipIf(!has_python)("a program that ends by an exception", () => {
  const models = fixture(shareModels);

  it.each(without_solution)("after a solve without a solution is answered (%s, %#)", async (language, item, error) => {
    const answer = await models.solve(language, [item]);
    expect(answer).toMatchObject({ status: "unsat", confirmed: true, output: ["begun"] });
    expect(answer.warnings.join()).toMatch(/item 0, line \d+: the program stopped there, with /);
    expect(answer.warnings.join()).toContain(`with ${error}`);
  });

  it.each(with_solution)(
    "after one with a solution is a fault that says so, and what was printed (%s)",
    async (language, item) => {
      const fault = await models.fault(language, [
        `${item}for i in range(900):\n    print('row', i)\nraise ValueError('broken')`,
      ]);
      expect(fault).toMatchObject({ code: "input_rejected", last_verdict: "sat" });
      expect(fault.error).toContain(
        "ValueError: broken The program's answer before it was sat. The program printed:\n| row 0\n",
      );
      expect(fault.error).toMatch(/\n\| row 899$/);
      const output = Array.isArray(fault["output"]) ? fault["output"] : [];
      expect(output.at(-1)).toBe("row 899");
      expect(output).toContainEqual(expect.stringMatching(/^… \d+ characters are left out …$/));
      expect(output.join("\n").length).toBeLessThan(3_100);
    },
  );

  it("before any solve is a fault with what was printed alone", async () => {
    const fault = await models.fault("z3", ["x = Int('x')\nprint('here')\nraise ValueError('broken')"]);
    expect(fault).toMatchObject({ output: ["here"] });
    expect(fault).not.toHaveProperty("last_verdict");
  });

  it("after a time limit is a timeout, and no fault of its own", async () => {
    const factors = `p, q = cp.intvar(2, 2**31 - 1), cp.intvar(2, 2**31 - 1)
m = cp.Model(p * q == 1000000007 * 998244353, p != 1000000007, p != 998244353)
assert m.solve()`;
    const answer = await models.solve("cpmpy", [factors], 4_000);
    expect(answer).toMatchObject({ status: "timeout", satisfiable: null });
    expect(answer.warnings.join()).toContain("the program stopped there, with AssertionError");
  });

  it("because its memory is used up has no answer of an earlier solve", async () => {
    const answer = await models.solve("z3", [`${z3}s.check()\nraise MemoryError`]);
    expect(answer).toMatchObject({ status: "unknown", reason: "memory limit" });
  });
});
