import { AsyncLocalStorage } from "node:async_hooks";

/** Something that a call holds, such as a slot, and that moves with it when the call becomes a job. */
export interface Movable {
  /** Whether a job slot is available for it. */
  readonly can_move: boolean;
  move(): void;
}

/**
 * On whose behalf work is done: a call with a waiting client, or a background job. A call can become a job, but a job
 * can't become a call.
 */
export class Caller {
  readonly owner: string;
  readonly #movable = new Set<Movable>();
  #is_job: boolean;

  constructor(owner: string, { is_job = false } = {}) {
    this.owner = owner;
    this.#is_job = is_job;
  }

  get is_job(): boolean {
    return this.#is_job;
  }

  /** Registers an object that is moved when the call becomes a job. The returned function removes the object. */
  add(movable: Movable): () => void {
    this.#movable.add(movable);
    return () => this.#movable.delete(movable);
  }

  /**
   * Makes the call a job, so that no other call waits for it. Returns false if the job slots have no room for what it
   * holds.
   */
  becomeJob(): boolean {
    if (this.#is_job) return true;
    const all = [...this.#movable];
    if (!all.every(({ can_move }) => can_move)) return false;
    this.#is_job = true;
    this.#movable.clear();
    for (const each of all) each.move();
    return true;
  }
}

const of_this_work = new AsyncLocalStorage<Caller>();
const nobody = new Caller("");

/** Runs work on behalf of a caller. Everything that the work starts can look up this caller. */
export function onBehalfOf<Result>(caller: Caller, work: () => Result): Result {
  return of_this_work.run(caller, work);
}

/** Returns the caller of the current work; a call without an owner if none was set. */
export function thisCaller(): Caller {
  return of_this_work.getStore() ?? nobody;
}
