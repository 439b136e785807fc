import fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import { has_python, type Models, openModels } from "../support/models.ts";
import { real_setup_ms_max } from "../support/python.ts";
import { rightAnswers, rightOptima, rightProofs } from "../support/z3_properties.ts";

describe.skipIf(!has_python)("many random programs in Z3's Python, against trying all values", () => {
  let models: Models;
  beforeAll(async () => {
    models = await openModels();
  }, real_setup_ms_max);
  afterAll(() => models?.close());

  it("are answered right", () => fc.assert(rightAnswers(models), { numRuns: 2_000 }));
  it("are optimised right", () => fc.assert(rightOptima(models), { numRuns: 1_500 }));
  it("are proved or refuted right", () => fc.assert(rightProofs(models), { numRuns: 1_000 }));
});
