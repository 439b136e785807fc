import { cancelled } from "../kernel/fault.ts";
import { Caller, onBehalfOf } from "../kernel/process/caller.ts";
import { type Answer, type CallContext, quietContext } from "../kernel/tool.ts";
import { type Ending, type Event, freshId, storedFault } from "./job.ts";
import { job_limits } from "./limits.ts";

/** The observer of a run. */
export type Watcher = Pick<CallContext, "progress" | "onEvent">;

export interface RunOptions {
  /** The owner of the run. */
  readonly owner: string;
  /** Whether the run starts as a job, so that no client waits for it. */
  readonly is_job: boolean;
  readonly timeout_ms_max: number;
  readonly watcher?: Watcher | undefined;
}

/**
 * One call that outlives the request that started it. It has its own abort signal, and remembers its latest events and
 * its ending.
 */
export class Run {
  readonly ended: Promise<Ending>;
  readonly #id = freshId();
  readonly #cancel = new AbortController();
  readonly #caller: Caller;
  readonly #begun = performance.now();
  readonly #events: Event[] = [];
  #next = 0;
  #doing = "working";
  #best: string | null = null;
  #ended_s: number | undefined;
  #ending: Ending | undefined;
  #watcher: Watcher | undefined;
  /** Called at each event, so that the events can be stored. */
  onEvent: () => void = () => {};

  constructor(call: (context: CallContext) => Promise<Answer>, options: RunOptions) {
    const { owner, is_job, timeout_ms_max, watcher } = options;
    this.#watcher = watcher;
    this.#caller = new Caller(owner, { is_job });
    const context = {
      ...quietContext(this.#cancel.signal),
      timeout_ms_max,
      progress: (message: string) => this.#progress(message),
      onEvent: (message: string) => this.#onEvent(message),
    };
    this.ended = onBehalfOf(this.#caller, () => call(context)).then(
      // An answer after the cancellation can be about a part of the search only.
      (answer) => this.#end(this.#cancel.signal.aborted ? { fault: storedFault(cancelled()) } : { answer }),
      (thrown: unknown) => this.#end({ fault: storedFault(thrown) }, thrown),
    );
  }

  get id(): string {
    return this.#id;
  }

  get placed(): Promise<Place> {
    return Promise.resolve("here");
  }

  get running_s(): number {
    return this.#ended_s ?? Math.round((performance.now() - this.#begun) / 100) / 10;
  }

  get doing(): string {
    return this.#doing;
  }

  get best_so_far(): string | null {
    return this.#best;
  }

  get events(): readonly Event[] {
    return this.#events;
  }

  get ending(): Ending | undefined {
    return this.#ending;
  }

  /** What the call threw, if anything. Its stack is for the log. */
  thrown: unknown;

  cancel(): void {
    this.#cancel.abort();
  }

  /**
   * Turns the run into a job: nobody waits for it any more, and its solvers move to the job slots, so that it does not
   * delay other calls. Returns false, without any change, if the job slots have no room.
   */
  becomeJob(): boolean {
    if (!this.#caller.becomeJob()) return false;
    this.#watcher = undefined;
    return true;
  }

  #progress(message: string): void {
    this.#watcher?.progress(message);
    if (message === this.#doing) return;
    this.#doing = message.slice(0, job_limits.event_chars_max);
    this.#note(message);
  }

  #onEvent(message: string): void {
    this.#watcher?.onEvent(message);
    this.#best = message.slice(0, job_limits.event_chars_max);
    this.#note(message);
  }

  #note(text: string): void {
    this.#events.push({ number: this.#next++, at_s: this.running_s, text: text.slice(0, job_limits.event_chars_max) });
    if (this.#events.length > job_limits.events_max) this.#events.shift();
    this.onEvent();
  }

  #end(ending: Ending, thrown?: unknown): Ending {
    this.#ended_s = this.running_s;
    this.#ending = ending;
    this.thrown = thrown;
    this.#watcher = undefined;
    return ending;
  }
}

/** Where a call runs: in this process, or in another process, which then records the ending. */
export type Place = "here" | "elsewhere";
