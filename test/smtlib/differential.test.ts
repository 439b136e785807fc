import fc from "fast-check";
import { describe, it } from "vitest";
import { rightAnswers, rightCores, rightOptima } from "../support/differential.ts";
import { builds_by_itself, openBench } from "../support/engines.ts";
import { fixture } from "../support/fixture.ts";

/** Four calls each; an embedded Z3 takes some half a second to start. Many more are in test/long/. */
const batches = { native: 6, wasm: 1 } as const;

// The embedded Z3 is the same program: beside a native one, the long tests alone ask it.
for (const { name, z3 } of builds_by_itself) {
  describe.skipIf(!z3)(`random formulas on the ${name} build`, () => {
    const bench = fixture(() => openBench(z3 ?? ""));
    const numRuns = batches[name];

    it("are sat exactly when some values satisfy them, and the model is such values", async () => {
      await fc.assert(rightAnswers(bench), { numRuns, includeErrorInReport: true });
    });

    it("have a core of assertions and assumptions that is unsat and minimal", async () => {
      await fc.assert(rightCores(bench, { assuming: true }), { numRuns, includeErrorInReport: true });
    });

    it("have the best values of their goals, the first goal first", async () => {
      await fc.assert(rightOptima(bench), { numRuns, includeErrorInReport: true });
    });

    it("have a core that is unsat and minimal", async () => {
      await fc.assert(rightCores(bench, { assuming: false }), { numRuns, includeErrorInReport: true });
    });
  });
}
