import { http_limits } from "../limits.ts";

/** The log entry of one tool call. */
export interface CallRecord {
  readonly principal: string;
  readonly tool: string;
  /** The answer's status, or the fault's code. */
  readonly outcome: string;
  readonly ms: number;
  /** The processor time until the answer. */
  readonly cpu_ms: number;
  readonly question?: unknown;
}

/** The log entry of a finished job: how long it ran after its call was answered, and its usage during that time. */
export type JobRecord = Omit<CallRecord, "question">;

/**
 * JSON lines, one per call and one per finished job. They contain no user text, unless questions are logged on request.
 */
export class CallLog {
  readonly #write: (line: string) => void;
  readonly #has_questions: boolean;
  #refusals = { since: 0, count: 0 };

  constructor(write: (line: string) => void, has_questions: boolean) {
    this.#write = write;
    this.#has_questions = has_questions;
  }

  call({ question, ...record }: CallRecord): void {
    const shown = this.#has_questions ? { question: cut(question) } : {};
    this.#line({ event: "call", ...record, ...shown });
  }

  job(record: JobRecord): void {
    this.#line({ event: "job", ...record });
  }

  /** Logs a rejected request; during a flood, not all of them are logged. */
  refused(status: number, reason: string): void {
    const now = performance.now();
    const { since, count } = this.#refusals;
    if (now - since >= 1000) {
      const left_out = count - http_limits.refusals_logged_max;
      if (left_out > 0) this.#line({ event: "refused_more", count: left_out });
      this.#refusals = { since: now, count: 0 };
    }
    if (++this.#refusals.count <= http_limits.refusals_logged_max) this.#line({ event: "refused", status, reason });
  }

  #line(fields: object): void {
    this.#write(`${JSON.stringify({ time: new Date().toISOString(), ...fields })}\n`);
  }
}

/** Returns a question for the log: the whole question if it is short, otherwise its beginning as a string. */
function cut(question: unknown): unknown {
  const text = JSON.stringify(question) ?? "";
  return text.length <= http_limits.logged_question_chars_max
    ? question
    : text.slice(0, http_limits.logged_question_chars_max);
}
