import { describe, expect, it } from "vitest";
import { has_python } from "../support/models.ts";
import { filesAnsweredWrong } from "../support/random_files.ts";

/** `VERDICT_SEED` and `VERDICT_RUNS` set the seed and the number of files. */
const seed = Number(process.env["VERDICT_SEED"] ?? Date.now() % 2 ** 31);
const runs = Number(process.env["VERDICT_RUNS"] ?? 1_000);

describe.skipIf(!has_python)("many random files of other solvers, against all values", () => {
  it("have no false answer", async () => {
    const wrong = await filesAnsweredWrong(seed, runs);
    console.log(`seed ${seed}, ${runs} files, ${wrong.length} wrong`);
    expect(wrong).toEqual([]);
  });
});
