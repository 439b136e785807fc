import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isSatisfiable } from "../support/drat.ts";
import { type Models, openModels } from "../support/models.ts";
import { pythonData, real_setup_ms_max } from "../support/python.ts";

/**
 * Random models with `check: true`, against brute force: the verdict and the optimum are right, two engines never
 * contradict each other, and it is counted how many claims were confirmed. `VERDICT_RUNS` and `VERDICT_SEED` set the run.
 */

const runs = Number(process.env["VERDICT_RUNS"] ?? 100);
const seed = Number(process.env["VERDICT_SEED"] ?? Date.now() % 2 ** 31);

interface Row {
  readonly factors: readonly number[];
  readonly relation: "<=" | "=" | "!=";
  readonly right: number;
}

interface Problem {
  readonly rows: readonly Row[];
  readonly goal: readonly number[] | undefined;
}

const factors = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 3, maxLength: 3 });
const problem: fc.Arbitrary<Problem> = fc.record({
  rows: fc.array(
    fc.record({
      factors,
      relation: fc.constantFrom("<=" as const, "=" as const, "!=" as const),
      right: fc.integer({ min: -6, max: 9 }),
    }),
    { minLength: 2, maxLength: 5 },
  ),
  goal: fc.option(factors, { nil: undefined }),
});

const names = ["x", "y", "z"];
const top = 4;

function sum(given: readonly number[]): string {
  return given.map((factor, i) => `(${factor})*${names[i]}`).join(" + ");
}

/** The best value of the goal, true where there is none but a solution, or undefined. */
function truth({ rows, goal }: Problem): number | true | undefined {
  let best: number | true | undefined;
  const domain = Array.from({ length: top + 1 }, (_, value) => value);
  for (const x of domain)
    for (const y of domain)
      for (const z of domain) {
        const of = (given: readonly number[]) => 0 + (given[0] ?? 0) * x + (given[1] ?? 0) * y + (given[2] ?? 0) * z;
        const holds = rows.every(({ factors: own, relation, right }) =>
          relation === "<=" ? of(own) <= right : relation === "=" ? of(own) === right : of(own) !== right,
        );
        if (holds) best = goal ? Math.max(typeof best === "number" ? best : Number.NEGATIVE_INFINITY, of(goal)) : true;
      }
  return best;
}

const python = ({ relation }: Row) => (relation === "=" ? "==" : relation);
const written: Readonly<Record<string, (given: Problem) => string[]>> = {
  z3: ({ rows, goal }) => [
    `x, y, z = Ints('x y z')\ns = ${goal ? "Optimize" : "Solver"}()\ns.add(*[And(v >= 0, v <= ${top}) for v in (x, y, z)])`,
    ...rows.map((row) => `s.add(${sum(row.factors)} ${python(row)} ${row.right})`),
    ...(goal ? [`s.maximize(${sum(goal)})`] : []),
  ],
  minizinc: ({ rows, goal }) => [
    ...names.map((name) => `var 0..${top}: ${name};`),
    ...rows.map((row) => `constraint ${sum(row.factors)} ${row.relation} ${row.right};`),
    goal ? `solve maximize ${sum(goal)};` : "solve satisfy;",
  ],
  cpmpy: ({ rows, goal }) => [
    `m = cp.Model()\n${names.map((name) => `${name} = cp.intvar(0, ${top}, name='${name}')`).join("\n")}`,
    ...rows.map((row) => `m += ${sum(row.factors)} ${python(row)} ${row.right}`),
    ...(goal ? [`m.maximize(${sum(goal)})`] : []),
  ],
  ortools: ({ rows, goal }) => [
    `m = cp_model.CpModel()\n${names.map((name) => `${name} = m.new_int_var(0, ${top}, '${name}')`).join("\n")}`,
    ...rows.map((row) => `m.add(${sum(row.factors)} ${python(row)} ${row.right})`),
    ...(goal ? [`m.maximize(${sum(goal)})`] : []),
  ],
};

