import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";

/** A list of constraints as an expression statement was once ignored, and the answer was sat without it. */
describe.skipIf(!has_python)("constraints in a list or tuple that is a statement by itself", () => {
  const models = fixture(shareModels);

  it.each([
    ["a list", "[x >= v for v in (1, 5, 3)]", "[x <= 5]"],
    ["a tuple", "x > 4, x < 6", "x != 7, x != 8"],
    ["lists in a list", "[[x > 4], [x < 6, x != 0]]", "[]"],
    ["the value of a function", "def rules(v):\n    return [v > 4, v < 6]", "rules(x)"],
  ])("%s is asserted", async (_, ...items) => {
    const { status, model } = await models.solve("z3", ["x = Int('x')", ...items, "x > 0"]);
    expect([status, model]).toEqual(["sat", { x: 5 }]);
  });

  it.each(["[x > 4, 1 > 2]", "[1 > 2]", "rules(x)"])("%s holds a False, and is never sat", async (item) => {
    const rules = "def rules(v):\n    return [v > 4, 1 > 2]";
    const answer = await models.solve("z3", ["x = Int('x')", rules, item, "x > 0"]);
    expect(answer).toMatchObject({ status: "unsat", unsat_items: [{ item: 2, line: 1, text: item }] });
  });

  it("a list that holds no constraints is none", async () => {
    const { model } = await models.solve("z3", [
      "x = Int('x')",
      "[1, 'a', x]",
      "def f():\n    return [False]",
      "f()",
      "x == 5",
    ]);
    expect(model).toEqual({ x: 5 });
  });
});
