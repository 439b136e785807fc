import * as z from "zod/v4";
import { isDeeper } from "../../kernel/arguments.ts";
import { Fault } from "../../kernel/fault.ts";
import { again } from "../../kernel/step.ts";
import { jsonOf } from "../../kernel/text/json.ts";

/** Messages from `python/verdict_runner`, one JSON value per line; `protocol/messages.py` defines the Python side. */

export const Ready = z.object({
  ready: z.literal(true),
  versions: z.record(z.string(), z.string()).default({}),
  isolation: z.array(z.string()).default([]),
  /** The system protections that each job has. */
  walls: z.array(z.string()).default([]),
});
export type Ready = z.output<typeof Ready>;

/** The reason why a program has no result. Items are counted from 0, lines and columns from 1. */
export const ProgramError = z.object({
  kind: z.enum(["exception", "refused", "memory", "internal", "unprintable"]),
  type: z.string().optional(),
  message: z.string().default(""),
  /** The error type in answers of the tools for Python, such as `SandboxViolation`. */
  error_type: z.string().optional(),
  code: z.enum(["forbidden", "input_rejected", "invalid_argument"]).optional(),
  steps: z.array(z.string()).default([]),
  item: z.number().optional(),
  line: z.number().optional(),
  column: z.number().optional(),
  names: z.array(z.string()).default([]),
  /** The verdict of the program's last solver call before the exception. */
  last_verdict: z.string().optional(),
  log: z.string().optional(),
});
export type ProgramError = z.output<typeof ProgramError>;

/** A frame sent by a job. Any other field shows that the job's program escaped the sandbox. */
export const Frame = z.strictObject({
  printed: z.string().optional(),
  /** An intermediate result of the job. */
  found: z.unknown().optional(),
  result: z.unknown().optional(),
  error: ProgramError.optional(),
});
export type Frame = z.output<typeof Frame>;

/** How a fork server ended a job, and the CPU time that the job used. */
export const Ended = z.object({
  id: z.number(),
  ended: z.string(),
  code: z.number().optional(),
  cpu_ms: z.number().nonnegative().optional(),
});
export type Ended = z.output<typeof Ended>;

/** The result of a check: the item that was rejected, if any, and the position in it. */
export const CheckAnswer = z.object({
  id: z.number(),
  fault: z
    .object({
      item: z.number(),
      line: z.number(),
      column: z.number(),
      code: z.enum(["syntax_error", "forbidden", "input_rejected"]),
      message: z.string(),
      steps: z.array(z.string()),
    })
    .optional(),
  warnings: z.array(z.string()).default([]),
});
export type CheckAnswer = z.output<typeof CheckAnswer>;

/** A text as a syntax tree, or the syntax error in it. `syntax.py` defines the tree's form, which its readers know. */
export const SyntaxAnswer = z.object({
  id: z.number(),
  tree: z.unknown().optional(),
  python: z.array(z.number()).optional(),
  text: z.string().optional(),
  patterns: z.array(z.tuple([z.string(), z.int()])).optional(),
  same: z.boolean().optional(),
  broken: z.object({ message: z.string(), line: z.number(), column: z.number() }).optional(),
});
export type SyntaxAnswer = z.output<typeof SyntaxAnswer>;

/** The field that every answer contains: its request's number. */
export const Answered = z.looseObject({ id: z.number() });
export type Answered = z.output<typeof Answered>;

/** How a job's program ended. */
export type JobEnd =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "error"; readonly error: ProgramError }
  | { readonly kind: "deadline" }
  | { readonly kind: "memory" }
  | { readonly kind: "output" }
  /** The process died without a message: a crash of the engine, or a signal. */
  | { readonly kind: "died"; readonly how: string; readonly from_outside?: "suspended" | "killed" };

/** A signal from outside suspended the process, and it was not continued; this says nothing about its job. */
export const stalled_end: JobEnd = {
  kind: "died",
  how: "something stopped it from outside (SIGSTOP)",
  from_outside: "suspended",
};

