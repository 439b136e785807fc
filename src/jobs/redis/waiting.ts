import { AsyncResource } from "node:async_hooks";
import { chargeTime } from "../../kernel/process/processor_time.ts";
import type { CallContext } from "../../kernel/tool.ts";
import type { Ending } from "../job.ts";

/** The ending of a call that ran elsewhere, and the call's changes to the session. */
export interface Ended {
  readonly ending: Ending;
  readonly session_update: unknown;
}

/** A call that a server has queued and is waiting for. */
export class Waiting {
  readonly id: string;
  readonly capability: string;
  /** The receiver of the call's events. */
  readonly context: Pick<CallContext, "progress" | "onEvent">;
  readonly ended: Promise<Ended | "lost">;
  /** Whether the call was added to the queue. If the call is missing there afterwards, it is lost. */
  is_added = false;
  /** Charges the worker's processor time to the call's owner. */
  readonly charge = AsyncResource.bind((ms: number) => chargeTime(ms));
  readonly #isJob: () => boolean;
  #end: (ended: Ended | "lost") => void = () => {};

  constructor(id: string, capability: string, context: Waiting["context"], isJob: () => boolean) {
    this.id = id;
    this.capability = capability;
    this.context = context;
    this.#isJob = isJob;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Whether the call is a job: a job stays in its queue while Redis is unreachable. */
  get is_job(): boolean {
    return this.#isJob();
  }

  /** Ends the wait. Only the first ending counts. */
  end(ended: Ended | "lost"): void {
    this.#end(ended);
  }
}
