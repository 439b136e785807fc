import { AsyncLocalStorage } from "node:async_hooks";

/** Hears how much an engine has printed in answer to one question so far, in bytes. It may end the call. */
export type OutputMeter = (bytes: number) => void;

const of_this_call = new AsyncLocalStorage<OutputMeter>();

/** Makes a call whose engines report to the meter what they print. */
export function metered<Result>(meter: OutputMeter, call: () => Result): Result {
  return of_this_call.run(meter, call);
}

/** The meter of the current call. Outside of a call nobody hears what is printed. */
export function outputMeter(): OutputMeter {
  return of_this_call.getStore() ?? (() => {});
}

/** Why a call ends that is then made again, in a process of its own: its answer is too large to be read here. */
export const outgrown = new Error("the answer is too large to be read in this process");
