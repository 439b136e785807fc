import fc from "fast-check";

/**
 * Tests a property on many random cases. The seed and the number of cases are printed, so that a run can be repeated:
 * `VERDICT_SEED` and `VERDICT_RUNS` set them.
 */
export async function assertPrinted<Case>(
  name: string,
  property: fc.IAsyncPropertyWithHooks<Case>,
  runs: number,
): Promise<void> {
  const numRuns = Number(process.env["VERDICT_RUNS"] ?? runs);
  const seed = Number(process.env["VERDICT_SEED"] ?? Date.now() % 2 ** 31);
  console.log(`${name}: seed ${seed}, ${numRuns} runs`);
  const details = await fc.check(property, { numRuns, seed });
  console.log(`${name}: ${details.numRuns} cases, ${details.failed ? "one failed" : "none failed"}`);
  if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
}
