import { describe, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python, openModels } from "../support/models.ts";
import { assertAnswers, assertKept, assertPlans } from "../support/random_questions.ts";

/** `VERDICT_SEED` and `VERDICT_RUNS` set the seed and the number of models of each language. */
describe.runIf(has_python)("questions about all solutions of random models, against brute force", () => {
  const models = fixture(() => openModels({ packages: "cp" }));

  describe.each(["z3", "cpmpy", "ortools", "minizinc", "asp"])("in %s", (language) => {
    it("are answered right", () => assertAnswers(models, language, 300));
    it("say what a plan is", () => assertPlans(models, language, 300));
    it("keep a plan with the fewest changes", () => assertKept(models, language, 300));
  });
});
