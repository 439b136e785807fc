import { expect } from "vitest";
import { Fault, type FaultReport } from "../../src/kernel/fault.ts";

/** The fault that a call raises. */
export async function faultIn(call: Promise<unknown>): Promise<Fault> {
  const end = await call.then(
    (answer) => ({ answer }),
    (thrown: unknown) => ({ thrown }),
  );
  const thrown = "thrown" in end ? end.thrown : undefined;
  if (!(thrown instanceof Fault)) throw new Error(`a fault, not ${JSON.stringify(end)}`, { cause: thrown });
  return thrown;
}

/** The fault that a call ends with, as a client sees it. It has to have steps. */
export async function faultOf(call: Promise<unknown>): Promise<FaultReport> {
  const fault = await faultIn(call);
  expect(fault.steps.length).toBeGreaterThanOrEqual(1);
  return fault.report();
}
