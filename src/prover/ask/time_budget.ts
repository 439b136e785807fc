/** The time of a proof. */

import type { Deadline } from "../../kernel/deadline.ts";
import { cancelled } from "../../kernel/fault.ts";

/** The time ran out in the midst of work. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

export class TimeBudget {
  #deadline: Deadline;

  constructor(deadline: Deadline) {
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

  /** To be called between any two pieces of work. Raises OutOfTime and `cancelled`. */
  check(): void {
    if (this.#deadline.signal.aborted) throw cancelled();
    if (this.#deadline.is_over) throw new OutOfTime();
  }
}

/** The result of some work; nothing if the time ran out during it. */
export async function inTime<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OutOfTime) return undefined;
    throw error;
  }
}
