import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { Reader } from "../../src/engines/minizinc/read.ts";
import { Deadline } from "../../src/kernel/deadline.ts";

/** What one process of the embedded MiniZinc answers to several models, one after the other. */
describe("one process of the embedded MiniZinc", () => {
  const config = readConfig({ tools: "model" }, { ...process.env, VERDICT_MINIZINC: "wasm" });
  const engines = new Engines(config);
  beforeAll(() => engines.minizinc.prepare());
  afterAll(() => engines.close());

  /** The errors and the number of solutions of each model. */
  async function answers(models: readonly string[], args: readonly string[]) {
    const deadline = new Deadline(200_000);
    const answered = await engines.minizinc.run(deadline, async (run) => {
      const results: { readonly errors: readonly string[]; readonly solutions: number }[] = [];
      for (const model of models) {
        const reader = new Reader(100);
        const task = { files: { "model.mzn": model }, args: [...args, "model.mzn"], keeps: [] };
        await run(task, deadline, (line) => reader.take(line));
        results.push({
          errors: reader.answer().errors.map(({ message }) => message),
          solutions: reader.solutions_seen,
        });
      }
      return results;
    });
    if (answered === "expired") throw new Error("the time ran out");
    return answered;
  }

  it("answers with Chuffed about each model alone", async () => {
    const model = "var 1..5: x; var 1..5: y; constraint x + y = 6; constraint x mod 2 = 1; solve satisfy;";
    const other = "var 1..3: x; constraint x > 1; solve satisfy;";
    const results = await answers([model, other, model], ["--solver", "chuffed", "--output-mode", "json", "-a"]);
    expect(results.map(({ solutions }) => solutions)).toEqual([3, 2, 3]);
  });
});
