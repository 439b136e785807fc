import type { Deadline } from "../deadline.ts";
import { limits } from "../limits.ts";
import { type Caller, type Movable, thisCaller } from "./caller.ts";
import { once, type Release, Slots } from "./slots.ts";

interface Bounds {
  readonly moved_max: number;
  readonly turn_ms: number;
}

const usual_bounds: Bounds = { moved_max: limits.moved_jobs_max, turn_ms: limits.turn_ms_max };

/**
 * The slots for solvers. Calls with waiting clients and background jobs each have the same number, so that no call
 * waits for a job. A running call that becomes a job moves to a job slot at once, with its solver. Such jobs can exceed
 * the job slots up to a bound; other jobs then wait until they have ended. A call that becomes a job while it waits
 * keeps its place in the queue of calls, and moves to a job slot after its turn.
 */
export class SolverSlots extends Slots {
  readonly #jobs: Slots;
  readonly #moved_max: number;
  readonly #turn_ms: number;

  constructor(at_once: number, { moved_max, turn_ms }: Bounds = usual_bounds) {
    super(at_once, limits.calls_waiting_max);
    this.#jobs = new Slots(at_once, limits.calls_waiting_max);
    this.#moved_max = moved_max;
    this.#turn_ms = turn_ms;
  }

  override get free(): number {
    return thisCaller().is_job ? this.#jobs.free : super.free;
  }

  override get waiting(): number {
    return super.waiting + this.#jobs.waiting;
  }

  override async take(deadline: Deadline): Promise<Release | "expired"> {
    const caller = thisCaller();
    if (caller.is_job) return this.#jobs.take(deadline);
    const release = await super.take(deadline);
    return release === "expired" ? release : this.#held(caller, release);
  }

  override borrow(giveBack: () => void): Release | undefined {
    const caller = thisCaller();
    if (caller.is_job) return this.#jobs.borrow(giveBack);
    // The slot may be reclaimed twice: when its caller moves, and then by another call.
    const back = once(giveBack);
    const release = super.borrow(back);
    return release && this.#held(caller, release, back);
  }

  /** Makes a slot that moves with its caller. A lent slot is reclaimed if no job slot is free. */
  #held(caller: Caller, first: Release, giveBack?: () => void): Release {
    let release = first;
    const jobs = this.#jobs;
    const moved_max = this.#moved_max;
    const movable: Movable = {
      get can_move() {
        return giveBack !== undefined || jobs.free > -moved_max;
      },
      move: () => {
        const next = giveBack ? jobs.borrow(giveBack, caller.owner) : jobs.takeNow(caller.owner);
        if (!next) return void giveBack?.();
        release();
        release = next;
      },
    };
    const forget = caller.is_job ? this.#moveAfterTurn(movable) : caller.add(movable);
    return () => {
      forget();
      release();
    };
  }

  /** Moves a call that became a job while it waited, after its turn and as soon as there is room. */
  #moveAfterTurn(movable: Movable): () => void {
    let timer = setTimeout(function look() {
      if (movable.can_move) movable.move();
      else timer = setTimeout(look, limits.room_look_ms);
    }, this.#turn_ms);
    return () => clearTimeout(timer);
  }
}
