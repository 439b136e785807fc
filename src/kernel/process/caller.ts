import { AsyncLocalStorage } from "node:async_hooks";

/** What a call holds or waits for, and that moves when the call becomes a job. */
export interface Movable {
  /** Whether there is a place for it among those of jobs. */
  readonly can_move: boolean;
  move(): void;
}

/**
 * On whose behalf work is done, and whether a client waits for it: a call, or a job in the background. A call can become
 * a job, but never the other way.
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

  /** Registers an object, which learns when the call becomes a job. The returned function removes it. */
  add(movable: Movable): () => void {
    this.#movable.add(movable);
    return () => this.#movable.delete(movable);
  }

  /** Makes the call a job, so that no other call waits for it. False, where jobs have no place for what it holds. */
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

/** Does work on behalf of a caller: whatever it begins knows this caller. */
export function onBehalfOf<Result>(caller: Caller, work: () => Result): Result {
  return of_this_work.run(caller, work);
}

/** The caller of the current work; a call without an owner where none was named. */
export function thisCaller(): Caller {
  return of_this_work.getStore() ?? nobody;
}
