import { Fault } from "../kernel/fault.ts";
import { errorCode } from "../kernel/files/errno.ts";
import type { Question } from "../kernel/tool.ts";
import { type JobHead, stateOf } from "./job.ts";
import { job_limits } from "./limits.ts";
import type { Running } from "./queue.ts";
import type { Place } from "./run.ts";
import type { JobStore } from "./store.ts";

type Identity = Pick<JobHead, "id" | "owner" | "tool" | "server">;

/** A job on this server, from its start until its ending has been written. Its files are written one after another. */
export class KeptJob {
  readonly run: Running;
  /** Resolves when the ending has been written, which may never happen if the disk stays full. */
  readonly saved: Promise<void>;
  readonly #identity: Identity;
  readonly #question: Question | null;
  readonly #store: JobStore;
  readonly #clock: () => number;
  readonly #created_ms: number;
  readonly #timers: NodeJS.Timeout[];
  #ended_ms: number | null = null;
  #restarted_as: string | null = null;
  #noting: NodeJS.Timeout | undefined;
  #is_begun = false;
  /** Whether the failure to write has been reported. */
  #is_failing = false;
  #last_write: Promise<void> = Promise.resolve();
  #is_closed = false;

  constructor(
    identity: Identity,
    { run, question, place }: { readonly run: Running; readonly question: Question | null; readonly place: Place },
    { store, clock }: { readonly store: JobStore; readonly clock: () => number },
  ) {
    this.run = run;
    this.#identity = identity;
    this.#question = question;
    this.#store = store;
    this.#clock = clock;
    // A call that became a job later started earlier than the job.
    this.#created_ms = clock() - run.running_s * 1000;
    this.#timers = place === "elsewhere" ? [] : this.#watch();
    this.saved = run.ended.then(() => this.#keepEnding());
  }

  get id(): string {
    return this.#identity.id;
  }

  get owner(): string {
    return this.#identity.owner;
  }

  get head(): JobHead {
    const { ending, running_s, doing, best_so_far, events } = this.run;
    return {
      version: 1,
      ...this.#identity,
      state: ending ? stateOf(ending) : "running",
      created_ms: this.#created_ms,
      ended_ms: this.#ended_ms,
      ran_s: running_s,
      doing,
      best_so_far,
      events: [...events],
      restarted_as: this.#restarted_as,
    };
  }

  /** Stores the job. If that is not possible now, returns the reason; the job then exists only in memory. */
  async begin(): Promise<string | undefined> {
    let failure: unknown;
    await this.#writeNext(async () => {
      try {
        await this.#store.begin(this.head, this.#question);
        this.#is_begun = true;
      } catch (error) {
        failure = error;
      }
    });
    return failure === undefined ? undefined : reasonOf(failure);
  }

  /**
   * Writes the job's events, and checks for requests to cancel it. For a job that runs elsewhere, its worker does both.
   */
  #watch(): NodeJS.Timeout[] {
    this.run.onEvent = () => this.#noteSoon();
    return [
      setInterval(() => this.#look(), job_limits.poll_ms).unref(),
      setInterval(() => this.#writeNext(() => this.#touch()), job_limits.touch_ms).unref(),
    ];
  }

  /**
   * Records that another job answers the same question, after the ending, which may still be on its way to the disk.
   */
  replaced(restarted_as: string): Promise<void> {
    this.#restarted_as = restarted_as;
    const note = () => this.#store.note(this.head).catch(tell("The restart of a job could not be recorded"));
    return this.#writeNext(note);
  }

  /** Stops writing because the process is about to end. */
  close(): void {
    this.#is_closed = true;
    this.#stopTimers();
  }

  #stopTimers(): void {
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#noting);
  }

  #writeNext(write: () => Promise<void>): Promise<void> {
    this.#last_write = this.#last_write.then(() => (this.#is_closed ? undefined : write()));
    return this.#last_write;
  }

  #noteSoon(): void {
    this.#noting ??= setTimeout(() => {
      this.#noting = undefined;
      void this.#writeNext(() => this.#note());
    }, job_limits.note_ms_min).unref();
  }

  async #note(): Promise<void> {
    // The ending is written separately.
    if (this.run.ending || !this.#is_begun) return;
    await this.#store.note(this.head).catch(tell("A job's events could not be recorded"));
  }

  async #touch(): Promise<void> {
    if (this.#is_begun) await this.#store.touch(this.id).catch(tell("A job could not be touched"));
  }

  #look(): void {
    if (!this.#is_begun) return;
    this.#store.isCancelAsked(this.id).then((is_asked) => {
      if (is_asked) this.run.cancel();
    }, tell("It could not be checked whether a job should be cancelled"));
  }

  async #keepEnding(): Promise<void> {
    this.#ended_ms = this.#clock();
    this.#stopTimers();
    const { thrown } = this.run;
    if (thrown !== undefined && !(thrown instanceof Fault)) console.error(thrown);
    let is_written = false;
    while (!is_written && !this.#is_closed) {
      await this.#writeNext(async () => {
        is_written = await this.#wroteEnding();
      });
      if (!is_written) await unhurried(job_limits.save_again_ms);
    }
  }

  async #wroteEnding(): Promise<boolean> {
    const { ending } = this.run;
    if (!ending) return false;
    try {
      if (!this.#is_begun) await this.#store.begin(this.head, this.#question);
      this.#is_begun = true;
      await this.#store.end(this.head, ending);
      return true;
    } catch (error) {
      if (!this.#is_failing) console.error(`The end of a job can't be recorded (${reasonOf(error)}); this is retried.`);
      this.#is_failing = true;
      return false;
    }
  }
}

function tell(what: string): (error: unknown) => void {
  return (error) => console.error(`${what} (${reasonOf(error)}).`);
}

/** Returns the reason why something could not be written: the system's error code, or that the store is unreachable. */
function reasonOf(error: unknown): string {
  if (error instanceof Fault) return "the job store can't be reached";
  return errorCode(error) ?? String(error);
}

/** A pause that does not keep the process alive. */
function unhurried(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
