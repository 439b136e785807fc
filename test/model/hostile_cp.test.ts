import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attempts } from "../support/hostile.ts";
import { has_python, type Models, openModels } from "../support/models.ts";
import { real_setup_ms_max } from "../support/python.ts";

/** Text that must never be in an answer: paths of this machine. */
const host_path = /\/(tmp|root|home|usr|work|var)\/|site-packages|verdict_runner\/|VERDICT_/;

const cp_sat = "model = cp_model.CpModel()\nx = model.new_int_var(0, 9, 'x')\nmodel.maximize(x)";
const mathopt =
  "from ortools.math_opt.python import mathopt\nm = mathopt.Model()\na = m.add_variable(lb=0, ub=1, name='a')";
const cpmpy = "m = cp.Model()\nx = cp.intvar(0, 9, name='x')\nm.maximize(x)";

/** What gives an answer after an attempt that was not stopped, so that the test sees it. */
const answers = { ortools: `${cp_sat}\nmodel.add(x >= 0)`, cpmpy };

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
  ["ortools", `${cp_sat}\nmodel.__init__()`],
  ["cpmpy", `${cpmpy}\nm.solve(solver='ortools', output_drat_proof=True)`],
  ["cpmpy", `${cpmpy}\ns = cp.SolverLookup.get('ortools', m)\nvars(s)['ort_model'] = None`],
  ["cpmpy", `${cpmpy}\ns = cp.SolverLookup.get('ortools', m)\nimport operator\noperator.attrgetter('ort_model')(s)`],
  ["cpmpy", `${cpmpy}\ns = cp.SolverLookup.get('ortools', m)\n'{0.ort_model}'.format(s)`],
  ["cpmpy", `${cpmpy}\ns = cp.SolverLookup.get('ortools', m)\ns.cpm_status = None`],
  ["cpmpy", "cp.SolverLookup.lookup = None"],
];

describe.skipIf(!has_python)("hostile programs in the languages on CP-SAT", () => {
  let models: Models;
  beforeAll(async () => {
    models = await openModels({ packages: "cp" });
  }, real_setup_ms_max);
  afterAll(() => models?.close());

  it.each(["ortools", "cpmpy"] as const)(
    "get no further in %s than in z3",
    async (language) => {
      let walls = 0;
      for (const { tries, items, language: of = "z3" } of attempts) {
        if (of !== "z3") continue;
        const fault = await models.fault(language, [...items, answers[language]]);
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

  it.each(on_engines)("do not get to the engine (%s): %s", async (language, item) => {
    const fault = await models.fault(language, [item, answers[language]]);
    expect(["forbidden", "input_rejected"]).toContain(fault.code);
    expect(fault.error).not.toMatch(host_path);
    expect(fault.error).not.toMatch(/NameError|SyntaxError/);
  });
});
