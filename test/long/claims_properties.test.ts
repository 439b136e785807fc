import type fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import { rightAssignments, rightClaims } from "../support/claims_properties.ts";
import { has_python, type Models, openModels } from "../support/models.ts";
import { real_setup_ms_max } from "../support/python.ts";
import { assertPrinted } from "../support/seeded.ts";

describe.skipIf(!has_python)("many random programs that export right and wrong values", () => {
  let models: Models;
  beforeAll(async () => {
    models = await openModels();
  }, real_setup_ms_max);
  afterAll(() => models?.close());

  const checked = <Case>(what: string, property: fc.IAsyncPropertyWithHooks<Case>) =>
    assertPrinted(what, property, 2_000);

  it("are confirmed in Z3's Python only where the values are of a solution", () =>
    checked("Z3's Python, claims", rightClaims(models)));
  it("are confirmed in PySAT only where the values are solutions", () =>
    checked("PySAT, claims", rightAssignments(models)));
});
