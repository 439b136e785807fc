/**
 * The time of a proof, and pauses for other calls: work on terms runs in the server's process, which must also answer
 * other calls and notice a cancel of this one.
 */

import { setImmediate } from "node:timers/promises";
import type { Deadline } from "../../kernel/deadline.ts";
import { cancelled } from "../../kernel/fault.ts";
import { prover_limits } from "./limits.ts";

/** The time ran out in the midst of work. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

export class Pace {
  #deadline: Deadline;
  readonly #stretch_ms_max: number;
  #turn_begun = performance.now();
  #used = process.cpuUsage();

  constructor(deadline: Deadline, stretch_ms_max: number = prover_limits.stretch_ms_max) {
    this.#stretch_ms_max = stretch_ms_max;
    this.#deadline = deadline;
  }

  /** The end of the current work. */
  get deadline(): Deadline {
    return this.#deadline;
  }

  get left_ms(): number {
    return this.#deadline.left_ms;
  }

  get over(): boolean {
    return this.#deadline.is_over || this.#deadline.signal.aborted;
  }

  /** Does some work in a share of the time that is left. */
  async inShare<Result>(share: number, work: () => Promise<Result>): Promise<Result> {
    const whole = this.#deadline;
    this.#deadline = whole.atMost(whole.left_ms * share);
    try {
      return await work();
    } finally {
      this.#deadline = whole;
    }
  }

  /**
   * To be called between any two pieces of work: pauses if the work has taken long enough. Raises OutOfTime and
   * `cancelled`.
   */
  async rest(): Promise<void> {
    if (performance.now() - this.#turn_begun > prover_limits.turn_ms_max) {
      await setImmediate();
      this.#turn_begun = performance.now();
      this.#used = process.cpuUsage();
    }
    this.check();
  }

  /** The same for work that can't be interrupted, and is bounded more tightly. Raises OutOfTime and `cancelled`. */
  check(): void {
    if (this.#deadline.signal.aborted) throw cancelled();
    if (this.#deadline.is_over || this.#isStretched) throw new OutOfTime();
  }

  /**
   * The clock is read first, which is cheaper; processor time counts, so a busy machine does not end the work early.
   */
  get #isStretched(): boolean {
    if (performance.now() - this.#turn_begun <= this.#stretch_ms_max) return false;
    const { user, system } = process.cpuUsage(this.#used);
    return (user + system) / 1000 > this.#stretch_ms_max;
  }
}
