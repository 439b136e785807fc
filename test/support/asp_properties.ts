import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod/v4";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { quietContext } from "../../src/kernel/tool.ts";
import type { Language, SolveOptions } from "../../src/tools/model/language.ts";
import { asp } from "../../src/tools/model/languages/asp/index.ts";
import { type SolveAnswer, solveAnswer } from "../../src/tools/model/solution/solve_answer.ts";
import { arithmeticProgram } from "./arithmetic_programs.ts";
import { withoutDoubtAboutAge } from "./asp.ts";
import { compareCosts, costsOf, itemsOf, type SmallProgram, smallProgram, stableModels } from "./stable_models.ts";

const Atoms = z.object({ atoms: z.array(z.string()) });

/** Compares random programs of arithmetic and aggregates with brute force: all answer sets, and the best costs. */
export function arithmeticIsRight(clingo: string, runs: number, seed: number): void {
  it(`has the answer sets and costs of brute force, from seed ${seed}`, async () => {
    const engines = new Engines(readConfig({}, { ...process.env, VERDICT_CLINGO: clingo }));
    const language = asp(engines.clingo);
    const { signal, progress, onEvent: news } = quietContext();
    const ask = async (items: readonly string[], options: SolveOptions) =>
      solveAnswer(
        await language.solve(items, { deadline: new Deadline(120_000, signal), options, progress, news }),
        0,
        0,
      );
    try {
      for (let i = seed; i < seed + runs; i++) {
        const { items, models, has_prices } = arithmeticProgram(i);
        const shown = `seed ${i}\n${items.join("\n")}`;
        const list = items.filter((item) => !item.startsWith(":~"));
        const { status, solutions = [] } = await ask(list, { all_solutions: true });
        expect(status, shown).toBe(models.length > 0 ? "sat" : "unsat");
        const answer_sets = solutions.map((solution) => Atoms.parse(solution).atoms.toSorted().join());
        expect(answer_sets.toSorted(), shown).toEqual(models.map(({ atoms }) => atoms.join()).toSorted());
        if (!has_prices) continue;
        const least = models.map(({ costs }) => costs).toSorted(compareCosts)[0];
        const best = await ask(items, {});
        expect(best.status, shown).toBe(least ? "sat" : "unsat");
        if (!least) continue;
        const atoms = Atoms.parse(best.model).atoms.toSorted().join();
        const costs = models.find((model) => model.atoms.join() === atoms)?.costs;
        expect(costs, shown).toEqual(least);
        const objectives = z.array(z.number()).parse([best.objective_value ?? []].flat());
        expect(
          objectives.filter((cost) => cost !== 0),
          shown,
        ).toEqual(least.filter((cost) => cost !== 0));
      }
    } finally {
      engines.close();
    }
  });
}

/** Compares random programs with what the definition of stable models says, in each of four ways. */
export function smallProgramsAreRight(clingo: string, numRuns: number, seed: number): void {
  let engines: Engines;
  let language: Language;
  beforeAll(() => {
    console.log(`small programs: seed ${seed}, ${numRuns} runs`);
    engines = new Engines(readConfig({}, { ...process.env, VERDICT_CLINGO: clingo }));
    language = asp(engines.clingo);
  });
  afterAll(() => engines?.close());

  const ask = async (items: readonly string[], options: SolveOptions = {}): Promise<SolveAnswer> => {
    const { signal, progress, onEvent: news } = quietContext();
    return solveAnswer(
      await language.solve(items, { deadline: new Deadline(120_000, signal), options, progress, news }),
      0,
      0,
    );
  };
  const setOf = (model: unknown) => Atoms.parse(model).atoms.toSorted();
  const holds = (property: (program: SmallProgram) => Promise<void>) =>
    fc.assert(fc.asyncProperty(smallProgram, property), { numRuns, seed });

  it("have the stable models that the definition gives them", async () => {
    await holds(async ({ rules }) => {
      const program = { rules, prices: [] };
      const expected = stableModels(program);
      const { status, solutions = [] } = await ask(itemsOf(program), { all_solutions: true });
      expect(status).toBe(expected.length > 0 ? "sat" : "unsat");
      expect(new Set(solutions.map((solution) => setOf(solution).join()))).toEqual(
        new Set(expected.map((model) => model.join())),
      );
      expect(solutions).toHaveLength(expected.length);
    });
  });

  it("have the best costs that any stable model has", async () => {
    await holds(async (program) => {
      const costs = stableModels(program).map((model) => costsOf(model, program));
      const best = costs.toSorted(compareCosts)[0];
      const { status, model, objective_value, optimal } = await ask(itemsOf(program));
      expect(status).toBe(best ? "sat" : "unsat");
      if (!best) return;
      expect(stableModels(program)).toContainEqual(setOf(model));
      expect(costsOf(setOf(model), program)).toEqual(best);
      // A level at which nothing can be paid is not there.
      const shown = z.array(z.number()).parse([objective_value ?? []].flat());
      expect(shown.filter((cost) => cost !== 0)).toEqual(best.filter((cost) => cost !== 0));
      expect(optimal).toBe(shown.length > 0 ? true : null);
    });
  });

  it("have the consequences that are in some or all of the best ones", async () => {
    await holds(async (program) => {
      const models = stableModels(program);
      const least = models.map((model) => costsOf(model, program)).toSorted(compareCosts)[0] ?? [];
      const best = models.filter((model) => compareCosts(costsOf(model, program), least) === 0);
      const all = [...new Set(best.flat())].toSorted();
      for (const reasoning of ["brave", "cautious"] as const) {
        const { status, model } = await ask(itemsOf(program), { reasoning });
        expect(status).toBe(best.length > 0 ? "sat" : "unsat");
        const expected = reasoning === "brave" ? all : all.filter((atom) => best.every((each) => each.includes(atom)));
        if (best.length > 0) expect(setOf(model)).toEqual(expected);
      }
    });
  });

  it("name conflicts that are unsatisfiable with everything that is not a suspect", async () => {
    await holds(async (program) => {
      const items = itemsOf(program);
      const { status, unsat_items, warnings } = await ask(items);
      if (status !== "unsat") return;
      expect(withoutDoubtAboutAge(warnings)).toEqual([]);
      const named = new Set(unsat_items?.map(({ item }) => item));
      expect(named.size).toBeGreaterThan(0);
      const constraints = program.rules.flatMap(({ kind }, i) => (kind === "forbid" ? [i] : []));
      const by_constraints = constraints.some((i) => named.has(i));
      const rules = program.rules.filter((rule, i) => {
        const suspect = by_constraints ? rule.kind === "forbid" : /:-|\{/.test(items[i] ?? "");
        return named.has(i) || !suspect;
      });
      expect(stableModels({ rules, prices: [] })).toEqual([]);
      if (!by_constraints) return;
      for (const i of named) {
        const rest = rules.filter((rule) => rule !== program.rules[i]);
        expect(stableModels({ rules: rest, prices: [] })).not.toEqual([]);
      }
    });
  });
}
