import { http_limits } from "../limits.ts";

/** One call of a tool, as the log has it. */
export interface CallRecord {
  readonly principal: string;
  readonly tool: string;
  /** The status of the answer, or the code of the fault. */
  readonly outcome: string;
  readonly ms: number;
  /** Processor time until the answer. */
  readonly cpu_ms: number;
  readonly question?: unknown;
}

/** The end of a job, as the log has it: how long it went on after its call was answered, and what it used in that time. */
export type JobRecord = Omit<CallRecord, "question">;

/** Lines of JSON, one for each call, and one for the end of each job. They have no text of users, unless questions are asked for. */
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

  /** A refused request. A flood of them is not repeated line by line. */
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

/** A question as it is written to a line: whole if it is short, otherwise its beginning as text. */
function cut(question: unknown): unknown {
  const text = JSON.stringify(question) ?? "";
  return text.length <= http_limits.logged_question_chars_max
    ? question
    : text.slice(0, http_limits.logged_question_chars_max);
}
