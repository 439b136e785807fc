import fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import { has_python, type Models, openModels } from "../support/models.ts";
import { rightAnswers, rightCounts, rightOptima, rightSubsets } from "../support/pysat_properties.ts";
import { real_setup_ms_max } from "../support/python.ts";

describe.skipIf(!has_python)("random programs in PySAT, against trying all assignments", () => {
  let models: Models;
  beforeAll(async () => {
    models = await openModels();
  }, real_setup_ms_max);
  afterAll(() => models?.close());

  it("are decided right by every solver, with every encoding", () => fc.assert(rightAnswers(models), { numRuns: 10 }));
  it("are optimised right by every engine", () => fc.assert(rightOptima(models), { numRuns: 7 }));
  it("have conflicts and repairs with nothing to spare", () => fc.assert(rightSubsets(models), { numRuns: 5 }));
  it("are counted right", () => fc.assert(rightCounts(models), { numRuns: 5 }));
});
