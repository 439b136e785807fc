import { describe, it } from "vitest";
import { rightAnswers, rightCores, rightOptima } from "../support/differential.ts";
import { builds, openBench } from "../support/engines.ts";
import { fixture } from "../support/fixture.ts";
import { assertPrinted } from "../support/seeded.ts";

/** Four calls each. */
const batches = 500;

for (const { name, z3 } of builds) {
  describe.skipIf(!z3)(`many random formulas on the ${name} build`, () => {
    const bench = fixture(() => openBench(z3 ?? ""));

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
