import { AsyncLocalStorage } from "node:async_hooks";

/** Receives the length, in characters, of an engine's output so far for one question. It may end the call. */
export type OutputMeter = (chars: number) => void;

const of_this_call = new AsyncLocalStorage<OutputMeter>();

/** Makes a call whose engines report their output to the meter. */
export function metered<Result>(meter: OutputMeter, call: () => Result): Result {
  return of_this_call.run(meter, call);
}

/** Returns a function that takes each piece of the answer to one question. Outside a call, it does nothing. */
export function outputMeter(): (piece: string) => void {
  const meter = of_this_call.getStore();
  let chars = 0;
  return (piece) => {
    chars += piece.length;
    meter?.(chars);
  };
}

/**
 * Thrown to end a call whose answer is too large to be read in this process. The call is then repeated in a separate
 * process.
 */
export const outgrown = new Error("the answer is too large to be read in this process");
