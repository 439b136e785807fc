import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hintFor } from "../../src/engines/minizinc/cp_sat.ts";
import { type CpSatBench, openCpSat } from "../support/cp_sat.ts";
import { has_python, type Models, openModels } from "../support/models.ts";
import { real_setup_ms_max } from "../support/python.ts";

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

describe.runIf(has_python)("the last solution as a start", () => {
  let models: Models;
  let cp_sat: CpSatBench;
  beforeAll(async () => {
    models = await openModels({ packages: "cp" });
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
