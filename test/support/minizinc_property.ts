import fc from "fast-check";
import { expect } from "vitest";
import type { MiniZincBench } from "./minizinc.ts";
import { random_csp } from "./random_csp.ts";
import { assertPrinted } from "./seeded.ts";

/** Compares random models with brute force: verdict, values, optimum, and the conflict of unsat ones. */
export async function agreesWithBruteForce(bench: MiniZincBench, solver: string, runs: number): Promise<void> {
  const property = fc.asyncProperty(random_csp, async ({ items, solutions, best }) => {
    const answer = await bench.solveAtOnce(items, { solver });
    expect(answer.status).toBe(solutions.length > 0 ? "sat" : "unsat");
    if (answer.status === "unsat") return expectConflict(bench, items, answer.unsat_items);
    const { a, b, c } = { a: 0, b: 0, c: 0, ...Object(answer.model) };
    expect(solutions).toContainEqual([a, b, c]);
    if (best !== undefined) expect(answer).toMatchObject({ objective_value: best + 0, optimal: true });
    return undefined;
  });
  await assertPrinted(`MiniZinc with ${solver}`, property, runs);
}

/** The named constraints alone conflict too. */
async function expectConflict(bench: MiniZincBench, items: readonly string[], named: unknown): Promise<void> {
  if (!Array.isArray(named)) return;
  const lines = new Set(named.map((place: { readonly line: number }) => place.line - 1));
  const core = items.filter((item, i) => lines.has(i) || !item.startsWith("constraint"));
  expect(await bench.solveAtOnce(core)).toMatchObject({ status: "unsat" });
}