describe("random models that are to be checked", () => {
  let models: Models;
  beforeAll(async () => {
    await pythonData("cp");
    models = await openModels({ packages: "smt" });
  }, 2 * real_setup_ms_max);
  afterAll(() => models?.close());

  it.each(Object.entries(written))("in %s are answered right", async (language, write) => {
    console.log(`${language}: seed ${seed}, ${runs} runs`);
    const count = { unsat: 0, optimal: 0, sat: 0, confirmed: 0, unconfirmed: new Map<string, number>() };
    for (const instance of fc.sample(problem, { seed, numRuns: runs })) {
      const items = write(instance);
      const answer = await models.solve(language, items, undefined, { check: true });
      const best = truth(instance);
      const about = JSON.stringify({ items, answer });
      expect(answer.status, about).toBe(best === undefined ? "unsat" : "sat");
      if (typeof best === "number") expect([answer["objective_value"], answer["optimal"]], about).toEqual([best, true]);
      count[best === undefined ? "unsat" : best === true ? "sat" : "optimal"]++;
      if (answer["confirmed_by"]) count.confirmed++;
      const why = String(answer["unconfirmed"] ?? "");
      if (why !== "") count.unconfirmed.set(why, (count.unconfirmed.get(why) ?? 0) + 1);
    }
    console.log(`${language}: ${JSON.stringify({ ...count, unconfirmed: [...count.unconfirmed] })}`);
    expect(count.confirmed).toBeGreaterThan(0);
  });

  it("in pysat are answered right", async () => {
    console.log(`pysat: seed ${seed}, ${runs} runs`);
    const literal = fc.integer({ min: 1, max: 5 }).chain((n) => fc.constantFrom(n, -n));
    const clause = fc.array(literal, { minLength: 1, maxLength: 3 });
    const instances = fc.record({
      hard: fc.array(clause, { minLength: 6, maxLength: 26 }),
      soft: fc.option(fc.array(fc.tuple(clause, fc.integer({ min: 1, max: 5 })), { minLength: 1, maxLength: 6 })),
    });
    const count = { unsat: 0, optimal: 0, sat: 0, certified: 0, confirmed: 0 };
    for (const { hard, soft } of fc.sample(instances, { seed, numRuns: runs })) {
      const item = soft
        ? `w = WCNF()\nw.extend(${JSON.stringify(hard)})\nfor c, k in ${JSON.stringify(soft)}: w.append(c, weight=k)\nr = RC2(w)\nr.compute()\nexport_solution(r)`
        : `s = Glucose3(bootstrap_with=${JSON.stringify(hard)})\nexport_solution({'satisfiable': s.solve()})`;
      const answer = await models.solve("pysat", [item], undefined, { check: true });
      const about = JSON.stringify({ item, answer });
      const has_solution = isSatisfiable(hard, 5);
      expect(answer.status, about).toBe(has_solution ? "sat" : "unsat");
      if (has_solution && soft) {
        const costs = Array.from({ length: 32 }, (_, bits) => {
          const holds = (each: number) => ((bits >> (Math.abs(each) - 1)) & 1) === (each > 0 ? 1 : 0);
          if (!hard.every((own) => own.some(holds))) return Number.POSITIVE_INFINITY;
          return soft.reduce((cost, [own, weight]) => cost + (own.some(holds) ? 0 : weight), 0);
        });
        expect([answer["objective_value"], answer["optimal"]], about).toEqual([Math.min(...costs), true]);
      }
      if (!has_solution) expect(answer["certificate"], about).toMatchObject({ checked: true });
      count[has_solution ? (soft ? "optimal" : "sat") : "unsat"]++;
      if (answer["certificate"]) count.certified++;
      if (answer["confirmed_by"]) count.confirmed++;
      if (!has_solution || soft) expect(answer["confirmed_by"], about).toBeDefined();
    }
    console.log(`pysat: ${JSON.stringify(count)}`);
    expect(count.certified).toBeGreaterThan(0);
  });
});
