import { AsyncLocalStorage } from "node:async_hooks";
import type { Deadline } from "../deadline.ts";
import { cancelled, Fault } from "../fault.ts";
import { limits } from "../limits.ts";
import { again } from "../step.ts";
import { thisCaller } from "./caller.ts";

interface Waiter {
  readonly owner: string;
  readonly admit: () => void;
}

/** Releases a slot. A second call changes nothing. */
export type Release = () => void;

/**
 * Bounds how much runs at once: the solvers of all pools, or the changes to one model. One owner's requests start in
 * their order of arrival. Turns are fair between owners: the owner who holds the fewest slots is next; among several,
 * the one who was served longest ago. If too many requests are waiting, further ones are refused, so that memory stays
 * bounded.
 */
export class Slots {
  readonly #waiting_max: number;
  readonly #refusal: (waiting: number) => Fault;
  readonly #queue = new Set<Waiter>();
  readonly #borrowers = new Set<() => void>();
  /** How many slots each owner holds, and when it was last served, counted in turns. */
  readonly #owners = new Map<string, { held: number; served: number }>();
  #turns = 0;
  #free: number;

  constructor(at_once: number, waiting_max: number, refusal: (waiting: number) => Fault = noSolverFree) {
    this.#free = at_once;
    this.#waiting_max = waiting_max;
    this.#refusal = refusal;
  }

  /** The number of free slots; negative if more are held than exist. */
  get free(): number {
    return this.#free;
  }

  /** The number of waiting requests. */
  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Waits for a slot. Returns the function that releases it, or "expired" if the time ran out in the queue. Raises
   * `cancelled` and `busy`.
   */
  async take(deadline: Deadline): Promise<Release | "expired"> {
    const { owner } = thisCaller();
    if (deadline.signal.aborted) throw cancelled();
    if (this.#free > 0) return this.takeNow(owner);
    this.#refuseTooMany(owner);
    const start = performance.now();
    const outcome = await this.#wait(owner, deadline);
    noteWait(performance.now() - start);
    return outcome;
  }

  /** Takes a slot at once, even if none is free. */
  takeNow(owner: string): Release {
    this.#free--;
    const state = this.#stateOf(owner);
    state.held++;
    state.served = ++this.#turns;
    return once(() => {
      state.held--;
      this.#free++;
      this.#next();
      this.#forget(owner);
    });
  }

  /**
   * Lends a slot that is free now, for optional work. `giveBack` is called as soon as another call waits for a slot,
   * and the work must then end. Returns undefined if no slot is free.
   */
  borrow(giveBack: () => void, owner = thisCaller().owner): Release | undefined {
    if (this.#free <= 0) return undefined;
    const release = this.takeNow(owner);
    this.#borrowers.add(giveBack);
    return () => {
      this.#borrowers.delete(giveBack);
      release();
    };
  }

  /**
   * Waits for a slot, then runs the work. The slot is held until the work has ended. Raises `busy` if the time runs out
   * in the queue, `cancelled`, and what the work raises.
   */
  async run<Result>(deadline: Deadline, work: () => Promise<Result>): Promise<Result> {
    const allowed_ms = deadline.left_ms;
    const release = await this.take(deadline);
    if (release === "expired") throw waitedTooLong(allowed_ms);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Rejects a request if its owner, or all owners together, have too many waiting. */
  #refuseTooMany(owner: string): void {
    const own = [...this.#queue].filter((waiter) => waiter.owner === owner).length;
    if (own >= this.#waiting_max) throw this.#refusal(own);
    if (this.#queue.size >= this.#waiting_max * limits.waiting_owners_max) throw this.#refusal(this.#queue.size);
  }

  #wait(owner: string, deadline: Deadline): Promise<Release | "expired"> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        deadline.signal.removeEventListener("abort", abandon);
        this.#queue.delete(waiter);
      };
      const abandon = () => {
        leave();
        this.#forget(owner);
        reject(cancelled());
      };
      const waiter = {
        owner,
        admit: () => {
          leave();
          resolve(this.takeNow(owner));
        },
      };
      const timer = setTimeout(() => {
        leave();
        this.#forget(owner);
        resolve("expired");
      }, deadline.left_ms);
      deadline.signal.addEventListener("abort", abandon, { once: true });
      this.#queue.add(waiter);
      this.#callBack();
    });
  }

  /** Reclaims the slot that was lent first. */
  #callBack(): void {
    const [giveBack] = this.#borrowers;
    if (giveBack === undefined) return;
    this.#borrowers.delete(giveBack);
    giveBack();
  }

  #next(): void {
    while (this.#free > 0 && this.#queue.size > 0) this.#fairest()?.admit();
  }

  #fairest(): Waiter | undefined {
    let best: Waiter | undefined;
    for (const waiter of this.#queue) if (!best || this.#isBefore(waiter, best)) best = waiter;
    return best;
  }

  /** Whether a request is served before another that arrived earlier. */
  #isBefore(later: Waiter, earlier: Waiter): boolean {
    if (later.owner === earlier.owner) return false;
    const [one, other] = [this.#owners.get(later.owner), this.#owners.get(earlier.owner)];
    const held = (one?.held ?? 0) - (other?.held ?? 0);
    return held === 0 ? (one?.served ?? 0) < (other?.served ?? 0) : held < 0;
  }

  #stateOf(owner: string): { held: number; served: number } {
    const state = this.#owners.get(owner) ?? { held: 0, served: 0 };
    this.#owners.set(owner, state);
    return state;
  }

  /** Forgets an owner that neither holds a slot nor waits for one. */
  #forget(owner: string): void {
    if (this.#owners.get(owner)?.held !== 0) return;
    for (const waiter of this.#queue) if (waiter.owner === owner) return;
    this.#owners.delete(owner);
  }
}

/** Returns a function that acts only on its first call. */
export function once(act: () => void): () => void {
  let is_done = false;
  return () => {
    if (is_done) return;
    is_done = true;
    act();
  };
}

function waitedTooLong(waited_ms: number): Fault {
  const seconds = Math.round(waited_ms / 100) / 10;
  return new Fault(
    "busy",
    `This call waited ${seconds} s for a free process until its time limit; nothing was solved.`,
    [
      again("send the call again, with fewer calls at the same time"),
      "or set a larger timeout_ms: waiting counts towards the time limit",
    ],
  );
}

function noSolverFree(waiting: number): Fault {
  return new Fault("busy", `${waiting} calls are already waiting for a solver; this one was rejected.`, [
    again("wait until some of them are answered, then send it again"),
    "set a smaller timeout_ms for calls that are unlikely to finish",
  ]);
}

/** The time that one call has waited for a slot. */
interface QueueTime {
  waited_ms: number;
}

const of_this_call = new AsyncLocalStorage<QueueTime>();

/** Runs a call and measures how long it waits in queues. Returns its result with that time. */
export async function withQueueTime<Result>(
  call: () => Promise<Result>,
): Promise<{ result: Result; waited_ms: number }> {
  const time: QueueTime = { waited_ms: 0 };
  const result = await of_this_call.run(time, call);
  return { result, waited_ms: time.waited_ms };
}

/** Adds to the current call's waiting time. Outside a call, nothing is measured. */
export function noteWait(ms: number): void {
  const time = of_this_call.getStore();
  if (time) time.waited_ms += ms;
}
