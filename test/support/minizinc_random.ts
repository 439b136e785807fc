import { expect } from "vitest";
import { Fault } from "../../src/kernel/fault.ts";
import type { Answer, MiniZincBench } from "./minizinc.ts";
import type { RandomModel } from "./random_minizinc.ts";

/** How many of the random models were decided, and how many optima and lists were proved. */
export interface Tally {
  models: number;
  decided: number;
  optima: number;
  proved: number;
  refused: number;
}

/** Solves random models and compares each claim of each answer with brute force; undecided ones are counted. */
export async function heldAgainstBruteForce(
  bench: MiniZincBench,
  generate: (seed: number) => RandomModel,
  options: Record<string, unknown>,
  seeds: readonly number[],
): Promise<Tally> {
  const tally: Tally = { models: 0, decided: 0, optima: 0, proved: 0, refused: 0 };
  for (const seed of seeds) {
    const model = generate(seed);
    const many = model.goal === "satisfy" && options["solver"] !== "highs" && options["solver"] !== "coin-bc";
    tally.models++;
    const chosen = many && seed % 2 === 0 ? { ...options, all_solutions: true } : options;
    const answer = await answerOrFault(bench, model, chosen);
    if (answer === undefined) {
      tally.refused++;
      continue;
    }
    const shown = `seed ${seed}, ${JSON.stringify(options)}\n${model.items.join("\n")}\n${JSON.stringify({ ...answer, statistics: undefined })}`;
    expectTrue(answer, model, shown);
    if (answer.status === "unsat") await expectConflict(bench, model.items, answer.unsat_items);
    if (answer.status === "sat" || answer.status === "unsat") tally.decided++;
    if (model.best !== undefined) tally.optima++;
    if (answer.optimal === true) tally.proved++;
  }
  return tally;
}

/** The answer; undefined if the solver reports that it does not support the model. */
async function answerOrFault(
  bench: MiniZincBench,
  model: RandomModel,
  options: Record<string, unknown>,
): Promise<Answer | undefined> {
  try {
    return await bench.solveAtOnce(model.items, options);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/** The named constraints conflict without the others, too. */
async function expectConflict(bench: MiniZincBench, items: readonly string[], named: unknown): Promise<void> {
  if (!Array.isArray(named)) return;
  const lines = new Set(named.map((place: { readonly line: number }) => place.line - 1));
  const core = items.filter((item, i) => lines.has(i) || !item.startsWith("constraint"));
  expect(await bench.solveAtOnce(core), items.join("\n")).toMatchObject({ status: "unsat" });
}

function expectTrue(answer: Answer, model: RandomModel, shown: string): void {
  if (answer.status === "unsat") expect(model.solutions.length, shown).toBe(0);
  if (answer.status !== "sat") return;
  const values: Record<string, number> = Object(answer.model);
  expect(
    model.solutions.some((each) => isSame(each, values)),
    shown,
  ).toBe(true);
  if (answer.optimal === true) {
    expect(model.objectiveOf(values), shown).toBeCloseTo(model.best ?? Number.NaN, 9);
    expect(Number(answer.objective_value), shown).toBeCloseTo(model.best ?? Number.NaN, 6);
  }
  const all = /These are all solutions: (\d+)/.exec(String(answer.warnings))?.[1];
  if (all !== undefined) expect(Number(all), shown).toBe(model.solutions.length);
}

function isSame(expected: Readonly<Record<string, number>>, values: Readonly<Record<string, number>>): boolean {
  return Object.entries(expected).every(([name, value]) => values[name] === value);
}
