import type { Deadline } from "../../../kernel/deadline.ts";
import { cancelled, Fault } from "../../../kernel/fault.ts";
import { limits } from "../../../kernel/limits.ts";
import { Slots } from "../../../kernel/process/pool.ts";
import type { Language, SolveOptions, Values } from "../language.ts";
import { model_limits } from "../limits.ts";
import type { SolveAnswer } from "../solve_answer.ts";
import { charsOf, type Edit, type Items } from "./items.ts";
import { Refusals } from "./refusals.ts";

/** What the last solve of a model gave, as far as it is asked for later. */
export interface Solution {
  readonly status: SolveAnswer["status"];
  readonly values: Values | null;
  /** All solutions, when several were asked for; the first ones, when all are too long to be kept. */
  readonly solutions?: readonly Values[];
  /** How long the values were when they were too long to be kept. */
  readonly dropped_chars?: number;
  /** In seconds. */
  readonly solve_time: number;
  /** The revision of the items that were solved. */
  readonly revision: number;
}

/** The items at one moment. */
export interface Snapshot {
  readonly items: Items;
  readonly revision: number;
}

/** The items of one model. Changes take turns in the order in which they came. */
export class Model {
  readonly id: string;
  readonly language: Language;
  /** Whether nobody chose the language, so that a slip may mean that another one was in mind. */
  readonly language_defaulted: boolean;
  readonly refusals = new Refusals();
  /** The data of the last solve that had some; it holds until other data comes. */
  data: SolveOptions["data"];
  readonly #turns = new Slots(1, limits.changes_waiting_max, tooManyChanges);
  #items: Items = [];
  #revision = 0;
  #items_chars = 0;
  #solution: Solution | undefined;
  #solution_chars = 0;

  constructor(id: string, language: Language, language_defaulted: boolean) {
    this.id = id;
    this.language = language;
    this.language_defaulted = language_defaulted;
  }

  /** How much text it holds. */
  get chars(): number {
    return this.#items_chars + this.#solution_chars;
  }

  get solution(): Solution | undefined {
    return this.#solution;
  }

  get revision(): number {
    return this.#revision;
  }

  /** The items after all changes that came before; "expired" when those took too long. Raises `cancelled` and `busy`. */
  async snapshot(deadline: Deadline): Promise<Snapshot | "expired"> {
    const release = await this.#turns.take(deadline);
    if (release === "expired") return release;
    release();
    return { items: this.#items, revision: this.#revision };
  }

  /**
   * Makes a change when its turn has come and its check has passed; the check sees exactly the items
   * that the model then has. Gives the edit and the warnings of the check. Raises the faults of both.
   */
  async change<Done extends Edit>(
    edit: (items: Items) => Done,
    deadline: Deadline,
  ): Promise<Done & { warnings: readonly string[] }> {
    const release = await this.#turns.take(deadline);
    if (release === "expired") throw waitedTooLong();
    try {
      const done = edit(this.#items);
      const warnings = await this.#check(done, deadline);
      if (deadline.signal.aborted) throw cancelled();
      this.#items = done.items;
      this.#items_chars = charsOf(done.items);
      this.#revision++;
      return { ...done, warnings };
    } finally {
      release();
    }
  }

  /** Keeps what a solve gave, unless a solve of newer items has given something meanwhile. */
  record(solution: Solution): void {
    if (this.#solution && this.#solution.revision > solution.revision) return;
    const chars = JSON.stringify(solution.values).length;
    const fits = chars <= model_limits.solution_chars_max;
    const { solutions, ...rest } = solution;
    const kept = fits && solutions ? firstOf(solutions, model_limits.solution_chars_max - chars) : undefined;
    this.#solution = fits
      ? { ...rest, ...(kept && { solutions: kept }) }
      : { ...rest, values: null, dropped_chars: chars };
    this.#solution_chars = fits ? chars + (kept ? JSON.stringify(kept).length : 0) : 0;
  }

  /** Nothing can be wrong with an empty model. */
  async #check({ items, changed }: Edit, deadline: Deadline): Promise<readonly string[]> {
    return items.length === 0 ? [] : this.language.check(items, changed, deadline);
  }
}

/** As many solutions as have so many characters together, the first ones. */
function firstOf(solutions: readonly Values[], chars_max: number): readonly Values[] {
  let left = chars_max;
  const end = solutions.findIndex((solution) => {
    left -= JSON.stringify(solution).length;
    return left < 0;
  });
  return end < 0 ? solutions : solutions.slice(0, end);
}

function tooManyChanges(waiting: number): Fault {
  return new Fault("busy", `${waiting} calls are already waiting to change this model; this one was refused.`, [
    "wait until they are answered, then send it again",
    "send several lines as one item",
  ]);
}

/** The fault of a call that waited too long for the changes before it. */
export function waitedTooLong(): Fault {
  const seconds = model_limits.change_ms_max / 1000;
  return new Fault("busy", `The changes before this one were not done within ${seconds} s; this one was not made.`, [
    "call get_model to see which changes were made",
    "send it again",
  ]);
}
