import type fc from "fast-check";
import { describe, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python, openModels } from "../support/models.ts";
import { rightAnswers, rightCounts, rightOptima, rightSubsets } from "../support/pysat_properties.ts";
import { assertPrinted } from "../support/seeded.ts";

describe.skipIf(!has_python)("many random programs in PySAT, against trying all assignments", () => {
  const models = fixture(openModels);

  const checked = <Case>(what: string, property: fc.IAsyncPropertyWithHooks<Case>) =>
    assertPrinted(`PySAT, ${what}`, property, 2_000);

  it("are decided right by every solver, with every encoding", () => checked("decisions", rightAnswers(models)));
  it("are optimised right by every engine", () => checked("optima", rightOptima(models)));
  it("have conflicts and repairs with nothing to spare", () => checked("subsets", rightSubsets(models)));
  it("are counted right", () => checked("counts", rightCounts(models)));
});
