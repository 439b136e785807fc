import { isDeepStrictEqual } from "node:util";
import type { Deadline } from "../../../kernel/deadline.ts";
import { cancelled, Fault } from "../../../kernel/fault.ts";
import { limits } from "../../../kernel/limits.ts";
import { Slots } from "../../../kernel/process/slots.ts";
import type { IndexNames } from "../../../viewer/figures/tables.ts";
import type { Language, SolveOptions, Values } from "../language.ts";
import { model_limits } from "../limits.ts";
import type { SolveAnswer } from "../solution/solve_answer.ts";
import { charsOf, type Edit, type Items } from "./items.ts";
import { Refusals } from "./refusals.ts";

/** The result of a model's last solve, as far as later calls need it. */
export interface Solution {
  readonly status: SolveAnswer["status"];
  /** The stored values; undefined if the answer had none. */
  readonly stored: Kept | { readonly dropped_chars: number } | undefined;
  /** The solve time in seconds. */
  readonly solve_time: number;
  /** The revision number of the solved items. */
  readonly revision: number;
  /** The question and the answer without its values, for use in a bundle. */
  readonly about?: About | undefined;
}

/** The options of a solve without its data, and the fields of its answer except the values. */
export interface About {
  readonly options: Readonly<Record<string, unknown>>;
  readonly answer: Readonly<Record<string, unknown>>;
}

/** The values in an answer. */
export interface Kept {
  readonly values: Values;
  /** All solutions if several were requested; only the first ones if all of them would be too long to store. */
  readonly solutions?: readonly Values[];
  /** The index names for each array. */
  readonly index_names?: IndexNames;
  /** The checker rules that the values violate. */
  readonly violations?: readonly string[];
}

/** The items at a point in time. */
export interface Snapshot {
  readonly items: Items;
  readonly revision: number;
}

/** The items and data used in a solve. */
export interface State {
  readonly items: Items;
  readonly data: SolveOptions["data"];
}

/** One model and its items. Changes are processed in order of arrival. */
export class Model {
  /** The model's id, assigned by its store. */
  id: string;
  readonly language: Language;
  /** Whether the language was chosen by default; if so, an error may mean that another language was intended. */
  readonly language_defaulted: boolean;
  readonly refusals = new Refusals();
  readonly #turns = new Slots(1, limits.changes_waiting_max, tooManyChanges);
  #items: Items = [];
  #revision = 0;
  #items_chars = 0;
  #solution: Solution | undefined;
  #plan: Kept | undefined;
  #solution_chars = 0;
  #data: SolveOptions["data"];
  #data_chars = 0;
  /** The last solved state, and the most recent different state before it. */
  #solved: State | undefined;
  #before: State | undefined;

  constructor(id: string, language: Language, language_defaulted: boolean) {
    this.id = id;
    this.language = language;
    this.language_defaulted = language_defaulted;
  }

  /** The data of the last solve that had any, which is used until other data is given. */
  get data(): SolveOptions["data"] {
    return this.#data;
  }

  set data(data: SolveOptions["data"]) {
    this.#data = data;
    this.#data_chars = roughChars(data ?? {});
  }

