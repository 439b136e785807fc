import { afterAll, beforeAll, describe, it } from "vitest";
import { has_python, type Models, openModels } from "../support/models.ts";
import { real_setup_ms_max } from "../support/python.ts";
import { assertAnswers } from "../support/random_questions.ts";

/** `VERDICT_SEED` and `VERDICT_RUNS` set the seed and the number of models of each language. */
describe.runIf(has_python)("questions about all solutions of random models, against brute force", () => {
  let models: Models;
  beforeAll(async () => {
    models = await openModels({ packages: "cp" });
  }, real_setup_ms_max);
  afterAll(() => models?.close());

  it.each(["z3", "cpmpy", "ortools", "minizinc", "asp"])("are answered right in %s", (language) =>
    assertAnswers(models, language, 300),
  );
});
