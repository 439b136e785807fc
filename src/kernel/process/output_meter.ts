import { AsyncLocalStorage } from "node:async_hooks";

/** Receives the length of an engine's output for one question so far, in characters. It may end the call. */
export type OutputMeter = (chars: number) => void;

const of_this_call = new AsyncLocalStorage<OutputMeter>();

/** Makes a call whose engines report to the meter what they say. */
export function metered<Result>(meter: OutputMeter, call: () => Result): Result {
  return of_this_call.run(meter, call);
}

/** Receives each piece of the answer to one question. Outside of a call nobody does. */
export function outputMeter(): (piece: string) => void {
  const meter = of_this_call.getStore();
  let chars = 0;
  return (piece) => {
    chars += piece.length;
    meter?.(chars);
  };
}

/** Why a call ends that is then made again, in a process of its own: its answer is too large to be read here. */
export const outgrown = new Error("the answer is too large to be read in this process");