  /** Adds data without solving. */
  addData(data: NonNullable<SolveOptions["data"]>): void {
    this.data = { ...this.#data, ...data };
    if (this.#items.length > 0) this.#revision++;
  }

  /** The total length of the model's items, data and solution, in characters. */
  get chars(): number {
    const earlier = [this.#solved, this.#before].filter((each) => each !== undefined);
    const earlier_chars = earlier.reduce((sum, { items }) => sum + (items === this.#items ? 0 : charsOf(items)), 0);
    return this.#items_chars + this.#solution_chars + this.#data_chars + earlier_chars;
  }

  /** The last solved state that differs from the current one. */
  get earlier(): State | undefined {
    return this.#solved && this.#isNow(this.#solved) ? this.#before : this.#solved;
  }

  #isNow({ items, data }: State): boolean {
    return isDeepStrictEqual(items, this.#items) && isDeepStrictEqual(data, this.#data);
  }

  get solution(): Solution | undefined {
    return this.#solution;
  }

  /** The values of the last solution that had any, even if a later solve found none. */
  get plan(): Kept | undefined {
    return this.#plan;
  }

  get revision(): number {
    return this.#revision;
  }

  /**
   * Returns the items after all earlier changes, or "expired" if those changes took too long. Raises `cancelled` and
   * `busy`.
   */
  async snapshot(deadline: Deadline): Promise<Snapshot | "expired"> {
    const release = await this.#turns.take(deadline);
    if (release === "expired") return release;
    release();
    return { items: this.#items, revision: this.#revision };
  }

  /**
   * Makes a change in its turn if its check passes. The check sees exactly the items of the resulting model, with the
   * data of the last solve unless a solve with other data follows. Returns the edit and the check's warnings. Raises
   * the faults of the edit and of the check.
   */
  async change<Done extends Edit>(
    edit: (items: Items) => Done,
    deadline: Deadline,
    data = this.data,
  ): Promise<Done & { warnings: readonly string[] }> {
    const release = await this.#turns.take(deadline);
    if (release === "expired") throw waitedTooLong();
    try {
      const done = edit(this.#items);
      const warnings = await this.#check(done, deadline, data);
      if (deadline.signal.aborted) throw cancelled();
      this.#items = done.items;
      this.#items_chars = charsOf(done.items);
      this.#revision++;
      return { ...done, warnings };
    } finally {
      release();
    }
  }

  /** Stores the result of a solve, unless a solve with newer items has already been stored. */
  record({ values_found, ...solved }: Omit<Solution, "stored"> & { readonly values_found: Kept | undefined }): void {
    this.recordStored({ ...solved, stored: values_found && fitting(values_found) });
  }

  /** Like `record`, for a result that is already cut to the size limit. */
  recordStored(solution: Solution): void {
    if (this.#solution && this.#solution.revision > solution.revision) return;
    const { stored } = solution;
    this.#solution = solution;
    if (solution.revision === this.#revision && !(this.#solved && this.#isNow(this.#solved))) {
      this.#before = this.#solved;
      this.#solved = { items: this.#items, data: this.#data };
    }
    if (stored && "values" in stored && solution.status === "sat") this.#plan = stored;
    this.#solution_chars = [stored, this.#plan === stored ? undefined : this.#plan].reduce(
      (chars, each) => chars + (each && "values" in each ? JSON.stringify(each).length : 0),
      0,
    );
  }

  /** Fills an empty model with items checked in another process. */
  fillChecked(items: Items): void {
    this.#items = items;
    this.#items_chars = charsOf(items);
    this.#revision++;
  }

  /** Checks an edit; an empty model needs no check. */
  async #check({ items, changed }: Edit, deadline: Deadline, data: SolveOptions["data"]): Promise<readonly string[]> {
    return items.length === 0 ? [] : this.language.check(items, changed, deadline, data);
  }
}

/** The approximate JSON length of data, assuming that all rows of a table are as long as the first. */
function roughChars(data: NonNullable<SolveOptions["data"]>): number {
  const lengthOf = (value: unknown) => JSON.stringify(value)?.length ?? 0;
  return Object.values(data).reduce<number>(
    (sum, value) => sum + (Array.isArray(value) ? value.length * lengthOf(value[0]) : lengthOf(value)),
    0,
  );
}

/** Returns what is stored of an answer's values: all of them, fewer solutions, or only their length. */
function fitting({ values, solutions, ...said }: Kept): Solution["stored"] {
  const chars = JSON.stringify(values).length;
  const left = model_limits.solution_chars_max - chars;
  if (left < 0) return { dropped_chars: chars };
  return { values, ...said, ...(solutions && { solutions: firstOf(solutions, left) }) };
}

/** Returns the first solutions, up to a total number of characters. */
function firstOf(solutions: readonly Values[], chars_max: number): readonly Values[] {
  let left = chars_max;
  const end = solutions.findIndex((solution) => {
    left -= JSON.stringify(solution).length;
    return left < 0;
  });
  return end < 0 ? solutions : solutions.slice(0, end);
}

function tooManyChanges(waiting: number): Fault {
  return new Fault("busy", `${waiting} calls are already waiting to change this model; this one was rejected.`, [
    "wait until they are answered, then send it again",
    "send several lines as one item",
  ]);
}

/** Returns the fault for a call that waited too long for earlier changes. */
export function waitedTooLong(): Fault {
  const seconds = model_limits.change_ms_max / 1000;
  return new Fault("busy", `Earlier changes did not finish within ${seconds} s; this change was not made.`, [
    "call get_model to see which changes were made",
    "send it again",
  ]);
}

/** Returns the result of the model's last solve. Raises `input_rejected` if there was none. */
export function lastSolution({ id, solution }: Model): Solution {
  if (solution) return solution;
  throw new Fault("input_rejected", `The model "${id}" has not been solved since it was created or cleared.`, [
    "call solve_model first",
    "give model_id if you meant another model",
  ]);
}
