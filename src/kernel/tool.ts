import type * as z from "zod/v4";
import { Deadline } from "./deadline.ts";
import { Fault, type FaultCode } from "./fault.ts";
import { limits } from "./limits.ts";
import { whileThereIsTime } from "./process/processor_time.ts";
import { withQueueTime } from "./process/slots.ts";
import { again } from "./step.ts";
import { readTimed } from "./timeout.ts";

/** What a tool can use of the call that it serves. */
export interface CallContext {
  /** Fires when the client cancels the call. */
  readonly signal: AbortSignal;
  /** Sets the current activity; the server reports it to a client that asked for progress. */
  readonly progress: (message: string) => void;
  /** Reports an event at once to a client that asked for progress, such as a better solution. */
  readonly onEvent: (message: string) => void;
  /** False if the reader of the answer does not see the text of the call, so that line numbers mean nothing. */
  readonly names_lines?: boolean;
  /** True if the answer goes to a program or a file, and not into the context of a model: then it may be long. */
  readonly whole?: boolean;
  /** The longest time limit of this call, if it may be longer than that of an ordinary call. */
  readonly timeout_ms_max?: number;
  /** The remaining time of a call that was started in another process. */
  readonly left_ms?: number;
  /**
   * Gets the changes that the call makes to its session. It is there only if the session is in another process: the
   * changes travel to that process with the answer.
   */
  readonly onSessionUpdate?: (session_update: Readonly<Record<string, unknown>>) => void;
}

/** A call as data. */
export interface Question {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The result of a call of this session in another process: a fault has no answer. */
export interface RemoteResult {
  readonly answer: Answer | undefined;
  /** What `onSessionUpdate` got there, to be checked: it comes from outside. */
  readonly session_update: unknown;
}

/** A call of this session as another process can make it. */
export interface RemoteCall<Out> {
  readonly question: Question;
  /** The engines that a process needs to answer it. */
  readonly needs: string;
  /** Applies the changes to this session; returns the answer as this session gives it. */
  settle(result: RemoteResult): Out | undefined;
}

/** The same for one tool, with the end of this call: it holds for all that the tool does. */
export interface ToolContext extends CallContext {
  readonly deadline: Deadline;
}

/** The context of a call without a client: it can't be cancelled, and progress is dropped. */
export function quietContext(signal: AbortSignal = new AbortController().signal): CallContext {
  return { signal, progress: () => {}, onEvent: () => {} };
}

export interface ToolAnnotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** What a call does to what its session has: nothing, or it adds to it, keeps a result, replaces or changes something. */
const effects = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  updates: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  replaces: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  changes: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
} as const;

/** The annotations of a tool; none reaches out of this machine. */
export function annotated(title: string, effect: keyof typeof effects): ToolAnnotations {
  return { title, ...effects[effect], openWorldHint: false };
}

/** The text of an answer: the first part is the answer itself, the others are remarks. */
export type Rendering = readonly [string, ...string[]];

export interface ToolSpec<In extends z.ZodObject, Out extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: In;
  readonly output: Out;
  /** The answer fields named in the listing, if not all of them: a listing costs tokens. */
  readonly listed_output?: readonly (keyof z.output<Out> & string)[];
  /** The code of a fault about the arguments, if it is not `invalid_argument`. */
  readonly bad_arguments?: FaultCode;
  /** The time limit of a call, from its arguments; its deadline is made from this, once. */
  limit_ms(args: z.output<In>): number;
  /**
   * The call as another session could make it: `as_sent`, or without what only this session knows; `of_session` where
   * there is no such call. The default is `as_sent` for a tool that only reads, otherwise `of_session`.
   */
  readonly question?: "as_sent" | "of_session" | ((args: z.output<In>) => Promise<Question>);
  /** What another process must have to make this call, which changes nothing in its session: the name of engines. */
  needs?(args: z.output<In>): string;
  /** The call as another process can make it for this session, if it changes the session; null where only this one can. */
  remoteCall?(args: z.output<In>): Promise<RemoteCall<z.output<Out>> | null>;
  run(args: z.output<In>, context: ToolContext): Promise<z.output<Out>>;
  render(answer: z.output<Out>): Rendering;
  /** What begins each line of the text that is not a part of the answer, such as the sign of a comment. */
  readonly remark_sign?: string;
}

export interface Answer {
  readonly structured: Record<string, unknown>;
  readonly text: Rendering;
  /** The job as which the call goes on: then this is not an answer yet. */
  readonly goes_on_as?: string;
}

/** What is known of a call before it is made. */
export type EarlyContext = Pick<CallContext, "timeout_ms_max"> & Partial<Pick<CallContext, "signal">>;

