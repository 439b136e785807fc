import type { JsonRecord } from "./json.ts";

/** A tool call in a conversation, as data. */
export interface CallRecord {
  /** The call's number in the conversation, counted from 1. */
  readonly number: number;
  readonly tool: string;
  readonly args: JsonRecord;
  readonly is_fault: boolean;
  /** The text shown to the model. */
  readonly text: string;
  /** The structured answer, the only source of verdicts and values. */
  readonly structured: JsonRecord;
  readonly ms: number;
}

/**
 * All calls in one conversation. The agent and its reviewer have separate logs: what one of them proves does not count
 * for the other.
 */
export class CallLog {
  readonly #records: CallRecord[] = [];

  get records(): readonly CallRecord[] {
    return this.#records;
  }

  add(record: Omit<CallRecord, "number">): CallRecord {
    const numbered = { number: this.#records.length + 1, ...record };
    this.#records.push(numbered);
    return numbered;
  }
}
