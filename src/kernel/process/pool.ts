import type { Deadline } from "../deadline.ts";
import { cancelled, Fault } from "../fault.ts";
import { limits } from "../limits.ts";
import { noteWait } from "./queue_time.ts";

interface Waiter {
  readonly admit: () => void;
}

/**
 * Bounds how many jobs run at once: solvers of all pools, or changes of one model. Jobs start in the order of their
 * arrival. If too many wait, the next one is refused, so that memory stays bounded.
 */
export class Slots {
  readonly #waiting_max: number;
  readonly #refusal: (waiting: number) => Fault;
  readonly #queue = new Set<Waiter>();
  readonly #borrowers = new Set<() => void>();
  #free: number;

  constructor(at_once: number, waiting_max: number, refusal: (waiting: number) => Fault = noSolverFree) {
    this.#free = at_once;
    this.#waiting_max = waiting_max;
    this.#refusal = refusal;
  }

  /** How many slots are free now. */
  get free(): number {
    return this.#free;
  }

  /**
   * Waits for a slot and gives the function that hands it back, or "expired" when the time
   * ran out in the queue. Raises `cancelled` and `busy`.
   */
  async take(deadline: Deadline): Promise<(() => void) | "expired"> {
    if (deadline.signal.aborted) throw cancelled();
    if (this.#free > 0) this.#free--;
    else if (this.#queue.size >= this.#waiting_max) throw this.#refusal(this.#queue.size);
    else {
      const start = performance.now();
      const outcome = await this.#wait(deadline);
      noteWait(performance.now() - start);
      if (outcome === "expired") return outcome;
    }
    return this.#releaseOnce();
  }

  /**
   * Lends a slot that is free now, for work that a call could do without: `giveBack` is called as soon as another call
   * waits for a slot, and the work then has to end. Undefined where no slot is free.
   */
  borrow(giveBack: () => void): (() => void) | undefined {
    if (this.#free === 0) return undefined;
    this.#free--;
    const release = this.#releaseOnce();
    this.#borrowers.add(giveBack);
    return () => {
      this.#borrowers.delete(giveBack);
      release();
    };
  }

  /**
   * Does work that needs a slot, in its turn: the slot is held until the work has ended. If the time runs out in the
   * queue, it raises the fault `busy`. Raises `cancelled` and what the work raises.
   */
  async run<Result>(deadline: Deadline, work: () => Promise<Result>): Promise<Result> {
    const allowed_ms = deadline.left_ms;
    const release = await this.take(deadline);
    if (release === "expired") throw waitedInVain(allowed_ms);
    try {
      return await work();
    } finally {
      release();
    }
  }

  #wait(deadline: Deadline): Promise<"admitted" | "expired"> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        deadline.signal.removeEventListener("abort", abandon);
        this.#queue.delete(waiter);
      };
      const abandon = () => {
        leave();
        reject(cancelled());
      };
      const waiter = {
        admit: () => {
          leave();
          resolve("admitted");
        },
      };
      const timer = setTimeout(() => {
        leave();
        resolve("expired");
      }, deadline.left_ms);
      deadline.signal.addEventListener("abort", abandon, { once: true });
      this.#queue.add(waiter);
      this.#callBack();
    });
  }

  /** Wants back the slot that was lent first. */
  #callBack(): void {
    const [giveBack] = this.#borrowers;
    if (giveBack === undefined) return;
    this.#borrowers.delete(giveBack);
    giveBack();
  }

  #releaseOnce(): () => void {
    let held = true;
    return () => {
      if (held) this.#next();
      held = false;
    };
  }

  #next(): void {
    const [first] = this.#queue;
    if (first) first.admit();
    else this.#free++;
  }
}

function waitedInVain(waited_ms: number): Fault {
  const seconds = Math.round(waited_ms / 100) / 10;
  return new Fault(
    "busy",
    `This call waited ${seconds} s for a free process until its time limit; nothing was tried.`,
    [
      "send the call again, with fewer calls at the same time",
      "or give it a larger timeout_ms: waiting counts towards the time limit",
    ],
  );
}

function noSolverFree(waiting: number): Fault {
  return new Fault("busy", `${waiting} calls are already waiting for a solver; this one was refused.`, [
    "wait until some of them are answered, then send it again",
    "give calls that are unlikely to finish a smaller timeout_ms",
  ]);
}

/** Something that serves one job and is then thrown away, unless it can show that it serves another one as well. */
export interface Expendable {
  readonly alive: boolean;
  discard(): void;
}

export interface SparePolicy {
  readonly spares_max: number;
  readonly idle_ms_max: number;
  /** How long after a worker was taken the next one starts: a start costs time that the job needs first. */
  readonly refill_delay_ms: number;
}

/** How all engines keep their spares. */
const usual_policy: SparePolicy = {
  spares_max: limits.spares_max,
  idle_ms_max: limits.spare_idle_ms_max,
  refill_delay_ms: limits.spare_refill_delay_ms,
};

/** Keeps spares of one kind warm, from its first use on. */
export class Pool<Worker extends Expendable> {
  readonly #make: () => Worker;
  readonly #policy: SparePolicy;
  readonly #spares = new Map<Worker, NodeJS.Timeout>();
  #refilling: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(make: () => Worker, policy: Partial<SparePolicy> = {}) {
    this.#make = make;
    this.#policy = { ...usual_policy, ...policy };
  }

  /** A warm worker if there is one, otherwise a new one; another spare starts shortly after. */
  take(): Worker {
    const taken = this.#takeSpare() ?? this.#make();
    this.#refilling ??= setTimeout(() => this.#refill(), this.#policy.refill_delay_ms);
    return taken;
  }

  /**
   * Takes back a worker that can serve another job: a spare like any other. Where there are too many then, the others
   * go: they may still be starting.
   */
  putBack(worker: Worker): void {
    if (this.#closed || !worker.alive) {
      worker.discard();
      return;
    }
    const surplus = this.#spares.size + 1 - this.#policy.spares_max;
    for (const spare of [...this.#spares.keys()].slice(0, Math.max(0, surplus))) this.#drop(spare);
    this.#keep(worker);
  }

  /** Makes a spare now, for a use that is to be expected soon. */
  prepare(): void {
    this.#refilling ??= setTimeout(() => this.#refill(), 0);
  }

  /** Stops the spares and keeps none from now on. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#refilling);
    for (const spare of [...this.#spares.keys()]) this.#drop(spare);
  }

  #takeSpare(): Worker | undefined {
    for (const [spare, timer] of this.#spares) {
      clearTimeout(timer);
      this.#spares.delete(spare);
      if (spare.alive) return spare;
      spare.discard();
    }
    return undefined;
  }

  #refill(): void {
    this.#refilling = undefined;
    while (!this.#closed && this.#spares.size < this.#policy.spares_max) this.#keep(this.#make());
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
