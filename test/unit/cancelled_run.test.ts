import { once } from "node:events";
import { expect, it } from "vitest";
import { stateOf } from "../../src/jobs/job.ts";
import { Run } from "../../src/jobs/run.ts";

const options = { owner: "test", is_job: true, timeout_ms_max: 60_000 };

it("a job that answers in spite of its cancellation is cancelled", async () => {
  const run = new Run(async ({ signal }) => {
    await once(signal, "abort");
    return { structured: { status: "sat" }, text: ["sat"] };
  }, options);
  run.cancel();
  expect(stateOf(await run.ended)).toBe("cancelled");
  const other = new Run(async () => ({ structured: { status: "sat" }, text: ["sat"] }), options);
  expect(stateOf(await other.ended)).toBe("done");
});
