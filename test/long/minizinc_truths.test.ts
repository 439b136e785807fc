import { afterAll, describe, expect, it } from "vitest";
import { Chance } from "../support/chance.ts";
import { openMiniZinc } from "../support/minizinc.ts";
import { constraintsThatDiffer, truthsThatDiffer } from "../support/special_formulas.ts";

/**
 * Random formulas about optional values, tuples and records (`RUNS` of each kind, from a seed that is printed, `SEED`),
 * defined as truth values and as constraints, against brute force.
 */
const runs = Number(process.env["RUNS"] ?? 200);
const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000_000);
const wanted = process.env["SOLVERS"]?.split(",") ?? ["gecode", "chuffed"];

describe.each(wanted)("%s", (solver) => {
  const bench = openMiniZinc("wasm");
  afterAll(() => bench.engines.close());

  it.each([
    ["truth values", truthsThatDiffer],
    ["solutions", constraintsThatDiffer],
  ])(
    "answers as MiniZinc means it: %s",
    async (_, differ) => {
      console.info(`seed ${seed}`);
      const wrong: string[] = [];
      for (let run = 0; run < runs; run++) wrong.push(...(await differ(bench, new Chance(seed + run), { solver })));
      expect(wrong).toEqual([]);
    },
    7_200_000,
  );
});
