import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quickest_clingo } from "../support/asp.ts";
import { quickest_minizinc } from "../support/minizinc.ts";
import { type Models, openModels } from "../support/models.ts";
import { whyIsRight } from "../support/random_why.ts";

const runs = Number(process.env["VERDICT_RUNS"] ?? 300);
const seed = Number(process.env["VERDICT_SEED"] ?? Date.now() % 2 ** 31);
let models: Models;

beforeAll(async () => {
  models = await openModels({
    env: { VERDICT_MINIZINC: quickest_minizinc, VERDICT_CLINGO: quickest_clingo },
    packages: "cp",
  });
});
afterAll(() => models.close());

describe("why, against all subsets of many random models", () => {
  it.each(["asp", "minizinc", "z3", "pysat", "cpmpy", "ortools"])("%s", async (language) => {
    console.log(`why, ${language}: seed ${seed}, ${runs} models`);
    const explained = await whyIsRight(models, language, runs, seed);
    console.log(`why, ${language}: ${explained} explained`);
    expect(explained).toBeGreaterThan(runs / 10);
  });
});
