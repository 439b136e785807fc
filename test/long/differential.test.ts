import { afterAll, beforeAll, describe, it } from "vitest";
import { rightAnswers, rightCores, rightOptima } from "../support/differential.ts";
import { type Bench, builds, openBench } from "../support/engines.ts";
import { assertPrinted } from "../support/seeded.ts";

/** Four calls each. */
const batches = 500;

for (const { name, z3 } of builds) {
  describe.skipIf(!z3)(`many random formulas on the ${name} build`, () => {
    let bench: Bench;
    beforeAll(() => {
      bench = openBench(z3 ?? "");
    });
    afterAll(() => bench.engines.close());

    it("are sat exactly when some values satisfy them, and the model is such values", async () => {
      await assertPrinted(`${name}, answers`, rightAnswers(bench), batches);
    });

    it("have the best values of their goals, the first goal first", async () => {
      await assertPrinted(`${name}, optima`, rightOptima(bench), batches);
    });

    it("have a core that is unsat and minimal", async () => {
      await assertPrinted(`${name}, cores`, rightCores(bench, { assuming: false }), batches);
    });

    it("have a core of assertions and assumptions that is unsat and minimal", async () => {
      await assertPrinted(`${name}, cores of assumptions`, rightCores(bench, { assuming: true }), batches);
    });
  });
}
