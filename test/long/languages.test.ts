import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { language_fixtures } from "../support/language_fixtures.ts";
import { openModels } from "../support/models.ts";

/** A thousand items, each added and checked by itself: minutes where a check reads the whole model. */
describe.each(language_fixtures)("models in $name", (sample) => {
  const models = fixture(() => openModels({ env: sample.env }));

  it.skipIf(!sample.here)("may get a thousand items one by one", async () => {
    expect(await models.solve(sample.language, sample.many(1_000))).toMatchObject({ status: "sat" });
  });
});
