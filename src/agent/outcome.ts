import * as z from "zod/v4";
import type { CallRecord } from "./evidence/calls.ts";
import type { Checked } from "./evidence/checked.ts";
import { asRecord, type JsonRecord } from "./evidence/json.ts";
import { type Evidence, evidenceOf, toolOf, type VerdictWord } from "./evidence/verdict.ts";
import type { Language } from "./languages.ts";
import type { Stop } from "./loop/converse.ts";
import type { Statistics } from "./report/statistics.ts";
import type { Review } from "./roles/reviewer.ts";

/**
 * - `solved`: a tool reached a verdict, and no reviewer's objection is open.
 * - `disputed`: a tool reached a verdict, but the reviewer objects to the model.
 * - `undecided`: no verdict was reached; `reason` says why.
 * - `failed`: the model's provider or the server failed.
 * - `interrupted`: the user interrupted the work.
 */
export type Status = "solved" | "disputed" | "undecided" | "failed" | "interrupted";

/** A tool's verdict, with its evidence. */
export interface Verdict {
  readonly word: VerdictWord;
  readonly tool: string;
  readonly engine: string | null;
  /** The tool's supporting information: a second engine's answer, proofs, and what no solver checked. */
  readonly evidence: JsonRecord;
}

/** The complete result for a question. */
export interface Outcome {
  readonly status: Status;
  /** The reason why the status is not `solved`. */
  readonly reason: string | null;
  /** The answer in the question's words, written by the model; null if no tool supports it. */
  readonly answer: string | null;
  readonly language: Language | null;
  /** The reason for choosing this language, if the router chose it. */
  readonly language_why: string | null;
  /** The formal model that was solved. */
  readonly model: string | null;
  readonly values: JsonRecord;
  readonly verdict: Verdict | null;
  readonly not_modelled: readonly string[];
  /** The result of a checker written from the question alone; null if none was requested. */
  readonly checker: Checked | null;
  readonly review: Review | null;
  /** The result of the last tool call, if it did not reach a verdict. */
  readonly last_result: { readonly tool: string; readonly status: string; readonly values: JsonRecord } | null;
  readonly statistics: Statistics;
}

/** The fields of an outcome without a verdict. */
export const nothing = {
  answer: null,
  model: null,
  values: {},
  verdict: null,
  not_modelled: [],
  checker: null,
  review: null,
  last_result: null,
};

const evidence_fields = [
  "message",
  "claimed",
  "confirmed",
  "confirmed_by",
  "unconfirmed",
  "unchecked",
  "certificate",
  "proof",
  "confidence",
  "warnings",
];

/** The verdict that follows from the evidence, for a reader. */
export function verdictOf(evidence: Evidence): Verdict | null {
  if (evidence.kind === "open") return null;
  const { structured } = evidence.record;
  const { engine } = structured;
  const shown = Object.entries(structured).filter(([name, value]) => evidence_fields.includes(name) && value !== null);
  return {
    word: evidence.word,
    tool: toolOf(evidence.record),
    engine: typeof engine === "string" ? engine : null,
    evidence: Object.fromEntries(shown),
  };
}

/** The last result that was known when an attempt ended without an answer. */
export function lastResult(records: readonly CallRecord[]): Outcome["last_result"] {
  const { record } = evidenceOf(records);
  if (!record) return null;
  const { values, model } = record.structured;
  return { tool: toolOf(record), status: statusOf(record), values: asRecord(values ?? model) };
}

/** Returns an answer's status, or "fault" with the code. */
function statusOf({ is_fault, structured }: CallRecord): string {
  const { status, code } = z.object({ status: word, code: word }).parse(structured);
  return is_fault ? `fault${code === undefined ? "" : ` (${code})`}` : (status ?? "no status");
}

const word = z.string().optional().catch(undefined);

const stop_words: Readonly<Record<Stop, string>> = {
  steps: "the step limit was reached",
  budget: "the token budget is used up",
  time: "the time limit was reached",
  repairs: "one item was corrected too many times",
  repeats: "the model made the same call again and again",
  no_answer: "the model stopped calling tools without answering",
  unusable: "the model kept calling tools that do not exist, or with arguments that are not JSON",
  not_borne: "the model claimed something that no tool confirmed",
  provider: "the model's provider failed",
  interrupted: "it was interrupted",
};

/** Describes a stop in a sentence. */
export function stopReason({ stop, detail }: { readonly stop: Stop; readonly detail?: string }): string {
  return detail ? `${stop_words[stop]}: ${detail}` : stop_words[stop];
}

export function statusOfStop(stop: Stop): Status {
  if (stop === "provider") return "failed";
  return stop === "interrupted" ? "interrupted" : "undecided";
}
