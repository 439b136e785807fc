import { describe, expect, it } from "vitest";
import { backends, cpBackends } from "../support/cp_backends.ts";
import { has_python } from "../support/models.ts";

/** `VERDICT_SEED` and `VERDICT_RUNS` set the seed and the number of models on each solver. */
const seed = Number(process.env["VERDICT_SEED"] ?? Date.now() % 2 ** 31);
const runs = Number(process.env["VERDICT_RUNS"] ?? 400);

describe.skipIf(!has_python)("many random models of CPMpy on each of its solvers, against all values", () => {
  it.each(["ortools", ...backends])("have no false answer (%s)", async (backend) => {
    const { counts, by, engine, wrong, why, failed } = await cpBackends(backend, seed, runs);
    console.log(
      `${backend}: seed ${seed}, ${JSON.stringify({ counts, by, why })}, ${engine.length} faults of the engine`,
    );
    expect(wrong).toEqual([]);
    expect(failed).toEqual({});
  });
});
