import type fc from "fast-check";
import { describe, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python, openModels } from "../support/models.ts";
import { assertPrinted } from "../support/seeded.ts";
import { rightAnswers, rightOptima, rightProofs } from "../support/z3_properties.ts";

describe.skipIf(!has_python)("many random programs in Z3's Python, against trying all values", () => {
  const models = fixture(openModels);

  const checked = <Case>(what: string, property: fc.IAsyncPropertyWithHooks<Case>) =>
    assertPrinted(`Z3's Python, ${what}`, property, 2_000);

  it("are answered right", () => checked("answers", rightAnswers(models)));
  it("are optimised right", () => checked("optima", rightOptima(models)));
  it("are proved or refuted right", () => checked("proofs", rightProofs(models)));
});
