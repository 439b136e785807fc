import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hintFor } from "../../src/engines/minizinc/cp_sat.ts";
import { type CpSatBench, openCpSat } from "../support/cp_sat.ts";
import { has_python, type Models, shareModels } from "../support/models.ts";
import { real_setup_ms_max } from "../support/python.ts";
import { runs_all } from "../support/runs_all.ts";

/** Six numbers with one fixed solution, and many others once x[0] is free. */
const declared = {
  cpmpy: `m = cp.Model()
x = cp.intvar(0, 11, shape=6, name='x')
m += [cp.AllDifferent(x), cp.AllDifferent([x[i] + i for i in range(6)]), x[0] + x[1] + x[2] == 20]`,
  ortools: `model = cp_model.CpModel()
x = [model.new_int_var(0, 11, f'x[{i}]') for i in range(6)]
model.add_all_different(x)
model.add_all_different([x[i] + i for i in range(6)])
model.add(x[0] + x[1] + x[2] == 20)`,
};
const numbers = [9, 5, 6, 1, 11, 0];
const added = { cpmpy: (rule: string) => `m += ${rule}`, ortools: (rule: string) => `model.add(${rule})` };
const best = { cpmpy: "m.maximize(x[3])", ortools: "model.maximize(x[3])" };

/** Clauses over ten truth values, in languages whose engines start from a solution in other ways than CP-SAT. */
interface Clausal {
  readonly language: string;
  readonly declared: string;
  readonly clause: (literals: readonly number[]) => string;
  /** The end of a program that asks for any solution, and for the smallest sum of weights. */
  readonly any: string;
  readonly best: string;
}
const count = 10;
const weights = Array.from({ length: count }, (_, i) => 1 + ((i * 7) % 5));
const mathopt = (solver: string): Clausal => ({
  language: "ortools",
  declared: `from ortools.math_opt.python import mathopt\nmodel = mathopt.Model()\nx = [model.add_binary_variable(name=f"x{i + 1}") for i in range(${count})]`,
  clause: (literals) =>
    `model.add_linear_constraint(${literals.map((each) => (each > 0 ? `x[${each - 1}]` : `(1 - x[${-each - 1}])`)).join(" + ")} >= 1)`,
  any: `mathopt.solve(model, mathopt.SolverType.${solver}, params=mathopt.SolveParameters(presolve=mathopt.Emphasis.OFF))`,
  best: `model.minimize(sum(w * each for w, each in zip([${weights}], x)))\nmathopt.solve(model, mathopt.SolverType.${solver})`,
});
const pysat = {
  language: "pysat",
  declared: `from pysat.formula import IDPool\npool = IDPool()\nx = [pool.id(f"x{i + 1}") for i in range(${count})]\nw = WCNF()`,
  clause: (literals: readonly number[]) => `w.append(${JSON.stringify(literals)})`,
};
const shown = `{f"x{i + 1}": x[i] in m for i in range(${count})}`;
const z3_shown = `variables={f"x{i + 1}": x[i] for i in range(${count})})`;
const clausal: Readonly<Record<string, Clausal>> = {
  HiGHS: mathopt("HIGHS"),
  SCIP: mathopt("GSCIP"),
  Z3: {
    language: "z3",
    declared: `x = [Bool(f"x{i + 1}") for i in range(${count})]\ns = Optimize()`,
    clause: (literals) =>
      `s.add(Or(${literals.map((each) => (each > 0 ? `x[${each - 1}]` : `Not(x[${-each - 1}])`)).join(", ")}))`,
    any: `plain = Solver()\nplain.add(s.assertions())\nexport_solution(solver=plain, ${z3_shown}`,
    best: `s.minimize(Sum([If(each, w, 0) for w, each in zip([${weights}], x)]))\nexport_solution(solver=s, ${z3_shown}`,
  },
  PySAT: {
    ...pysat,
    any: `with Cadical153(bootstrap_with=w.hard) as s:\n    s.solve()\n    m = s.get_model()\n    export_solution({"satisfiable": True, **${shown}})`,
    best: `for i, each in enumerate([${weights}]):\n    w.append([-x[i]], weight=each)\nwith RC2(w) as s:\n    m = s.compute()\n    export_solution({"satisfiable": True, "cost": s.cost, **${shown}} if m else {"satisfiable": False})`,
  },
  clingo: {
    language: "asp",
    declared: `{ x(1..${count}) }. :- not x(1), x(1).`,
    clause: (literals) => `:- ${literals.map((each) => (each > 0 ? `not x(${each})` : `x(${-each})`)).join(", ")}.`,
    any: "#show x/1.",
    best: `#minimize { ${weights.map((each, i) => `${each},${i} : x(${i + 1})`).join("; ")} }.`,
  },
};
/** Clauses that leave a single solution. */
const fixed = [1, -2, 3, 4, -5, 6, -7, 8, 9, -10].map((each) => [each]);

