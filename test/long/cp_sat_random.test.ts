import { describe, expect, it } from "vitest";
import { faultOf, openCpSat } from "../support/cp_sat.ts";
import { callModel } from "../support/cp_sat_calls.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { setModel } from "../support/random_families.ts";
import { globalModel } from "../support/random_globals.ts";
import { integerModel, type RandomModel } from "../support/random_minizinc.ts";

/** CP-SAT behind MiniZinc's compiler against brute force: `MODELS` of each family, from a seed that is printed (`SEED`). */
const models = Number(process.env["MODELS"] ?? 2_000);
const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000_000);
const families = { integers: integerModel, globals: globalModel, sets: setModel, calls: callModel };
const [possible_size, impossible_size] = [40, 4];

describe.skipIf(!has_python)("random models on CP-SAT", () => {
  const bench = fixture(openCpSat);

  const cases = Object.entries(families).flatMap(([family, generate]) =>
    [1, 8].map((workers) => ({ family, generate, workers })),
  );

  it.each(cases)(
    "$family with $workers workers: it says nothing that brute force refutes",
    async ({ generate, family, workers }) => {
      const tally: Record<string, number> = {};
      const wrong: string[] = [];
      const count = (what: string) => {
        tally[what] = (tally[what] ?? 0) + 1;
      };
      const all = Array.from({ length: models }, (_, i): RandomModel => generate(seed + i));
      // One that is found impossible while it is compiled makes its whole batch so.
      const possible = all.filter(({ solutions }) => solutions.length > 0);
      const [plain, goals] = [possible.filter(isPlain), possible.filter((each) => !isPlain(each))];
      const impossible = all.filter(({ solutions }) => solutions.length === 0);
      const batches = [plain, goals].flatMap((some) => chunks(some, possible_size));
      for (const batch of [...batches, ...chunks(impossible, impossible_size)]) {
        const outcomes = await bench.solveAll(batch, workers);
        for (const [i, model] of batch.entries()) {
          const outcome = outcomes[i];
          count(outcome?.end.status ?? "refused");
          const fault = outcome && faultOf(model, outcome);
          if (outcome?.end.what) count(outcome.end.what);
          if (fault && outcome.end.doubts.length === 0) wrong.push(fault);
          else if (fault) count("doubted and wrong");
        }
      }
      console.info(`${family}, ${workers} workers: seed ${seed}, ${JSON.stringify(tally)}`);
      expect(wrong).toEqual([]);
    },
    24 * 3_600_000,
  );
});

const isPlain = ({ goal }: RandomModel) => goal === "satisfy";

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