/** How a job ended, and what it printed. */
export interface JobReply {
  readonly end: JobEnd;
  readonly printed: string;
}

/** Collects a job's frames until its end is known; passes on intermediate results immediately. */
export class Listener {
  readonly #onResult: (result: unknown) => void;
  #printed = "";
  #end: JobEnd | undefined;

  constructor(onResult: (result: unknown) => void = () => {}) {
    this.#onResult = onResult;
  }

  /** Reads one frame; returns the reply if it is the last frame. Raises `GarbledFrame`. */
  take(line: string): JobReply | undefined {
    const frame = frameOf(line);
    if (frame.printed !== undefined) this.#printed += frame.printed;
    if (frame.found !== undefined) this.#onResult(frame.found);
    if (frame.error) this.#end ??= { kind: "error", error: frame.error };
    else if ("result" in frame) this.#end ??= { kind: "result", result: frame.result };
    return this.#end && this.close(this.#end);
  }

  /** Returns the reply if no more frames will arrive. */
  close(end: JobEnd): JobReply {
    return { end: this.#end ?? end, printed: this.#printed };
  }
}

const cpu_limit_signal = 24;
const kill_signal = 9;

/**
 * A frame that Verdict's own code never sends, so the job's program has escaped the sandbox. Only this job is ended.
 */
export class GarbledFrame extends Error {
  readonly end: JobEnd = { kind: "died", how: "its output could not be parsed" };
}

/** The maximum nesting depth of a job's result, since code that walks through a value recurses at each level. */
const frame_depth_max = 1_000;

function frameOf(line: string): Frame {
  const value = jsonOf(line);
  const frame = isDeeper(value, frame_depth_max) ? undefined : Frame.safeParse(value).data;
  if (!frame || Object.keys(frame).length === 0) throw new GarbledFrame();
  return frame;
}

export function endOf({ ended, code }: Ended): JobEnd {
  if (ended === "deadline") return { kind: "deadline" };
  if (ended === "output") return { kind: "output" };
  if (ended === "stalled") return stalled_end;
  // The CPU time limit lies beyond the deadline, so reaching it counts as reaching the deadline.
  if (code === -cpu_limit_signal) return { kind: "deadline" };
  if (code === -kill_signal)
    return { kind: "died", how: "it was killed, as systems do when memory runs out", from_outside: "killed" };
  if (code !== undefined && code < 0) return { kind: "died", how: `it was stopped by signal ${-code}` };
  return {
    kind: "died",
    how: code === undefined ? `it ${ended}` : `it exited with code ${code} before it had answered`,
  };
}

/**
 * Reads a job's result. Raises `engine_failed` for a form that Verdict's own code never sends, since the user's code in
 * the process must have written it.
 */
export function readResult<Schema extends z.ZodType>(schema: Schema, result: unknown): z.output<Schema> {
  const read = schema.safeParse(result);
  if (read.success) return read.data;
  throw new Fault(
    "engine_failed",
    "The process that ran the code sent a result that Verdict can't read. Nothing was decided.",
    ["remove everything from the code that does not state the problem", again("send the call again")],
  );
}

/** The part of a text to parse. */
export interface TextPart {
  /** Parse only the statements that the functions and classes with these names use. */
  readonly roots?: readonly string[];
  /** A function whose conditions in the docstring are read as well. */
  readonly contract_of?: string | undefined;
  /** An older version of the text, and a function in it. If they are given, the tree covers both versions. */
  readonly base?: string | undefined;
  readonly base_root?: string | undefined;
  /** Two functions in the tree that may be the same code, apart from differences without a meaning. */
  readonly pair?: readonly [string, string] | undefined;
  /** For each function of `pair`, or for the first root, types that replace annotations of its parameters. */
  readonly assumed?: readonly Readonly<Record<string, string>>[] | undefined;
}
