import type { Answer, CallContext, Question, RemoteCall } from "../kernel/tool.ts";
import type { Ending, Event } from "./job.ts";
import { job_limits } from "./limits.ts";
import { type Place, Run, type Watcher } from "./run.ts";
import type { JobStore } from "./store.ts";

/** A call that has begun and continues on its own. */
export interface Running {
  /** An unguessable id, which the job shares. It is final once the call has been placed and is a job. */
  readonly id: string;
  /** Resolves once it is decided where the call runs. */
  readonly placed: Promise<Place>;
  readonly ended: Promise<Ending>;
  readonly ending: Ending | undefined;
  /** The error thrown in this process, with its stack; undefined if it happened elsewhere. */
  readonly thrown: unknown;
  readonly running_s: number;
  readonly doing: string;
  readonly best_so_far: string | null;
  readonly events: readonly Event[];
  /** Called at each event, so that the events can be saved. */
  onEvent: () => void;
  cancel(): void;
  /**
   * Turns the call into a job: from now on, nobody waits for it, and it keeps no other call waiting. Returns false,
   * without any change, if there is currently no room for another job.
   */
  becomeJob(): boolean;
}

/** A call to run, here or elsewhere. */
export interface Order {
  readonly owner: string;
  /** Whether no client is waiting for the call, so that it runs in the job slots and does not delay other calls. */
  readonly is_job: boolean;
  /** The call as data, for a queue that sends it to another process; null if only this session can make the call. */
  readonly question: Promise<Question | null>;
  /**
   * Returns the call for another process, whose answer this session then processes; null if only this process can make
   * the call.
   */
  remoteCall(): Promise<RemoteCall<Answer> | null>;
  /** Makes the call in this process. */
  call(context: CallContext): Promise<Answer>;
  readonly watcher?: Watcher;
}

/** Runs calls: every call passes through here. */
export interface Queue {
  /** Whether all calls are made in this process. */
  readonly is_local: boolean;
  /** The maximum number of jobs on one server that have not ended. */
  readonly running_max: number;
  /** The number of calls and jobs in the queue that are waiting for another process; 0 if that can't be determined. */
  waiting(): Promise<number>;
  begin(order: Order): Running;
  /**
   * Whether the queue contains a waiting or running call that does not belong to a single server. Raises `busy` if that
   * can't be determined.
   */
  holds(id: string): Promise<boolean>;
  /** Cancels a call in the queue; returns false if there is no such call. */
  cancel(id: string): Promise<boolean>;
}

/** Runs every call in this process; the engines' slots determine which call is next. */
export const local_queue: Queue = {
  is_local: true,
  running_max: job_limits.running_max,
  waiting: async () => 0,
  holds: async () => false,
  cancel: async () => false,
  begin: ({ call, ...order }) => new Run(call, { ...order, timeout_ms_max: job_limits.timeout_ms_max }),
};

/** Determines where calls run and jobs are kept; shared by all owners on a server. */
export interface Backing {
  readonly queue: Queue;
  /** Returns the store for the jobs of the owner with this data directory. */
  storeFor(data_directory: string): JobStore;
  close(): void;
}
