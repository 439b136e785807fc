import type { Answer, CallContext, Question } from "../kernel/tool.ts";
import type { Ending, Event } from "./job.ts";
import { job_limits } from "./limits.ts";
import { Run, type Watcher } from "./run.ts";

/** A call that was begun and goes on by itself. */
export interface Running {
  readonly ended: Promise<Ending>;
  readonly ending: Ending | undefined;
  /** What was thrown here, with its stack; undefined where it happened elsewhere. */
  readonly thrown: unknown;
  readonly running_s: number;
  readonly doing: string;
  readonly best_so_far: string | null;
  readonly events: readonly Event[];
  /** Called at each event, for whoever keeps them. */
  onEvent: () => void;
  cancel(): void;
  /** From now on nobody watches it. */
  leave(): void;
}

/** A call to be made, here or elsewhere. */
export interface Order {
  readonly owner: string;
  /** The call as data, for a queue that takes it to another process; null where only this session can make it. */
  readonly question: Promise<Question | null>;
  /** The call itself, in this process. */
  call(context: CallContext): Promise<Answer>;
  readonly watcher?: Watcher;
}

/** Makes calls: the one place that every call passes. */
export interface Queue {
  begin(order: Order): Running;
}

/** Makes every call in this process; the slots of the engines decide which one is next. */
export const local_queue: Queue = {
  begin: ({ call, watcher }) => new Run(call, job_limits.timeout_ms_max, watcher),
};
