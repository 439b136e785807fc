import type { Answer, CallContext } from "../../kernel/tool.ts";
import { freshId } from "../job.ts";
import { job_limits } from "../limits.ts";
import type { Order } from "../queue.ts";
import type { Place } from "../run.ts";
import { Run } from "../run.ts";

/** A call in transit: its id, where it runs and whether it is a job. */
export class Ticket {
  is_job: boolean;
  is_placed = false;
  #id: string = freshId();
  #placed: Promise<Place>;
  #place: (place: Place) => void = () => {};

  constructor(is_job: boolean) {
    this.is_job = is_job;
    this.#placed = new Promise((resolve) => {
      this.#place = resolve;
    });
  }

  get id(): string {
    return this.#id;
  }

  /**
   * Gives the call a new id when it continues in this process. Redis may still hold it under the old id until it is
   * cancelled there. If the call becomes a job, nobody must find the old entry under the job's id.
   */
  renewId(): void {
    this.#id = freshId();
  }

  get placed(): Promise<Place> {
    return this.#placed;
  }

  place(place: Place): void {
    this.is_placed = true;
    this.#place(place);
    this.#placed = Promise.resolve(place);
  }
}

/** A call that another process may run. Its server treats it like any other call. */
export class QueuedRun extends Run {
  readonly #ticket: Ticket;

  constructor(ticket: Ticket, call: (context: CallContext) => Promise<Answer>, order: Order) {
    super(call, { ...order, timeout_ms_max: job_limits.timeout_ms_max });
    this.#ticket = ticket;
  }

  override get id(): string {
    return this.#ticket.id;
  }

  override get placed(): Promise<Place> {
    return this.#ticket.placed;
  }

  override becomeJob(): boolean {
    if (!super.becomeJob()) return false;
    this.#ticket.is_job = true;
    return true;
  }
}
