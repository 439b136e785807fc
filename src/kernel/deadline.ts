import { cancelled } from "./fault.ts";

/**
 * The end of a call. It is made once, from the limit of the tool, and handed down as it is: whoever holds it sees the
 * same moment, however long the work before took. Its signal fires when the client gives the call up.
 */
export class Deadline {
  readonly signal: AbortSignal;
  #end: number;

  /** Ends a number of milliseconds from now. Without a signal the call can't be cancelled. */
  constructor(ms: number, signal: AbortSignal = new AbortController().signal) {
    this.signal = signal;
    this.#end = performance.now() + ms;
  }

  /** Wall time that is left, in ms. It shrinks while time passes, and is never negative. */
  get left_ms(): number {
    return Math.max(0, this.#end - performance.now());
  }

  /** Whether the time is over. A cancelled call is not over in this sense: its signal says so. */
  get is_over(): boolean {
    return this.left_ms === 0;
  }

  /** The earlier one of this end and an end a number of milliseconds from now: this very deadline if it comes first. */
  atMost(ms: number): Deadline {
    const end = performance.now() + ms;
    return end < this.#end ? Deadline.#at(end, this.signal) : this;
  }

  /** An earlier end, for work that must leave time for what follows. */
  earlierBy(ms: number): Deadline {
    return Deadline.#at(this.#end - ms, this.signal);
  }

  /** The same end, for work that another signal stops. */
  withSignal(signal: AbortSignal): Deadline {
    return Deadline.#at(this.#end, signal);
  }

  /** Waits for others' work until this end at most. Raises `cancelled`. */
  within<Result>(work: Promise<Result>): Promise<Result | "expired"> {
    return new Promise((resolve, reject) => {
      const abandon = () => reject(cancelled());
      const timer = setTimeout(() => resolve("expired"), this.left_ms);
      this.signal.addEventListener("abort", abandon, { once: true });
      if (this.signal.aborted) abandon();
      work.then(resolve, reject).finally(() => {
        clearTimeout(timer);
        this.signal.removeEventListener("abort", abandon);
      });
    });
  }

  /**
   * Does work with a signal that fires at this end, too, for what takes no deadline. The timer holds what fires:
   * Node 20 collects an `AbortSignal.timeout` that nothing but an `AbortSignal.any` refers to, and it never fires.
   */
  async signalling<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.left_ms);
    try {
      return await work(AbortSignal.any([this.signal, late.signal]));
    } finally {
      clearTimeout(timer);
    }
  }

  static #at(end: number, signal: AbortSignal): Deadline {
    const deadline = new Deadline(0, signal);
    deadline.#end = end;
    return deadline;
  }
}
