import { AsyncLocalStorage } from "node:async_hooks";

/** How long one call has waited for a slot. */
interface QueueTime {
  waited_ms: number;
}

const of_this_call = new AsyncLocalStorage<QueueTime>();

/** Runs a call and measures how long it waits in queues; gives its result with that time. */
export async function withQueueTime<Result>(
  call: () => Promise<Result>,
): Promise<{ result: Result; waited_ms: number }> {
  const time: QueueTime = { waited_ms: 0 };
  const result = await of_this_call.run(time, call);
  return { result, waited_ms: time.waited_ms };
}

/** Adds to the waiting time of the current call. Outside of a call nothing is measured. */
export function noteWait(ms: number): void {
  const time = of_this_call.getStore();
  if (time) time.waited_ms += ms;
}