/** One tool: its descriptions, its schemas, and the function that runs it. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly listed_output: readonly string[] | undefined;
  /** The possible values of `status` in a fault. */
  readonly fault_statuses: readonly string[];
  /** Checks the arguments, runs, checks the answer. Raises faults. */
  call(args: unknown, context: CallContext): Promise<Answer>;
  /** The time limit of a call, from its arguments. Raises faults. */
  limit_ms(args: unknown, context: Pick<CallContext, "timeout_ms_max">): number;
  /** Checks the arguments as a call would. Raises faults. */
  check(args: unknown, context: Pick<CallContext, "timeout_ms_max">): void;
  /** The call as data, as another session can make it; null if there is no such call. May raise faults. */
  question(args: unknown, context: EarlyContext): Promise<Question | null>;
  /**
   * The call as another process can make it for this session; null where only this one can. May raise faults. `settle`
   * raises `engine_failed` for an answer that this tool does not give.
   */
  remoteCall(args: unknown, context: EarlyContext): Promise<RemoteCall<Answer> | null>;
}

/** Instructions for the model: how to state problems well to a toolset. */
export interface Guide {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  /** Whether it is meant where none is named. */
  readonly is_main?: boolean;
}

export interface Toolset {
  readonly name: string;
  readonly guides: readonly Guide[];
  /** The tools for one connection. Their state belongs to that connection alone; engines are shared. */
  session(): readonly Tool[];
}

/** Makes a tool from one object; types, JSON Schema and checks all come from its zod schemas. */
export function defineTool<In extends z.ZodObject, Out extends z.ZodObject>(spec: ToolSpec<In, Out>): Tool {
  return {
    name: spec.name,
    description: spec.description,
    annotations: spec.annotations,
    input: spec.input,
    output: spec.output,
    listed_output: spec.listed_output,
    fault_statuses: ["error"],
    limit_ms: (args, { timeout_ms_max }) => spec.limit_ms(readTimed(spec, args, timeout_ms_max)),
    check: (args, { timeout_ms_max }) => void readTimed(spec, args, timeout_ms_max),
    async question(args, { timeout_ms_max }) {
      const question = spec.question ?? (spec.annotations.readOnlyHint ? "as_sent" : "of_session");
      if (typeof question === "function") return question(readTimed(spec, args, timeout_ms_max));
      return question === "as_sent" ? { tool: spec.name, arguments: { ...asObject(args) } } : null;
    },
    async remoteCall(args, context) {
      if (!spec.needs && !spec.remoteCall) return null;
      const checked = readTimed(spec, args, context.timeout_ms_max);
      if (spec.needs) return plainRemoteCall(spec, args, spec.needs(checked));
      const remoteCall = await spec.remoteCall?.(checked);
      return remoteCall ? { ...remoteCall, settle: (result) => rendered(spec, remoteCall.settle(result)) } : null;
    },
    async call(args, context) {
      const checked = readTimed(spec, args, context.timeout_ms_max);
      const limit_ms = Math.min(spec.limit_ms(checked), context.left_ms ?? Number.POSITIVE_INFINITY);
      const run = (signal: AbortSignal) =>
        spec.run(checked, { ...context, signal, deadline: new Deadline(limit_ms, signal) });
      const { result: answer, waited_ms } = await withQueueTime(() => whileThereIsTime(context.signal, run));
      // Checked, and passed on unchanged: the parsed copy would lack a key named __proto__.
      spec.output.parse(answer);
      return { structured: answer, text: [...spec.render(answer), ...waitRemark(answer, waited_ms, spec.remark_sign)] };
    },
  };
}

/** The call of a tool that changes nothing in its session. */
function plainRemoteCall<In extends z.ZodObject, Out extends z.ZodObject>(
  spec: ToolSpec<In, Out>,
  args: unknown,
  needs: string,
): RemoteCall<Answer> {
  const question = { tool: spec.name, arguments: { ...asObject(args) } };
  return {
    question,
    needs,
    settle: ({ answer }) => answer && { structured: outputOf(spec, answer.structured), text: answer.text },
  };
}

/** An answer that came from another process, passed on unchanged. Raises `engine_failed` if it is not an answer. */
export function outputOf<Out extends z.ZodObject>(
  { name, output }: { readonly name: string; readonly output: Out },
  structured: unknown,
): z.output<Out> {
  const isOutput = (value: unknown): value is z.output<Out> => output.safeParse(value).success;
  if (isOutput(structured)) return structured;
  throw new Fault("engine_failed", `The process that answered ${name} sent something else than its answer.`, [
    again("send the call again"),
    "see that servers and workers have the same version of Verdict",
  ]);
}

function rendered<In extends z.ZodObject, Out extends z.ZodObject>(
  spec: ToolSpec<In, Out>,
  answer: z.output<Out> | undefined,
): Answer | undefined {
  return answer && { structured: answer, text: [...spec.render(answer)] };
}

function asObject(args: unknown): object {
  return typeof args === "object" && args !== null ? args : {};
}

/** An undecided answer may be due to the waiting time: its reader must not look for the cause in the question. */
function waitRemark(answer: Readonly<Record<string, unknown>>, waited_ms: number, sign = ""): string[] {
  const is_open = ["timeout", "unknown", "partial"].includes(String(answer["status"]));
  if (!is_open || waited_ms < limits.wait_reported_ms_min) return [];
  const seconds = Math.round(waited_ms / 1000);
  return [
    `${sign}This call waited ${seconds} s of its time limit for a free process: send it again, with fewer calls at the same time.`,
  ];
}
