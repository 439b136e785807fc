import fc from "fast-check";
import { describe, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";
import { rightAnswers, rightCounts, rightOptima, rightSubsets } from "../support/pysat_properties.ts";

describe.skipIf(!has_python)("random programs in PySAT, against trying all assignments", () => {
  const models = fixture(shareModels);

  it("are decided right by every solver, with every encoding", () => fc.assert(rightAnswers(models), { numRuns: 10 }));
  it("are optimised right by every engine", () => fc.assert(rightOptima(models), { numRuns: 7 }));
  it("have conflicts and repairs with nothing to spare", () => fc.assert(rightSubsets(models), { numRuns: 5 }));
  it("are counted right", () => fc.assert(rightCounts(models), { numRuns: 5 }));
});
