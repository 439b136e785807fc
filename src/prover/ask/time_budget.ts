/** Manages the time for a proof. */

import type { Deadline } from "../../kernel/deadline.ts";
import { cancelled } from "../../kernel/fault.ts";

/** Raised when the time runs out in the middle of some work. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

export class TimeBudget {
  #deadline: Deadline;

  constructor(deadline: Deadline) {
    this.#deadline = deadline;
  }

  /** The deadline of the current work. */
  get deadline(): Deadline {
    return this.#deadline;
  }

  get left_ms(): number {
    return this.#deadline.left_ms;
  }

  get over(): boolean {
    return this.#deadline.is_over || this.#deadline.signal.aborted;
  }

  /** Runs work with a share of the remaining time. */
  async inShare<Result>(share: number, work: () => Promise<Result>): Promise<Result> {
    const whole = this.#deadline;
    this.#deadline = whole.atMost(whole.left_ms * share);
    try {
      return await work();
    } finally {
      this.#deadline = whole;
    }
  }

  /** Must be called between any two pieces of work. Raises OutOfTime and `cancelled`. */
  check(): void {
    if (this.#deadline.signal.aborted) throw cancelled();
    if (this.#deadline.is_over) throw new OutOfTime();
  }
}

/** Runs work and returns its result; undefined if the time ran out. */
export async function inTime<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OutOfTime) return undefined;
    throw error;
  }
}
