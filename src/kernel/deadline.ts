import { cancelled } from "./fault.ts";

/**
 * The time by which a call must end. It is created once, from the tool's limit, and passed down unchanged, so every
 * holder sees the same moment however long earlier work took. Its signal fires when the client cancels the call.
 */
export class Deadline {
  readonly signal: AbortSignal;
  #end: number;

  /** Creates a deadline this many milliseconds from now. Without a signal, the call can't be cancelled. */
  constructor(ms: number, signal: AbortSignal = new AbortController().signal) {
    this.signal = signal;
    this.#end = performance.now() + ms;
  }

  /** The remaining wall-clock time, in ms. It is never negative. */
  get left_ms(): number {
    return Math.max(0, this.#end - performance.now());
  }

  /** Whether the deadline has passed. A cancellation does not count: the signal reports it. */
  get is_over(): boolean {
    return this.left_ms === 0;
  }

  /** Returns a deadline this many milliseconds from now, or this deadline itself if it comes first. */
  atMost(ms: number): Deadline {
    const end = performance.now() + ms;
    return end < this.#end ? Deadline.#at(end, this.signal) : this;
  }

  /** Returns an earlier deadline, for work that must leave time for later steps. */
  earlierBy(ms: number): Deadline {
    return Deadline.#at(this.#end - ms, this.signal);
  }

  /** Returns the same deadline with another signal that stops the work. */
  withSignal(signal: AbortSignal): Deadline {
    return Deadline.#at(this.#end, signal);
  }

  /** Waits for work that others may share, until this deadline at the latest. Raises `cancelled`. */
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
   * Runs work with a signal that also fires at this deadline, for code that takes no `Deadline`. The timer keeps the
   * controller alive: Node 20 garbage-collects an `AbortSignal.timeout` that only an `AbortSignal.any` refers to, so it
   * never fires.
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
