import type { CallRecord } from "../evidence/calls.ts";
import { agent_limits } from "../limits.ts";

/**
 * Ends a conversation that makes no progress: repeated faults, repeated calls, no calls, unusable calls or rejected
 * answers.
 */
export class Patience {
  readonly #records: () => readonly CallRecord[];
  readonly #begun: number;
  #idle = 0;
  #unusable = 0;
  #refusals = 0;

  constructor(records: () => readonly CallRecord[]) {
    this.#records = records;
    this.#begun = records().length;
  }

  /** Why the conversation has to end after this step; undefined if it can continue. */
  afterStep({
    refused,
    is_idle,
    is_unusable,
  }: {
    readonly refused: boolean;
    readonly is_idle: boolean;
    readonly is_unusable: boolean;
  }) {
    const records = this.#records().slice(this.#begun);
    this.#idle = is_idle ? this.#idle + 1 : 0;
    this.#unusable = is_unusable ? this.#unusable + 1 : 0;
    if (refused) this.#refusals++;
    if (this.#idle >= agent_limits.idle_max) return "no_answer";
    if (this.#unusable > agent_limits.repairs_max) return "unusable";
    if (this.#refusals >= agent_limits.refusals_max) return "not_borne";
    if (repetitionsIn(records) >= agent_limits.repeats_max) return "repeats";
    if (faultsInARow(records) > agent_limits.repairs_max) return "repairs";
    return undefined;
  }
}

/** How many times in a row the last call was made. Polling a job repeats the same call legitimately. */
function repetitionsIn(records: readonly CallRecord[]): number {
  const last_call = records.at(-1);
  if (last_call?.tool === "get_job" && last_call.structured["status"] === "running") return 0;
  const keys = records.map(({ tool, args }) => JSON.stringify([tool, args]));
  const last = keys.at(-1);
  const other = keys.findLastIndex((key) => key !== last);
  return last === undefined ? 0 : keys.length - 1 - other;
}

/** The subject of a call: a model item, identified by its position, or a whole text. */
function subjectOf({ tool, args }: CallRecord): string {
  return JSON.stringify([tool, args["model_id"] ?? null, args["index"] ?? null]);
}

/** The number of consecutive faults about the subject of the last call. */
function faultsInARow(records: readonly CallRecord[]): number {
  const last = records.at(-1);
  if (!last?.is_fault) return 0;
  const about = records.filter((record) => subjectOf(record) === subjectOf(last));
  const good = about.findLastIndex(({ is_fault }) => !is_fault);
  return about.length - 1 - good;
}

/** The number of calls that corrected an earlier fault. */
export function repairsIn(records: readonly CallRecord[]): number {
  return records.filter((record, at) => {
    const before = records.slice(0, at).findLast((other) => subjectOf(other) === subjectOf(record));
    return before?.is_fault === true;
  }).length;
}
