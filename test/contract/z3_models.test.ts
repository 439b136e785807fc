import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { has_python, type Models, openModels } from "../support/models.ts";
import { real_setup_ms_max } from "../support/python.ts";

describe.skipIf(!has_python)("models in Z3's Python", () => {
  let models: Models;
  beforeAll(async () => {
    models = await openModels();
  }, real_setup_ms_max);
  afterAll(() => models?.close());

  it("asserts bare Boolean expressions, item by item", async () => {
    const { status, model } = await models.solve("z3", ["x, y = Ints('x y')", "x > 5", "And(y == x + 1, y < 8)"]);
    expect([status, model]).toEqual(["sat", { x: 6, y: 7 }]);
  });
});