/** Random clauses, of which about half have a solution. */
function clausesOf(seed: number): number[][] {
  let state = seed * 7919 + 1;
  const below = (n: number) => {
    state = (state * 48271) % 2147483647;
    return state % n;
  };
  return Array.from({ length: 45 }, () =>
    Array.from({ length: 3 }, () => (1 + below(count)) * (below(2) === 0 ? 1 : -1)),
  );
}

describe.runIf(has_python)("the last solution as a start", () => {
  let models: Models;
  let cp_sat: CpSatBench;
  beforeAll(async () => {
    models = await shareModels();
    cp_sat = await openCpSat();
  }, real_setup_ms_max);
  afterAll(() => {
    models?.close();
    cp_sat?.close();
  });

  for (const language of ["cpmpy", "ortools"] as const) {
    const edited = (rule: string) => models.call("replace_item", { index: 1, new_item: rule });
    const solve = (more = {}) => models.call("solve_model", { timeout_ms: 60_000, ...more });
    const fixed = numbers.map((each, i) => added[language](`x[${i}] == ${each}`)).join("\n");
    const first = () => models.solve(language, [declared[language], fixed]);

    it(`leads ${language} back to it after an edit that still allows it`, async () => {
      const { values } = await first();
      await edited(added[language]("x[0] >= 2"));
      expect(await solve()).toMatchObject({ status: "sat", values });
      const alone = await models.solve(language, [declared[language], added[language]("x[0] >= 2")]);
      expect(alone["values"]).not.toEqual(values);
    });

    it(`changes no answer of ${language} where it is wrong`, async () => {
      await first();
      await edited(added[language]("x[0] != 9"));
      expect((await solve())["status"]).toBe("sat");
      await edited(`${added[language]("x[0] <= 4")}\n${best[language]}`);
      expect(await solve()).toMatchObject({ status: "sat", objective_value: 11, optimal: true });
      await edited(added[language]("x[0] + x[1] >= 21"));
      expect((await solve())["status"]).toBe("unsat");
    });
  }

  for (const [name, { language, declared, clause, any, best }] of Object.entries(clausal)) {
    const stated = (all: readonly (readonly number[])[]) => all.map(clause).join("\n");
    const edited = (all: readonly (readonly number[])[]) =>
      models.call("replace_item", { index: 1, new_item: stated(all) });
    const solve = () => models.call("solve_model", { timeout_ms: 60_000 });

    // SCIP finds another solution before it looks at the given one.
    if (name !== "SCIP")
      it(`leads ${name} back to it after an edit that still allows it`, async () => {
        const loose = clausesOf(1).filter((each) => each.some((literal) => fixed.some(([own]) => own === literal)));
        const { values } = await models.solve(language, [declared, stated(fixed), any]);
        await edited(loose);
        expect(await solve()).toMatchObject({ status: "sat", values });
        const alone = await models.solve(language, [declared, stated(loose), any]);
        expect(alone["values"]).not.toEqual(values);
      });

    it(`changes no status and no optimum of ${name}`, async () => {
      const outcomes = [];
      for (const seed of runs_all ? [...Array(30).keys()] : [1, 2, 3, 4]) {
        const all = clausesOf(seed);
        const asked = async (answer: Promise<Record<string, unknown>>) => {
          const { status, objective_value, optimal } = await answer;
          return { status, objective_value, optimal };
        };
        await models.solve(language, [declared, stated(fixed), best]);
        await edited(all);
        const after = await asked(solve());
        outcomes.push([after, await asked(models.solve(language, [declared, stated(all), best]))]);
      }
      expect(outcomes.filter(([after, alone]) => JSON.stringify(after) !== JSON.stringify(alone))).toEqual([]);
      expect(new Set(outcomes.map(([, alone]) => alone?.status))).toEqual(new Set(["sat", "unsat"]));
    });
  }

  it("is read by the names and the order of a MiniZinc answer, and left out where it does not fit", async () => {
    const compiled = await cp_sat.compile(
      'include "globals.mzn"; array[2..7] of var 0..11: x; constraint alldifferent(x) /\\ x[2] + 2 * x[3] + 3 * x[4] = 37 /\\ x[5] + 2 * x[6] + 3 * x[7] = 23; solve satisfy;',
    );
    const model = compiled ?? { flatzinc: "", output_model: "" };
    const solve = async (hint: Record<string, unknown> | null) => {
      const { status, solutions } = await cp_sat.solve(model.flatzinc, { hint: hintFor(hint, model) });
      return { status, values: await cp_sat.show(model.output_model, solutions[0] ?? "") };
    };
    const hint = { x: numbers };
    expect(await solve(hint)).toMatchObject({ status: "sat", values: hint });
    const free = await solve(null);
    expect(free.values).not.toMatchObject(hint);
    for (const wrong of [{ x: [7, 9] }, { x: [99, -1, 2 ** 52], b: "Red" }, { x: { a: {} }, y: 3 }])
      expect((await solve(wrong)).status).toBe(free.status);
    const unsat = await cp_sat.compile("var 0..5: x; var 0..5: y; constraint x * y = 7; solve satisfy;");
    if (unsat) expect((await cp_sat.solve(unsat.flatzinc, { hint: { x: 1, y: 5 } })).status).toBe("unsat");
  });
});
