import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { python_ids } from "../../src/tools/model/languages/python/index.ts";
import { fixture } from "../support/fixture.ts";
import { attempts, dunderRoutes } from "../support/hostile.ts";
import { language_fixtures } from "../support/language_fixtures.ts";
import { has_python, shareModels } from "../support/models.ts";

/** Text that must never be in an answer: paths of this machine. */
const host_path = /\/(tmp|root|home|usr|work|var)\/|site-packages|verdict_runner\/|VERDICT_/;

const cp_sat = "model = cp_model.CpModel()\nx = model.new_int_var(0, 9, 'x')\nmodel.maximize(x)";
const mathopt =
  "from ortools.math_opt.python import mathopt\nm = mathopt.Model()\na = m.add_variable(lb=0, ub=1, name='a')";
const cpmpy = "m = cp.Model()\nx = cp.intvar(0, 9, name='x')\nm.maximize(x)";

/** The languages whose items are Python, without those of `hostile_programs.test.ts`. */
const others = python_ids.filter((language) => language !== "z3" && language !== "pysat");

/** What gives an answer after an attempt that was not stopped, so that the test sees it. */
function answering(language: string): string {
  const fixture = language_fixtures.find((each) => each.language === language);
  if (!fixture) throw new Error(`there is no model in ${language}`);
  return fixture.optimum.items.join("\n");
}

const hidden = "import functools\ns = cp.SolverLookup.get('ortools', cp.Model())\n";
const values = `${cp_sat}\ns = cp_model.CpSolver()\ns.solve(model)\ns.values([x])`;

/** Attempts on the engines of these languages. */
const on_engines: readonly (readonly ["ortools" | "cpmpy", string])[] = [
  ["ortools", `${mathopt}\nprint(m._elemental)`],
  ["ortools", `${mathopt}\nclass Mine(mathopt.Model): pass`],
  ["ortools", `${mathopt}\nmathopt.Model.add_linear_constraint = None`],
  ["ortools", `${mathopt}\nmathopt.solve.__globals__`],
  ["ortools", `${mathopt}\nmathopt.solve = lambda *any: None`],
  ["ortools", `${mathopt}\na.__class__.lower_bound = 3`],
  ["ortools", `${mathopt}\nm.__init__()`],
  ["ortools", "from ortools.math_opt.python.ipc import remote_http_solve"],
  ["ortools", "from ortools.math_opt.core.python import solver"],
  ["ortools", "from ortools.math_opt.python import solve"],
  ["ortools", "from ortools.linear_solver import pywraplp"],
  ["ortools", `${cp_sat}\ns = cp_model.CpSolver()\ns._CpSolver__response = None`],
  [
    "ortools",
    `${cp_sat}\nclass S:\n    def __radd__(self, other): return other\ns = cp_model.CpSolver()\ns.solve(model)\ns._CpSolver__response += S()`,
  ],
  ["ortools", `${cp_sat}\nmodel.__init__()`],
  ["cpmpy", `${cpmpy}\nm.solve(solver='ortools', output_drat_proof=True)`],
  ["cpmpy", `${cpmpy}\ns = cp.SolverLookup.get('ortools', m)\nvars(s)['ort_model'] = None`],
  ["cpmpy", `${cpmpy}\ns = cp.SolverLookup.get('ortools', m)\nimport operator\noperator.attrgetter('ort_model')(s)`],
  ["cpmpy", `${cpmpy}\ns = cp.SolverLookup.get('ortools', m)\n'{0.ort_model}'.format(s)`],
  ["cpmpy", `${cpmpy}\ns = cp.SolverLookup.get('ortools', m)\ns.cpm_status = None`],
  ["cpmpy", "cp.SolverLookup.lookup = None"],
  ["cpmpy", `${hidden}def f(): pass\nfunctools.wraps(s)(f).ort_model`],
  ["cpmpy", `${hidden}type(s).ort_model.fget`],
  [
    "cpmpy",
    `${hidden}import collections\nread = functools.partial(type(s).ort_model.fget, s)\ncollections.ChainMap(collections.defaultdict(read))[1].add_bool_or([])`,
  ],
  ["cpmpy", `${cpmpy}\nterm = x + 1\nchange = term.update_args`],
  ["cpmpy", `${hidden}functools.lru_cache(type(s)).ort_model`],
  ["cpmpy", "a = np.zeros(4096, dtype=int)\nv = a[:]\na.resize(4096 * 64, refcheck=False)"],
  ["cpmpy", "type(np.zeros(1)).resize"],
  ["cpmpy", "type(np.zeros(1))((1,), dtype=object, buffer=np.array([id(cp)]))"],
  ["cpmpy", "type(cp.intvar(0, 1, shape=2))((1,), dtype=object, buffer=np.array([id(cp)]))"],
  ["cpmpy", "from cpmpy.expressions.variables import NDVarArray"],
  ...["data", "setflags", "dump", "dumps", "base", "view", "setfield", "flags", "strides"].map(
    (name) => ["cpmpy", `getattr(np.zeros(4), '${name}')`] as const,
  ),
  ["cpmpy", "np.int64(1).data"],
  ["cpmpy", "np.int64.view"],
  ["ortools", `${values}.to_frame('a').eval('@export_solution.__globals__', engine='python')`],
  ["ortools", `${values}.agg('__getattribute__', 0, '__dict__')`],
];

