import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { has_python } from "../support/models.ts";
import { privatePython } from "../support/python.ts";

/** `VERDICT_SEED` and `VERDICT_RUNS` set the seed and the number of models of each language. */
const seed = Number(process.env["VERDICT_SEED"] ?? Date.now() % 2 ** 31);
const runs = Number(process.env["VERDICT_RUNS"] ?? 2_000);

describe.skipIf(!has_python)("many random models of CP-SAT, against all values and against Z3", () => {
  it.each(["ortools", "cpmpy"])("are read right in %s", async (language) => {
    console.log(`${language}: seed ${seed}, ${runs} models`);
    const { python } = await privatePython("cp");
    const args = ["-I", "test/fixtures/cp_random.py", resolve("python"), language, String(seed), String(runs)];
    const { stdout, stderr } = spawnSync(python, args, { encoding: "utf8", maxBuffer: 2 ** 26 });
    const { models, tried, kinds, wrong } = JSON.parse(stdout || JSON.stringify({ wrong: [stderr] }));
    console.log(`${language}: ${models} models, ${wrong.length} wrong, ${JSON.stringify(tried)}`);
    expect(wrong).toEqual([]);
    expect(Object.keys(tried).toSorted()).toEqual(kinds);
  });
});
