import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { language_fixtures } from "../support/language_fixtures.ts";
import { type Models, openModels } from "../support/models.ts";
import { real_setup_ms_max } from "../support/python.ts";

/** A thousand items, each added and checked by itself: minutes where a check reads the whole model. */
describe.each(language_fixtures)("models in $name", (fixture) => {
  let models: Models;
  beforeAll(async () => {
    models = await openModels({ env: fixture.env });
  }, real_setup_ms_max);
  afterAll(() => models?.close());

  it.skipIf(!fixture.here)("may get a thousand items one by one", async () => {
    expect(await models.solve(fixture.language, fixture.many(1_000))).toMatchObject({ status: "sat" });
  });
});