const bounded = "m = cp.Model()\nx = cp.intvar(0, 9, name='x')\nm += x > 3";
const built = "model = cp_model.CpModel()\nx = model.new_int_var(0, 9, 'x')\nmodel.add(x > 3)";
const of_solvers = "from cpmpy.solvers import CPM_ortools";
const of_status = "from cpmpy.solvers.solver_interface import ExitStatus, SolverStatus";

/** Each tries to have an answer reported that no engine gave, or one about another model than the one that is checked. */
const forgeries: readonly (readonly ["ortools" | "cpmpy", string])[] = [
  ["cpmpy", "cp.Model.solve = lambda self: False"],
  ["cpmpy", "setattr(cp.Model, 'solve', lambda self: False)"],
  ["cpmpy", `${of_solvers}\nCPM_ortools.solve = lambda self: False`],
  ["cpmpy", `${of_solvers}\nclass Mine(CPM_ortools):\n    def solve(self, *any): return False`],
  ["cpmpy", "class Mine(cp.Model):\n    def solve(self): return False"],
  ["cpmpy", "from typing import Annotated\nclass Mine(Annotated[cp.Model, 1]): pass"],
  ["cpmpy", "class Mine(type(cp.intvar(0, 1))):\n    def value(self): return 7"],
  ["cpmpy", "from cpmpy.expressions.globalconstraints import GlobalConstraint\nclass Mine(GlobalConstraint): pass"],
  ["cpmpy", "class Mine: pass\ncp.Model.solve(Mine())"],
  ["cpmpy", "del cp.Model.add"],
  ["cpmpy", "for cp.Model.solve in [print]: pass"],
  ["cpmpy", "(cp.Model.solve, a) = (print, 1)"],
  ["cpmpy", "cp.AllDifferent.decompose = lambda self: ([], [])"],
  ["cpmpy", `${of_status}\nExitStatus.OPTIMAL = ExitStatus.UNSATISFIABLE`],
  ["cpmpy", `${of_status}\nExitStatus.OPTIMAL._value_ = 5`],
  ["cpmpy", `from dataclasses import dataclass\n${of_status}\ndataclass(SolverStatus)`],
  ["cpmpy", `${bounded}\nm.solve()\nx._value = 2`],
  ["cpmpy", `${bounded}\nm.solve()\nx.lb = 2`],
  ["cpmpy", `${bounded}\nm.solve()\nx.name = 'y'`],
  ["cpmpy", `${bounded}\nm.solve()\nm.constraints[0].name = '<'`],
  ["cpmpy", `${bounded}\nm.solve()\nm.constraints[0].update_args([x, 9])`],
  ["cpmpy", `${bounded}\nc = x > 5\nm += c\nc.update_args([x, 2])`],
  ["cpmpy", `${bounded}\nm.__init__()`],
  ["cpmpy", `${bounded}\ns = cp.SolverLookup.get('ortools', m)\ns.__init__()`],
  ["cpmpy", `${bounded}\ns = cp.SolverLookup.get('ortools', m)\ns.solve()\ns.status().exitstatus = None`],
  ["cpmpy", `${bounded}\ns = cp.SolverLookup.get('ortools', m)\ns._varmap.clear()`],
  ["cpmpy", `${bounded}\ns = cp.SolverLookup.get('ortools', m)\ns.native_model.add(False)`],
  ["cpmpy", `${bounded}\ns = cp.SolverLookup.get('z3', m)\ns.native_model.add(False)`],
  ["cpmpy", `${bounded}\ns = cp.SolverLookup.get('z3', m)\ns.solveAll()\ns.solve()`],
  ["ortools", "cp_model.CpSolver.solve = lambda self, m: cp_model.INFEASIBLE"],
  ["ortools", "setattr(cp_model.CpSolver, 'solve', print)"],
  ["ortools", "class Mine(cp_model.CpSolver):\n    def solve(self, *any): return cp_model.INFEASIBLE"],
  ["ortools", "class Mine(cp_model.CpModel):\n    def add(self, *any): return None"],
  ["ortools", "class Mine(cp_model.IntVar): pass"],
  ["ortools", "from typing import Annotated\nclass Mine(Annotated[cp_model.CpSolver, 1]): pass"],
  ["ortools", "class Mine: pass\ncp_model.CpSolver.solve(Mine(), None)"],
  ["ortools", "del cp_model.CpSolver.value"],
  ["ortools", "for cp_model.CpSolver.solve in [print]: pass"],
  ["ortools", "(cp_model.CpSolver.solve, a) = (print, 1)"],
  ["ortools", "cp_model.OPTIMAL = cp_model.INFEASIBLE"],
  ["ortools", "from dataclasses import dataclass\ndataclass(cp_model.CpSolver)"],
  ["ortools", `${built}\ns = cp_model.CpSolver()\ns.__init__()`],
  ["ortools", "import copy\ncopy.copy(cp_model.CpSolver())"],
  ["cpmpy", `${bounded}\nimport copy\ncopy.copy(cp.SolverLookup.get('ortools', m))`],
];

