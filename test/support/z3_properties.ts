import fc from "fast-check";
import { expect } from "vitest";
import type { Models } from "./models.ts";
import {
  bit_vectors,
  type Constraint,
  constraints,
  declarations,
  integers,
  isSatisfiable,
  type Term,
  type World,
  worldOf,
  worldsOf,
} from "./python_formulas.ts";

/** Holds what models in Z3's Python answer against what trying all values gives. */

/** The ways in which a program states its constraints, one an item. */
const ways = {
  bare: { before: [], state: (text: string) => text, after: [] },
  added: { before: ["s = Solver()"], state: (text: string) => `s.add(${text})`, after: [] },
  optimised: { before: ["s = Optimize()"], state: (text: string) => `s.add(${text})`, after: [] },
  exported: {
    before: ["from mcp_solver.z3 import export_solution", "s = SolverFor('QF_LIA')"],
    state: (text: string) => `s.add(${text})`,
    after: ["export_solution(solver=s, variables={'p': p, 'q': q, 'm0': m0, 'n0': n0, 'u': u, 'v': v})"],
  },
  checked: {
    before: ["s = Solver()"],
    state: (text: string) => `s += ${text}`,
    after: ["answer = s.check()", "print(answer)"],
  },
} as const;

type Way = keyof typeof ways;

const programs = fc.record({
  all: fc.array(constraints, { minLength: 1, maxLength: 6 }),
  way: fc.constantFrom<Way>("bare", "added", "optimised", "exported", "checked"),
});

/** Every program is answered right: its model satisfies it, or its conflict is one, and a smallest one. */
export function rightAnswers(models: Models) {
  return fc.asyncProperty(programs, async ({ all, way }) => {
    const { before, state, after } = ways[way];
    const items = [declarations, ...before, ...all.map(({ text }) => state(text)), ...after];
    const answer = await models.solve("z3", items);
    const satisfiable = isSatisfiable(all);
    expect(answer.status).toBe(satisfiable ? "sat" : "unsat");
    if (answer.model) expectHolds(all, worldOf(answer.model));
    if (!satisfiable) expectSmallestConflict(all, conflictOf(answer, 1 + before.length));
  });
}

function expectHolds(all: readonly Constraint[], world: World): void {
  expect(all.filter((each) => !each.value(world)).map(({ text }) => text)).toEqual([]);
}

/** The constraints in conflict, by their place among all. */
function conflictOf(answer: Readonly<Record<string, unknown>>, first: number): number[] {
  const { unsat_items } = answer;
  if (!Array.isArray(unsat_items)) throw new Error("no conflict is told");
  return unsat_items.map(({ item }) => Number(item) - first);
}

function expectSmallestConflict(all: readonly Constraint[], places: readonly number[]): void {
  const conflict = places.flatMap((place) => all[place] ?? []);
  expect(conflict).toHaveLength(places.length);
  expect(isSatisfiable(conflict)).toBe(false);
  for (const left_out of conflict) expect(isSatisfiable(conflict.filter((each) => each !== left_out))).toBe(true);
}

interface Goal extends Term<number> {
  readonly largest: boolean;
}

const goals: fc.Arbitrary<Goal> = fc
  .tuple(fc.oneof(integers, bit_vectors), fc.boolean())
  .map(([term, largest]) => ({ ...term, largest }));

const wishes = fc.record({ wish: constraints, weight: fc.integer({ min: 1, max: 5 }) });

const optimisations = fc.record({
  all: fc.array(constraints, { minLength: 1, maxLength: 3 }),
  goals: fc.array(goals, { minLength: 1, maxLength: 2 }),
  wishes: fc.array(wishes, { maxLength: 3 }),
});

/** The best values of all goals are found, the first goal first, and proved best. */
export function rightOptima(models: Models) {
  return fc.asyncProperty(optimisations, async ({ all, goals, wishes }) => {
    const items = [
      declarations,
      "o = Optimize()",
      ...all.map(({ text }) => `o.add(${text})`),
      ...goals.map(({ text, largest }) => `o.${largest ? "maximize" : "minimize"}(${text})`),
      ...wishes.map(({ wish, weight }) => `o.add_soft(${wish.text}, ${weight})`),
    ];
    const cost: Goal = { text: "", largest: false, value: (world) => costIn(world, wishes) };
    const wanted = wishes.length > 0 ? [...goals, cost] : goals;
    const best = bestOf(all, wanted);
    const { status, model, objective_value, optimal } = await models.solve("z3", items);
    expect(status).toBe(best ? "sat" : "unsat");
    if (!best || !model) return;
    expectHolds(all, worldOf(model));
    const reached = wanted.map(({ value }) => value(worldOf(model)) + 0);
    // Z3's optimiser gives up on some goals that are not linear: then no claim is made about the best value.
    if (optimal === false && goals.some(({ text }) => /[*/%]/.test(text))) {
      expect(isBetter(reached, best, wanted)).toBe(false);
      return;
    }
    expect(wanted.length === 1 ? [objective_value] : objective_value).toEqual(best);
    expect(optimal).toBe(true);
    expect(reached).toEqual(best);
  });
}

function costIn(world: World, all: readonly { wish: Constraint; weight: number }[]): number {
  return all.reduce((sum, { wish, weight }) => sum + (wish.value(world) ? 0 : weight), 0);
}

/** The values of the goals in the best world, the first goal first. */
function bestOf(all: readonly Constraint[], wanted: readonly Goal[]): number[] | undefined {
  let best: number[] | undefined;
  for (const world of worldsOf(all)) {
    const values = wanted.map(({ value }) => value(world) + 0);
    if (!best || isBetter(values, best, wanted)) best = values;
  }
  return best;
}

function isBetter(found: readonly number[], best: readonly number[], wanted: readonly Goal[]): boolean {
  const place = wanted.findIndex((_, i) => found[i] !== best[i]);
  const [ours = 0, theirs = 0] = [found[place], best[place]];
  return place >= 0 && (wanted[place]?.largest ? ours > theirs : ours < theirs);
}

/** What a claim's proof or counterexample says is right. */
export function rightProofs(models: Models) {
  return fc.asyncProperty(constraints, async (claim) => {
    const denial: Constraint = { text: claim.text, value: (world) => !claim.value(world) };
    const { status, output, model } = await models.solve("z3", [declarations, `prove(${claim.text})`]);
    const holds = !isSatisfiable([denial]);
    expect([status, output[0]]).toEqual(holds ? ["unsat", "proved"] : ["sat", "counterexample"]);
    if (model) expectHolds([denial], worldOf(model));
  });
}
