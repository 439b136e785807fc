/**
 * The time of a proof, and the turns of everybody else: work on terms runs in the server's process,
 * which has other calls to answer meanwhile, and has to hear that this one was cancelled.
 */
import { setImmediate } from "node:timers/promises";
import { cancelled } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import type { Job } from "../../kernel/process/child.ts";

/** The time ran out in the midst of work. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

export class Pace {
  #until: number;
  readonly #signal: AbortSignal;
  readonly #stretch_ms_max: number;
  #turn_begun = performance.now();

  constructor({ left_ms, signal }: Job, stretch_ms_max: number = limits.prover_stretch_ms_max) {
    this.#stretch_ms_max = stretch_ms_max;
    this.#until = performance.now() + left_ms;
    this.#signal = signal;
  }

  get left_ms(): number {
    return Math.max(0, this.#until - performance.now());
  }

  get over(): boolean {
    return this.left_ms === 0 || this.#signal.aborted;
  }

  /** Does some work in a share of the time that is left. */
  async inShare<Result>(share: number, work: () => Promise<Result>): Promise<Result> {
    const until = this.#until;
    this.#until -= this.left_ms * (1 - share);
    try {
      return await work();
    } finally {
      this.#until = until;
    }
  }

  /** Belongs between any two pieces of work: gives way when its turn was long enough. Raises OutOfTime and `cancelled`. */
  async rest(): Promise<void> {
    if (performance.now() - this.#turn_begun > limits.prover_turn_ms_max) {
      await setImmediate();
      this.#turn_begun = performance.now();
    }
    this.check();
  }

  /** The same where work can't be interrupted, and may not take long for that. Raises OutOfTime and `cancelled`. */
  check(): void {
    if (this.#signal.aborted) throw cancelled();
    const stretch_ms = performance.now() - this.#turn_begun;
    if (this.left_ms === 0 || stretch_ms > this.#stretch_ms_max) throw new OutOfTime();
  }
}
