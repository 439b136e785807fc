import { describe, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python, openModels } from "../support/models.ts";
import { assertAnswers } from "../support/random_questions.ts";

/** `VERDICT_SEED` and `VERDICT_RUNS` set the seed and the number of models of each language. */
describe.runIf(has_python)("questions about all solutions of random models, against brute force", () => {
  const models = fixture(() => openModels({ packages: "cp" }));

  it.each(["z3", "cpmpy", "ortools", "minizinc", "asp"])("are answered right in %s", (language) =>
    assertAnswers(models, language, 300),
  );
});
