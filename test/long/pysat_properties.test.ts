import type fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import { has_python, type Models, openModels } from "../support/models.ts";
import { rightAnswers, rightCounts, rightOptima, rightSubsets } from "../support/pysat_properties.ts";
import { real_setup_ms_max } from "../support/python.ts";
import { assertPrinted } from "../support/seeded.ts";

describe.skipIf(!has_python)("many random programs in PySAT, against trying all assignments", () => {
  let models: Models;
  beforeAll(async () => {
    models = await openModels();
  }, real_setup_ms_max);
  afterAll(() => models?.close());

  const checked = <Case>(what: string, property: fc.IAsyncPropertyWithHooks<Case>) =>
    assertPrinted(`PySAT, ${what}`, property, 2_000);

  it("are decided right by every solver, with every encoding", () => checked("decisions", rightAnswers(models)));
  it("are optimised right by every engine", () => checked("optima", rightOptima(models)));
  it("have conflicts and repairs with nothing to spare", () => checked("subsets", rightSubsets(models)));
  it("are counted right", () => checked("counts", rightCounts(models)));
});
