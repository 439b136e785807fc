import { expect } from "vitest";
import { Fault, type FaultReport } from "../../src/kernel/fault.ts";

/** The fault that a call ends with, as a client sees it. It has to have steps. */
export async function faultOf(call: Promise<unknown>): Promise<FaultReport> {
  const end = await call.then(
    (answer) => ({ answer }),
    (thrown: unknown) => ({ thrown }),
  );
  const thrown = "thrown" in end ? end.thrown : undefined;
  expect(thrown, `a fault, not ${JSON.stringify(end)}`).toBeInstanceOf(Fault);
  if (!(thrown instanceof Fault)) throw new Error("no fault");
  expect(thrown.steps.length).toBeGreaterThanOrEqual(1);
  return thrown.report();
}
