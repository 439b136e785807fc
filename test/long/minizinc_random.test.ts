import { afterAll, describe, expect, it } from "vitest";
import { minizinc_builds, openMiniZinc } from "../support/minizinc.ts";
import { heldAgainstBruteForce } from "../support/minizinc_random.ts";
import { globalModel } from "../support/random_globals.ts";
import { integerModel, linearModel, priceModel } from "../support/random_minizinc.ts";

/** Every solver against brute force: 2,000 models each (`MODELS`), from a seed that is printed (`SEED`). */
const models = Number(process.env["MODELS"] ?? 2_000);
const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000_000);
const wanted = process.env["SOLVERS"]?.split(",");
const families = { linear: linearModel, integers: integerModel, prices: priceModel, globals: globalModel };

describe.each(minizinc_builds)("random models on the $name build", ({ name, minizinc }) => {
  const bench = openMiniZinc(minizinc);
  afterAll(() => bench.engines.close());
  const solvers = name === "wasm" ? ["gecode", "chuffed", "highs", "coin-bc"] : ["gecode"];
  const cases = Object.entries(families).flatMap(([family, generate]) =>
    [...solvers, undefined].map((solver) => ({ family, generate, solver, called: solver ?? "the default" })),
  );

  it.each(cases.filter(({ called }) => wanted?.includes(called) ?? true))(
    "$family: $called says nothing that brute force refutes",
    async ({ family, generate, solver, called }) => {
      const seeds = Array.from({ length: models }, (_, i) => seed + i);
      const options = { timeout_ms: 60_000, ...(solver !== undefined && { solver }) };
      const tally = await heldAgainstBruteForce(bench, generate, options, seeds);
      console.info(`${name} ${family} ${called}: seed ${seed}, ${JSON.stringify(tally)}`);
      if (family === "linear") expect(tally).toMatchObject({ decided: models, proved: tally.optima });
      // Gecode's whole numbers are exact, so that hardly anything is left open.
      if (family === "integers" && called === "gecode") expect(tally.decided).toBeGreaterThan(0.97 * models);
    },
    24 * 3_600_000,
  );
});
