import { describe, expect, it } from "vitest";
import { has_python } from "../support/models.ts";
import { randomSearches } from "../support/searches.ts";

/** `VERDICT_SEED` and `VERDICT_RUNS` set the seed and the number of problems. */
const seed = Number(process.env["VERDICT_SEED"] ?? Date.now() % 2 ** 31);
const runs = (usual: number) => Number(process.env["VERDICT_RUNS"] ?? usual);

describe.skipIf(!has_python)("many random searches that are stopped before their end, against all values", () => {
  it.each([
    ["z3_bounds", 1_000],
    ["pysat_incumbents", 20_000],
  ] as const)("have no false answer (%s)", async (script, usual) => {
    const { said, wrong } = await randomSearches(script, seed, runs(usual));
    console.log(`${script}: seed ${seed}, ${JSON.stringify(said)}`);
    expect(wrong).toEqual([]);
  });
});
