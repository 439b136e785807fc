import type fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import { has_python, type Models, openModels } from "../support/models.ts";
import { real_setup_ms_max } from "../support/python.ts";
import { assertPrinted } from "../support/seeded.ts";
import { rightAnswers, rightOptima, rightProofs } from "../support/z3_properties.ts";

describe.skipIf(!has_python)("many random programs in Z3's Python, against trying all values", () => {
  let models: Models;
  beforeAll(async () => {
    models = await openModels();
  }, real_setup_ms_max);
  afterAll(() => models?.close());

  const checked = <Case>(what: string, property: fc.IAsyncPropertyWithHooks<Case>) =>
    assertPrinted(`Z3's Python, ${what}`, property, 2_000);

  it("are answered right", () => checked("answers", rightAnswers(models)));
  it("are optimised right", () => checked("optima", rightOptima(models)));
  it("are proved or refuted right", () => checked("proofs", rightProofs(models)));
});
