import type fc from "fast-check";
import { describe, it } from "vitest";
import { rightAssignments, rightClaims } from "../support/claims_properties.ts";
import { fixture } from "../support/fixture.ts";
import { has_python, openModels } from "../support/models.ts";
import { assertPrinted } from "../support/seeded.ts";

describe.skipIf(!has_python)("many random programs that export right and wrong values", () => {
  const models = fixture(openModels);

  const checked = <Case>(what: string, property: fc.IAsyncPropertyWithHooks<Case>) =>
    assertPrinted(what, property, 2_000);

  it("are confirmed in Z3's Python only where the values are of a solution", () =>
    checked("Z3's Python, claims", rightClaims(models)));
  it("are confirmed in PySAT only where the values are solutions", () =>
    checked("PySAT, claims", rightAssignments(models)));
});
