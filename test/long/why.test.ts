import { describe, expect, it } from "vitest";
import { quickest_clingo } from "../support/asp.ts";
import { fixture } from "../support/fixture.ts";
import { quickest_minizinc } from "../support/minizinc.ts";
import { openModels } from "../support/models.ts";
import { whyIsRight } from "../support/random_why.ts";

const runs = Number(process.env["VERDICT_RUNS"] ?? 300);
const seed = Number(process.env["VERDICT_SEED"] ?? Date.now() % 2 ** 31);
const models = fixture(() =>
  openModels({
    env: { VERDICT_MINIZINC: quickest_minizinc, VERDICT_CLINGO: quickest_clingo },
    packages: "cp",
  }),
);

describe("why, against all subsets of many random models", () => {
  it.each(["asp", "minizinc", "z3", "pysat", "cpmpy", "ortools"])("is right in %s", async (language) => {
    console.log(`why, ${language}: seed ${seed}, ${runs} models`);
    const explained = await whyIsRight(models, language, runs, seed);
    console.log(`why, ${language}: ${explained} explained`);
    expect(explained).toBeGreaterThan(runs / 10);
  });
});
