/** The library: the agent of `verdict ask`, with a Verdict server as a child process. */
import { readModelSettings } from "../config.ts";
import { answerQuestion } from "./ask.ts";
import { taskOf } from "./command.ts";
import { ask_flags, readFlags } from "./flags.ts";
import type { Language } from "./languages.ts";
import type { Event } from "./loop/events.ts";
import { ownServer } from "./loop/transports.ts";
import { type ModelObject, openModels } from "./models/open.ts";
import type { Outcome } from "./outcome.ts";
import { checkedText } from "./problem_text.ts";

export interface AskOptions {
  /** `PROVIDER:NAME`, or a model object of the AI SDK (`ai` 7). */
  readonly model: string | ModelObject;
  readonly reviewer_model?: string | ModelObject;
  readonly model_url?: string;
  readonly language?: Language | "auto";
  readonly steps_max?: number;
  readonly tokens_max?: number;
  readonly timeout_s?: number;
  /** The number of times an objection is returned to the agent; false disables the review. */
  readonly reviews?: number | false;
  /** Another MCP server: its address or its command. */
  readonly mcp?: string;
  readonly signal?: AbortSignal;
  readonly on_event?: (event: Event) => void;
}

/**
 * Answers a problem posed in words, using a language model and formal engines. Rejects with an error whose `code` is
 * `invalid_argument` or `engine_missing`; everything else is reported as an outcome.
 */
export async function ask(problem: string, options: AskOptions): Promise<Outcome> {
  const { model, reviewer_model: reviewer, reviews } = options;
  const flags = readFlags(ask_flags, {
    modelUrl: options.model_url,
    language: options.language,
    maxSteps: options.steps_max,
    budgetTokens: options.tokens_max,
    timeout: options.timeout_s,
    ...(reviews !== false && { reviews }),
    review: reviews !== false,
    mcp: options.mcp,
  });
  const text = checkedText(problem);
  const settings = readModelSettings(flags);
  const models = await openModels({ model, reviewer }, settings);
  const signal = options.signal ?? new AbortController().signal;
  const task = await taskOf(text, flags, { models, settings, open: ownServer(settings), signal });
  return answerQuestion({ ...task, emit: options.on_event ?? (() => {}) });
}
