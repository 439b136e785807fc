import fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import { has_python, type Models, openModels } from "../support/models.ts";
import { rightAnswers, rightCounts, rightOptima, rightSubsets } from "../support/pysat_properties.ts";
import { real_setup_ms_max } from "../support/python.ts";

describe.skipIf(!has_python)("many random programs in PySAT, against trying all assignments", () => {
  let models: Models;
  beforeAll(async () => {
    models = await openModels();
  }, real_setup_ms_max);
  afterAll(() => models?.close());

  /** Runs that can be had again: the seed is printed. */
  function runs(numRuns: number) {
    const seed = Number(process.env["VERDICT_SEED"] ?? Date.now() % 2 ** 31);
    console.log(`seed ${seed}, ${numRuns} runs`);
    return { numRuns, seed };
  }

  it("are decided right by every solver, with every encoding", () => fc.assert(rightAnswers(models), runs(2_000)));
  it("are optimised right by every engine", () => fc.assert(rightOptima(models), runs(2_000)));
  it("have conflicts and repairs with nothing to spare", () => fc.assert(rightSubsets(models), runs(1_000)));
  it("are counted right", () => fc.assert(rightCounts(models), runs(1_000)));
});
