import type { Answer, CallContext, Question, RemoteCall } from "../kernel/tool.ts";
import type { Ending, Event } from "./job.ts";
import { job_limits } from "./limits.ts";
import { type Place, Run, type Watcher } from "./run.ts";
import type { JobStore } from "./store.ts";

/** A call that was begun and goes on by itself. */
export interface Running {
  /** Unguessable; the job has the same id. It is final where the call is placed and is a job. */
  readonly id: string;
  /** Settles when it is decided where the call runs. */
  readonly placed: Promise<Place>;
  readonly ended: Promise<Ending>;
  readonly ending: Ending | undefined;
  /** The error thrown here, with its stack; undefined if it happened elsewhere. */
  readonly thrown: unknown;
  readonly running_s: number;
  readonly doing: string;
  readonly best_so_far: string | null;
  readonly events: readonly Event[];
  /** Called at each event, for whoever keeps them. */
  onEvent: () => void;
  cancel(): void;
  /**
   * From now on nobody waits for it, and it keeps no call waiting. False, where jobs have no place for it now; then
   * nothing has changed.
   */
  becomeJob(): boolean;
}

/** A call to run, here or elsewhere. */
export interface Order {
  readonly owner: string;
  /** Whether no client waits for it: it runs in the job slots, and no call waits for it. */
  readonly is_job: boolean;
  /** The call as data, for a queue that takes it to another process; null where only this session can make it. */
  readonly question: Promise<Question | null>;
  /** The call for another process whose answer this session takes; null where only this process can make it. */
  remoteCall(): Promise<RemoteCall<Answer> | null>;
  /** The call itself, in this process. */
  call(context: CallContext): Promise<Answer>;
  readonly watcher?: Watcher;
}

/** Runs calls: every call passes through here. */
export interface Queue {
  /** Whether each call is made in this process. */
  readonly is_local: boolean;
  /** Jobs of one server that have not ended. */
  readonly running_max: number;
  /** Calls and jobs that wait in it for another process; 0 while that can't be found out. */
  waiting(): Promise<number>;
  begin(order: Order): Running;
  /** Whether a call waits or runs in it that belongs to no server alone. Raises `busy` where that can't be found out. */
  holds(id: string): Promise<boolean>;
  /** Cancels such a call; false if there is none. */
  cancel(id: string): Promise<boolean>;
}

/** Runs every call in this process; the engines' slots decide which is next. */
export const local_queue: Queue = {
  is_local: true,
  running_max: job_limits.running_max,
  waiting: async () => 0,
  holds: async () => false,
  cancel: async () => false,
  begin: ({ call, ...order }) => new Run(call, { ...order, timeout_ms_max: job_limits.timeout_ms_max }),
};

/** Where calls run and jobs are kept. All owners of a server share it. */
export interface Backing {
  readonly queue: Queue;
  /** The jobs of owners who have this data directory. */
  storeFor(data_directory: string): JobStore;
  close(): void;
}
