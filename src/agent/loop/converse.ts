import { generateText, jsonSchema, type LanguageModel, type ModelMessage, type ToolSet, tool } from "ai";
import * as z from "zod/v4";
import type { Deadline } from "../../kernel/deadline.ts";
import type { CallRecord } from "../evidence/calls.ts";
import { asRecord } from "../evidence/json.ts";
import { agent_limits } from "../limits.ts";
import { type Budget, estimatedTokens, type Role } from "./budget.ts";
import type { Emit } from "./events.ts";
import { Patience } from "./patience.ts";
import { ProviderFailure, providerFailure } from "./provider_failure.ts";

/** The tool that ends a conversation. It has no implementation; its arguments are the result. */
export interface Ending<Schema extends z.ZodObject, Result> {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  /**
   * Returns the result of these arguments, or the reason for rejecting them; the model reads the reason and continues.
   */
  judge(args: z.output<Schema>): { readonly result: Result } | { readonly refusal: string };
}

/** One conversation with a model: its messages, its tools and its budget. */
export interface Conversation {
  readonly role: Role;
  readonly model: LanguageModel;
  readonly instructions: string;
  readonly tools: ToolSet;
  readonly steps_max: number;
  readonly budget: Budget;
  readonly deadline: Deadline;
  readonly emit: Emit;
  /** The calls so far; they show when a conversation is going in circles. */
  readonly records: () => readonly CallRecord[];
}

/** Why a conversation ended without a result. */
export type Stop =
  | "steps"
  | "budget"
  | "time"
  | "repairs"
  | "repeats"
  | "no_answer"
  | "unusable"
  | "not_borne"
  | "provider"
  | "interrupted";

export type Ended<Result> = {
  readonly messages: readonly ModelMessage[];
  readonly steps: number;
} & ({ readonly result: Result; readonly call_id: string } | { readonly stop: Stop; readonly detail?: string });

/**
 * Lets a model think, call tools and read their answers until it ends the conversation or a limit is reached. Never
 * raises.
 */
export async function converse<Schema extends z.ZodObject, Result>(
  talk: Conversation,
  ending: Ending<Schema, Result>,
  begun: readonly ModelMessage[],
): Promise<Ended<Result>> {
  const messages = [...begun];
  const patience = new Patience(talk.records);
  // The arguments are checked below, so that an invalid answer is rejected with our own message.
  const inputSchema = jsonSchema(asRecord(z.toJSONSchema(ending.schema, { io: "input" })));
  const tools: ToolSet = { ...talk.tools, [ending.name]: tool({ description: ending.description, inputSchema }) };
  const listing = estimatedTokens(JSON.stringify(tools));
  for (let steps = 1; ; steps++) {
    const stopped = (stop: Stop, detail?: string) => ({ messages, steps: steps - 1, stop, ...(detail && { detail }) });
    if (steps > talk.steps_max) return stopped("steps");
    const expected = estimatedTokens(talk.instructions + JSON.stringify(messages)) + listing;
    if (talk.budget.left < expected + agent_limits.output_tokens_min) return stopped("budget");
    const step = await takeStep(talk, tools, messages, expected);
    if (typeof step === "string") return stopped(step);
    if (step instanceof ProviderFailure) return stopped("provider", step.message);
    messages.push(...step.messages);
    for (const text of step.unusable) talk.emit({ kind: "refused", role: talk.role, text });
    const judged = judgeAnswers(step.answers(ending.name), ending);
    messages.push(...judged.refusals.map(({ id, text }) => toolError(id, ending.name, text)));
    if (judged.accepted) return { messages, steps, ...judged.accepted };
    for (const { text } of judged.refusals) talk.emit({ kind: "refused", role: talk.role, text });
    if (step.is_idle)
      messages.push({ role: "user", content: `Continue: call a tool, or finish with the tool "${ending.name}".` });
    const { is_idle, is_unusable } = step;
    const stop = patience.afterStep({ refused: judged.refusals.length > 0, is_idle, is_unusable });
    if (stop) return { ...stopped(stop), steps };
  }
}

