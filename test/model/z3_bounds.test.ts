import { describe, expect, it } from "vitest";
import { withEnoughTime } from "../support/enough_time.ts";
import { fixture } from "../support/fixture.ts";
import { incumbentsOf } from "../support/incumbents.ts";
import { has_python, shareModels } from "../support/models.ts";
import { real_setup_ms_max } from "../support/python.ts";
import { randomSearches } from "../support/searches.ts";

/** A knapsack on which Z3's optimiser works for minutes. */
const knapsack = `n = 40
w = [(i * 37 + 11) % 97 + 20 for i in range(n)]
v = [(i * 53 + 29) % 89 + 25 for i in range(n)]
x = [Bool(f"x{i}") for i in range(n)]
o = Optimize()
o.add(Sum([If(x[i], w[i], 0) for i in range(n)]) <= sum(w) // 2)
o.add(Sum([If(x[i], (w[i] * v[i]) % 31, 0) for i in range(n)]) <= 300)
worth = Sum([If(x[i], v[i], 0) for i in range(n)])`;

/** In such a time the search has its first values; more is given where the machine is busy. */
const first_ms = 3_000;

function isDecided({ status }: { readonly status: string }): boolean {
  return status !== "unknown" && status !== "timeout";
}

describe.skipIf(!has_python)("an Optimize of Z3 that does not end", () => {
  const models = fixture(shareModels);

  it("has the best value so far and a bound at the limit, also for the program that asked", async () => {
    const ask = `h = o.maximize(worth)
if o.check() == sat:
    m = o.model()
    mine = sum(v[i] for i in range(n) if is_true(m.eval(x[i], model_completion=True)))
    print(mine == h.value().as_long())
    export_solution(solver=o, variables={"x": x, "worth": worth})`;
    const answer = await withEnoughTime(
      (timeout_ms) => models.solve("z3", [knapsack, ask], timeout_ms),
      (reply) => isDecided(reply) && incumbentsOf(reply).length > 1,
      first_ms,
    );
    expect(answer).toMatchObject({ status: "sat", optimal: false, output: ["True"] });
    const value = Number(answer["objective_value"]);
    expect(value).toBeGreaterThan(1000);
    expect(answer.model?.["worth"]).toBe(value);
    if (answer["objective_bound"] !== undefined) expect(answer["objective_bound"]).toBeGreaterThan(value);
    expect(answer.warnings.join()).toContain("it is not proved optimal");
    const incumbents = incumbentsOf(answer);
    expect(incumbents.at(-1)?.objective).toBe(value);
    for (const { bound } of incumbents) expect(bound ?? value).toBeGreaterThanOrEqual(value);
  });

  it("keeps to the constraints that the program tracks by name", async () => {
    const tracked = knapsack.replace(
      /^o\.add\((.*)\)$/gm,
      (_, constraint) => `o.assert_and_track(${constraint}, "r${String(constraint).length}")`,
    );
    const weight = "weight = Sum([If(x[i], w[i], 0) for i in range(n)])";
    const ask = "o.maximize(worth)\nprint(sum(w) // 2)\nexport_solution(o, variables={'weight': weight})";
    const answer = await withEnoughTime(
      (timeout_ms) => models.solve("z3", [tracked, weight, ask], timeout_ms),
      isDecided,
      first_ms,
    );
    expect(answer).toMatchObject({ status: "sat", optimal: false });
    expect(Number(answer.model?.["weight"])).toBeLessThanOrEqual(Number(answer.output?.[0]));
    const small = "x = Int('x')\no = Optimize()\no.assert_and_track(x <= 5, 'limit')\no.maximize(x)";
    expect(await models.solve("z3", [small, "export_solution(o, variables={'x': x})"])).toMatchObject({
      ...{ status: "sat", optimal: true, warnings: [] },
      model: { x: 5 },
    });
  });

  it("stops where the program's own limit says so, and is then unknown", async () => {
    const own = "o.set('timeout', 300)\no.maximize(worth)\nprint(o.check())";
    const { output } = await models.solve("z3", [knapsack, own, "x[0]"]);
    expect(output).toEqual(["unknown"]);
  });

  it(
    "is searched right: random problems with and without enough time, against trying all values",
    async () => {
      const { said, wrong } = await randomSearches("z3_bounds", 20261123, 25);
      expect(wrong).toEqual([]);
      expect(said["sat best"]).toBeGreaterThan(10);
    },
    real_setup_ms_max,
  );
});
