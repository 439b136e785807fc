import fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import { has_python, type Models, openModels } from "../support/models.ts";
import { real_setup_ms_max } from "../support/python.ts";
import { rightAnswers, rightOptima, rightProofs } from "../support/z3_properties.ts";

describe.skipIf(!has_python)("random programs in Z3's Python, against trying all values", () => {
  let models: Models;
  beforeAll(async () => {
    models = await openModels();
  }, real_setup_ms_max);
  afterAll(() => models?.close());

  it("are answered right: models hold, conflicts are conflicts and have nothing to spare", () =>
    fc.assert(rightAnswers(models), { numRuns: 12 }));

  it("are optimised right, several goals and soft constraints in their order", () =>
    fc.assert(rightOptima(models), { numRuns: 8 }));

  it("are proved or refuted right", () => fc.assert(rightProofs(models), { numRuns: 6 }));
});
