import fc from "fast-check";
import { describe, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";
import { rightAnswers, rightOptima, rightProofs } from "../support/z3_properties.ts";

describe.skipIf(!has_python)("random programs in Z3's Python, against trying all values", () => {
  const models = fixture(shareModels);

  it("are answered right: models hold, conflicts are conflicts and have nothing to spare", () =>
    fc.assert(rightAnswers(models), { numRuns: 12 }));

  it("are optimised right, several goals and soft constraints in their order", () =>
    fc.assert(rightOptima(models), { numRuns: 8 }));

  it("are proved or refuted right", () => fc.assert(rightProofs(models), { numRuns: 6 }));
});
