import type { LanguageModel } from "ai";
import type { Deadline } from "../kernel/deadline.ts";
import type { Language } from "./languages.ts";
import type { Budget, Role } from "./loop/budget.ts";
import type { Emit } from "./loop/events.ts";
import type { OpenTransport } from "./loop/session.ts";
import type { Question } from "./roles/question.ts";

/** A question with everything needed to answer it. */
export interface Task {
  readonly text: string;
  /** The full paths of the question's data files. */
  readonly data_files?: readonly string[];
  /** Whether the server received copies of the data files. */
  readonly is_sent?: boolean;
  readonly language: Language | "auto";
  readonly models: Readonly<Record<Role, LanguageModel>>;
  /** The number of times an objection is returned to the agent; undefined disables the review. */
  readonly reviews: number | undefined;
  readonly steps_max: number;
  readonly tokens_max: number;
  readonly timeout_ms: number;
  readonly open: OpenTransport;
  readonly signal: AbortSignal;
  readonly emit: Emit;
}

/** The task while it is being worked on. */
export interface Work extends Omit<Task, "text"> {
  readonly question: Question;
  readonly budget: Budget;
  readonly deadline: Deadline;
}

/** Whether a server is given by its address rather than by a command. */
export function isAddress(named: string): boolean {
  return /^https?:\/\//.test(named);
}
