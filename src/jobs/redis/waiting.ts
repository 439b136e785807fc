import { AsyncResource } from "node:async_hooks";
import { chargeTime } from "../../kernel/process/processor_time.ts";
import type { CallContext } from "../../kernel/tool.ts";
import type { Ending } from "../job.ts";

/** A call's ending elsewhere, and its changes to the session. */
export interface Ended {
  readonly ending: Ending;
  readonly session_update: unknown;
}

/** A call that a server has queued and waits for. */
export class Waiting {
  readonly id: string;
  readonly capability: string;
  /** The receiver of its events. */
  readonly context: Pick<CallContext, "progress" | "onEvent">;
  readonly ended: Promise<Ended | "lost">;
  /** From now on the queue owns it, or has lost it. */
  is_added = false;
  /** Charges the processor time of the worker to the owner of the call. */
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

  /** A job stays in its queue while Redis is unreachable. */
  get is_job(): boolean {
    return this.#isJob();
  }

  /** Only the first ending counts. */
  end(ended: Ended | "lost"): void {
    this.#end(ended);
  }
}
