import type * as z from "zod/v4";
import { Deadline } from "./deadline.ts";
import { Fault, type FaultCode } from "./fault.ts";
import { limits } from "./limits.ts";
import { whileThereIsTime } from "./process/processor_time.ts";
import { withQueueTime } from "./process/slots.ts";
import { again } from "./step.ts";
import { readTimed } from "./timeout.ts";

/** What a tool can access of the call that it serves. */
export interface CallContext {
  /** Fires when the client cancels the call. */
  readonly signal: AbortSignal;
  /** Sets the current activity. The server reports it to a client that has asked for progress. */
  readonly progress: (message: string) => void;
  /** Immediately reports an event, such as a better solution, to a client that has asked for progress. */
  readonly onEvent: (message: string) => void;
  /** Whether the answer may refer to line numbers. False if its reader does not see the call's text. */
  readonly names_lines?: boolean;
  /** Whether the answer goes to a program or a file instead of a model's context. It may then be long. */
  readonly whole?: boolean;
  /** The maximum time limit of this call, if it may exceed that of an ordinary call. */
  readonly timeout_ms_max?: number;
  /** The remaining time of a call that was started in another process. */
  readonly left_ms?: number;
  /**
   * Receives the changes that the call makes to its session. It is set only if the session is in another process, to
   * which the changes are sent with the answer.
   */
  readonly onSessionUpdate?: (session_update: Readonly<Record<string, unknown>>) => void;
}

/** A call as data. */
export interface Question {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * The result of a call of this session that ran in another process. It has no answer if the call ended with a fault.
 */
export interface RemoteResult {
  readonly answer: Answer | undefined;
  /**
   * The changes that `onSessionUpdate` received in the other process. They come from outside, so they must be checked.
   */
  readonly session_update: unknown;
}

/** A call of this session in a form that another process can run. */
export interface RemoteCall<Out> {
  readonly question: Question;
  /** The engines that a process needs to answer the call. */
  readonly needs: string;
  /** Applies the changes to this session. Returns the answer as this session would give it. */
  settle(result: RemoteResult): Out | undefined;
}

/** The call context for one tool, with the call's deadline, which applies to everything that the tool does. */
export interface ToolContext extends CallContext {
  readonly deadline: Deadline;
}

/**
 * Returns the context for a call without a client. Without a signal, the call can't be cancelled. Progress is dropped.
 */
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

/**
 * What a call does to its session's state: it only reads, adds something, keeps a result, replaces something or changes
 * something.
 */
const effects = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  updates: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  replaces: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  changes: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
} as const;

/** Returns a tool's annotations. No tool reaches outside this machine. */
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
  /** The answer fields that the tool listing includes, if not all of them. A listing costs tokens. */
  readonly listed_output?: readonly (keyof z.output<Out> & string)[];
  /** The code of faults about the arguments, if it is not `invalid_argument`. */
  readonly bad_arguments?: FaultCode;
  /** Returns a call's time limit from its arguments. The call's deadline is made from it once. */
  limit_ms(args: z.output<In>): number;
  /**
   * The call in a form that another session could make: `as_sent`, or rewritten without what only this session knows;
   * `of_session` if there is no such form. The default is `as_sent` for a tool that only reads, otherwise `of_session`.
   */
  readonly question?: "as_sent" | "of_session" | ((args: z.output<In>) => Promise<Question>);
  /**
   * Returns the engines that another process must have to make this call. Only for calls that do not change their
   * session.
   */
  needs?(args: z.output<In>): string;
  /**
   * Returns the call in a form that another process can run for this session, if the call changes the session. Returns
   * null if only this process can run it.
   */
  remoteCall?(args: z.output<In>): Promise<RemoteCall<z.output<Out>> | null>;
  run(args: z.output<In>, context: ToolContext): Promise<z.output<Out>>;
  render(answer: z.output<Out>): Rendering;
  /** The prefix of each line of text that is not part of the answer, such as a comment sign. */
  readonly remark_sign?: string;
}

export interface Answer {
  readonly structured: Record<string, unknown>;
  readonly text: Rendering;
  /** The id of the job as which the call continues. This is then not the answer yet. */
  readonly goes_on_as?: string;
}

/** What is known about a call before it is made. */
export type EarlyContext = Pick<CallContext, "timeout_ms_max"> & Partial<Pick<CallContext, "signal">>;

/** A tool: its description, its schemas and the function that runs it. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly listed_output: readonly string[] | undefined;
  /** The possible values of `status` in a fault. */
  readonly fault_statuses: readonly string[];
  /** Checks the arguments, runs the tool and checks the answer. Raises faults. */
  call(args: unknown, context: CallContext): Promise<Answer>;
  /** Returns a call's time limit from its arguments. Raises faults. */
  limit_ms(args: unknown, context: Pick<CallContext, "timeout_ms_max">): number;
  /** Checks the arguments as a call would. Raises faults. */
  check(args: unknown, context: Pick<CallContext, "timeout_ms_max">): void;
  /**
   * Returns the call as data, in a form that another session can make; null if there is no such form. May raise faults.
   */
  question(args: unknown, context: EarlyContext): Promise<Question | null>;
  /**
   * Returns the call in a form that another process can run for this session; null if only this process can run it. May
   * raise faults. `settle` raises `engine_failed` for an answer that does not match the tool's schema.
   */
  remoteCall(args: unknown, context: EarlyContext): Promise<RemoteCall<Answer> | null>;
}

/** Instructions that teach the model how to state problems well for a toolset. */
export interface Guide {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  /** Whether this guide is the default if none is named. */
  readonly is_main?: boolean;
}

export interface Toolset {
  readonly name: string;
  readonly guides: readonly Guide[];
  /** Makes the tools for one connection. Their state belongs to that connection alone; engines are shared. */
  session(): readonly Tool[];
}

/** Makes a tool from one object. Its zod schemas provide the types, the JSON Schema and the checks. */
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
      // The answer is checked but passed on unchanged: the parsed copy would lack a key named __proto__.
      spec.output.parse(answer);
      return { structured: answer, text: [...spec.render(answer), ...waitRemark(answer, waited_ms, spec.remark_sign)] };
    },
  };
}

/** Returns the remote call of a tool that does not change its session. */
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

/**
 * Checks an answer from another process and returns it unchanged. Raises `engine_failed` if it does not match the
 * tool's schema.
 */
export function outputOf<Out extends z.ZodObject>(
  { name, output }: { readonly name: string; readonly output: Out },
  structured: unknown,
): z.output<Out> {
  const isOutput = (value: unknown): value is z.output<Out> => output.safeParse(value).success;
  if (isOutput(structured)) return structured;
  throw new Fault("engine_failed", `The process that answered ${name} sent something other than its answer.`, [
    again("send the call again"),
    "make sure that servers and workers have the same version of Verdict",
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

/**
 * Adds a remark if an undecided answer may be due to the waiting time, so that its reader does not blame the question.
 */
function waitRemark(answer: Readonly<Record<string, unknown>>, waited_ms: number, sign = ""): string[] {
  const is_open = ["timeout", "unknown", "partial"].includes(String(answer["status"]));
  if (!is_open || waited_ms < limits.wait_reported_ms_min) return [];
  const seconds = Math.round(waited_ms / 1000);
  return [
    `${sign}This call waited ${seconds} s of its time limit for a free process: send it again, with fewer calls at the same time.`,
  ];
}