/** Programs that change what they solved, after it: the answer stays that of the solve. */
const afterwards: readonly (readonly ["ortools" | "cpmpy", string, object])[] = [
  ["cpmpy", `${bounded}\nm += x < 2\nm.solve()\nm.constraints.clear()`, { status: "unsat", confirmed: true }],
  [
    "cpmpy",
    "rows = [[0], [1]]\nm = cp.Model()\nx = cp.intvar(0, 9, name='x')\nm += cp.Table([x], rows)\nm += x > 3\nm.solve()\nrows.append([5])",
    { status: "unsat", confirmed: true },
  ],
  ["ortools", `${built}\ncp_model.CpSolver().solve(model)\nmodel.add(x < 2)`, { status: "sat", confirmed: true }],
  [
    "ortools",
    `${built}\nmodel.add(x < 2)\ncp_model.CpSolver().solve(model)\nmodel.proto.constraints.clear()`,
    { status: "unsat", confirmed: true },
  ],
  [
    "ortools",
    `${built}\nclass C(cp_model.CpSolverSolutionCallback):\n    def on_solution_callback(self): model.add(x > 9)\ncp_model.CpSolver().solve(model, C())`,
    { status: "sat", confirmed: true },
  ],
];

describe.skipIf(!has_python)("hostile programs in the languages on CP-SAT", () => {
  const models = fixture(shareModels);

  it.each(others)(
    "get no further in %s than in z3",
    async (language) => {
      let walls = 0;
      for (const { tries, items, language: of = "z3" } of attempts) {
        if (of !== "z3") continue;
        const fault = await models.fault(language, [...items, answering(language)]);
        expect(["forbidden", "input_rejected"], tries).toContain(fault.code);
        expect(fault.error, tries).not.toMatch(host_path);
        // What is about Z3 ends at a name that is not there.
        if (!/NameError|z3/.test(fault.error)) walls++;
      }
      expect(walls).toBeGreaterThan(60);
      expect(existsSync("/tmp/verdict-was-here")).toBe(false);
    },
    120_000,
  );

  it.each(others)("bind no steering name in %s", async (language) => {
    for (const name of ["__reduce_ex__", "__mro_entries__"])
      for (const { tries, items } of dunderRoutes(name)) {
        const fault = await models.fault(language, [...items, answering(language)]);
        expect(["forbidden", "input_rejected"], `${name} ${tries}`).toContain(fault.code);
        expect(fault.error, `${name} ${tries}`).not.toMatch(/NameError|SyntaxError/);
      }
  });

  it.each(forgeries)("do not forge an answer (%s): %s", async (language, item) => {
    const fault = await models.fault(language, [item, answering(language)]);
    expect(["forbidden", "input_rejected"]).toContain(fault.code);
    expect(fault.error).not.toMatch(host_path);
    expect(fault.error).not.toMatch(/NameError|SyntaxError/);
  });

  it.each(afterwards)("do not change what was solved (%s): %s", async (language, item, answer) => {
    expect(await models.solve(language, [item])).toMatchObject(answer);
  });

  it("reads the values of several variables of CP-SAT at once, without pandas", async () => {
    const items = [
      `${cp_sat}\ny = model.new_bool_var('y')\nmodel.add(x + y == 9)\ns = cp_model.CpSolver()\ns.solve(model)`,
      "got = s.values([x, y])\nprint([*got], got[x], sum(got), s.boolean_values([y])[y], s.float_values([x])[x])",
    ];
    expect((await models.solve("ortools", items)).output).toEqual(["[9, 0] 9 9 False 9.0"]);
  });

  it.each(on_engines)("do not get to the engine (%s): %s", async (language, item) => {
    const fault = await models.fault(language, [item, answering(language)]);
    expect(["forbidden", "input_rejected"]).toContain(fault.code);
    expect(fault.error).not.toMatch(host_path);
    expect(fault.error).not.toMatch(/NameError|SyntaxError/);
  });
});