/** Returns the messages with an objection to the final answer appended, so that the conversation can continue. */
export function objected(
  ended: { readonly messages: readonly ModelMessage[]; readonly call_id: string },
  name: string,
  text: string,
): readonly ModelMessage[] {
  return [...ended.messages, toolError(ended.call_id, name, text)];
}

function toolError(toolCallId: string, toolName: string, value: string): ModelMessage {
  return {
    role: "tool",
    content: [{ type: "tool-result", toolCallId, toolName, output: { type: "error-text", value } }],
  };
}

interface Step {
  readonly messages: readonly ModelMessage[];
  readonly is_idle: boolean;
  /** Messages for the model about calls that could not be made, for example because the tool does not exist. */
  readonly unusable: readonly string[];
  /** Whether all calls of the step were unusable. */
  readonly is_unusable: boolean;
  answers(name: string): readonly { readonly id: string; readonly input: unknown }[];
}

/** Makes one request to the model and runs the tool calls that it asks for. */
async function takeStep(
  talk: Conversation,
  tools: ToolSet,
  messages: readonly ModelMessage[],
  expected: number,
): Promise<Step | "time" | "interrupted" | ProviderFailure> {
  const { role, budget, deadline, emit } = talk;
  const stop = new AbortController();
  const request = generateText({
    model: talk.model,
    instructions: talk.instructions,
    messages: [...messages],
    tools,
    toolCallConcurrency: 1,
    maxRetries: agent_limits.retries_max,
    maxOutputTokens: Math.min(agent_limits.output_tokens_max, budget.left - expected),
    abortSignal: AbortSignal.any([deadline.signal, stop.signal]),
    // Anthropic caches a prompt only on request; other providers ignore this option.
    providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
    // The step is emitted before its tools run: the tools may use up the remaining time, and the plan comes before its
    // calls.
    onLanguageModelCallEnd: ({ usage, content, performance }) => {
      const estimate = { input: expected, output: estimatedTokens(JSON.stringify(content)) };
      budget.add(role, usage, estimate);
      const { inputTokens: input = estimate.input, outputTokens: output = estimate.output } = usage;
      emit({ kind: "step", role, ms: Math.round(performance.responseTimeMs), input, output });
      const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
      if (text.trim() !== "") emit({ kind: "thought", role, text });
    },
  });
  try {
    const result = await deadline.within(request);
    if (result === "expired") return "time";
    const { toolCalls, responseMessages } = result;
    const unusable = toolCalls.filter(({ invalid }) => invalid === true);
    return {
      messages: responseMessages,
      is_idle: toolCalls.length === 0,
      unusable: unusable.map(({ error }) => (error instanceof Error ? error.message : String(error))),
      is_unusable: toolCalls.length > 0 && unusable.length === toolCalls.length,
      answers: (name) =>
        toolCalls
          .filter((call) => call.toolName === name && call.invalid !== true)
          .map(({ toolCallId: id, input }) => ({ id, input })),
    };
  } catch (error) {
    return deadline.signal.aborted ? "interrupted" : providerFailure(error);
  } finally {
    stop.abort();
    request.catch(() => {});
  }
}

/** Returns the first accepted answer of a step; every other answer gets an error that the model can read. */
function judgeAnswers<Schema extends z.ZodObject, Result>(
  answers: readonly { readonly id: string; readonly input: unknown }[],
  ending: Ending<Schema, Result>,
) {
  const refusals: { readonly id: string; readonly text: string }[] = [];
  let accepted: { readonly result: Result; readonly call_id: string } | undefined;
  for (const { id, input } of answers) {
    const read = ending.schema.safeParse(input);
    if (accepted) refusals.push({ id, text: "Only one answer counts." });
    else if (!read.success) refusals.push({ id, text: `The arguments are wrong: ${z.prettifyError(read.error)}` });
    else {
      const judged = ending.judge(read.data);
      if ("result" in judged) accepted = { result: judged.result, call_id: id };
      else refusals.push({ id, text: judged.refusal });
    }
  }
  return { refusals, accepted };
}
