import { limits } from "../limits.ts";

/** A worker that serves one job and is then discarded, unless it can serve another job. */
export interface Expendable {
  readonly alive: boolean;
  discard(): void;
}

export interface SparePolicy {
  readonly spares_max: number;
  readonly idle_ms_max: number;
  /**
   * How long after a worker was taken the next spare starts: a start costs processor time that the job needs first.
   * "never" if workers come back: a spare then starts only on `prepare`.
   */
  readonly refill_delay_ms: number | "never";
  /**
   * The maximum number of workers that are useful at once, if workers come back. While this number is at work, no spare
   * starts.
   */
  readonly at_once: number;
}

/** The default policy for an engine's spares. */
const usual_policy: SparePolicy = {
  spares_max: limits.spares_max,
  idle_ms_max: limits.spare_idle_ms_max,
  refill_delay_ms: limits.spare_refill_delay_ms,
  at_once: Number.POSITIVE_INFINITY,
};

/** Keeps spare workers of one kind warm, from the first use on. */
export class Pool<Worker extends Expendable> {
  readonly #make: () => Worker;
  readonly #policy: SparePolicy;
  readonly #spares = new Map<Worker, NodeJS.Timeout>();
  readonly #at_work = new Set<Worker>();
  #refilling: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(make: () => Worker, policy: Partial<SparePolicy> = {}) {
    this.#make = make;
    this.#policy = { ...usual_policy, ...policy };
  }

  /**
   * Takes a warm worker if there is one, otherwise starts a new one. The policy decides whether another spare starts
   * shortly afterwards.
   */
  take(): Worker {
    const taken = this.#takeSpare() ?? this.#make();
    this.#forgetLost();
    this.#at_work.add(taken);
    this.#refillSoon();
    return taken;
  }

  /** Starts spares soon, as the policy allows. */
  #refillSoon(): void {
    const { refill_delay_ms } = this.#policy;
    if (refill_delay_ms === "never") this.#forgetRefill();
    else if (!this.#closed) this.#refilling ??= setTimeout(() => this.#refill(), refill_delay_ms);
  }

  /**
   * Takes a worker back after its job. A worker that can serve another job becomes a spare. If there are then too many
   * spares, the others are stopped, because they may still be starting. A worker that can't serve another job is
   * discarded and replaced as the policy allows.
   */
  putBack(worker: Worker, is_fresh: boolean): void {
    this.#at_work.delete(worker);
    if (this.#closed || !is_fresh || !worker.alive) {
      worker.discard();
      this.#refillSoon();
      return;
    }
    const surplus = this.#spares.size + 1 - this.#policy.spares_max;
    for (const spare of [...this.#spares.keys()].slice(0, Math.max(0, surplus))) this.#drop(spare);
    this.#keep(worker);
  }

  /** Starts a spare now if there is none, because one is likely to be needed soon. */
  prepare(): void {
    if (this.#spares.size === 0) this.#refilling ??= setTimeout(() => this.#refill(1), 0);
  }

  /** Stops the spares, and keeps none from now on. */
  close(): void {
    this.#closed = true;
    this.#forgetRefill();
    for (const spare of [...this.#spares.keys()]) this.#drop(spare);
  }

  /** Takes the most recently used spare, so that the others can time out. */
  #takeSpare(): Worker | undefined {
    for (const [spare, timer] of [...this.#spares].reverse()) {
      clearTimeout(timer);
      this.#spares.delete(spare);
      if (spare.alive) return spare;
      spare.discard();
    }
    return undefined;
  }

  #forgetLost(): void {
    for (const worker of this.#at_work) if (!worker.alive) this.#at_work.delete(worker);
  }

  #forgetRefill(): void {
    clearTimeout(this.#refilling);
    this.#refilling = undefined;
  }

  #refill(count = this.#policy.spares_max): void {
    this.#refilling = undefined;
    this.#forgetLost();
    const most = Math.min(count, this.#policy.at_once - this.#at_work.size);
    while (!this.#closed && this.#spares.size < most) this.#keep(this.#make());
  }

  #keep(spare: Worker): void {
    const timer = setTimeout(() => this.#drop(spare), this.#policy.idle_ms_max);
    timer.unref();
    this.#spares.set(spare, timer);
  }

  #drop(spare: Worker): void {
    clearTimeout(this.#spares.get(spare));
    this.#spares.delete(spare);
    spare.discard();
  }
}
