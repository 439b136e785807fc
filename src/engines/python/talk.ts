import * as z from "zod/v4";
import { isDeeper } from "../../kernel/arguments.ts";
import { Fault } from "../../kernel/fault.ts";
import { again } from "../../kernel/step.ts";

/**
 * Messages of `python/verdict_runner`, one JSON value a line; its side of each message is in `protocol/messages.py`.
 */

export const Ready = z.object({
  ready: z.literal(true),
  versions: z.record(z.string(), z.string()).default({}),
  isolation: z.array(z.string()).default([]),
  /** Which walls of the system each job has. */
  walls: z.array(z.string()).default([]),
});
export type Ready = z.output<typeof Ready>;

/** Why a program has no result. Items count from 0, lines and columns from 1. */
export const ProgramError = z.object({
  kind: z.enum(["exception", "refused", "memory", "internal", "unprintable"]),
  type: z.string().optional(),
  message: z.string().default(""),
  /** The error type in the answers of tools over Python, such as `SandboxViolation`. */
  error_type: z.string().optional(),
  code: z.enum(["forbidden", "input_rejected", "invalid_argument"]).optional(),
  steps: z.array(z.string()).default([]),
  item: z.number().optional(),
  line: z.number().optional(),
  column: z.number().optional(),
  names: z.array(z.string()).default([]),
  /** How the program's last solve ended, before the exception. */
  last_verdict: z.string().optional(),
  log: z.string().optional(),
});
export type ProgramError = z.output<typeof ProgramError>;

/** A frame of a job. One with other fields shows that the program of the job broke out. */
export const Frame = z.strictObject({
  printed: z.string().optional(),
  /** An intermediate result of the job. */
  found: z.unknown().optional(),
  result: z.unknown().optional(),
  error: ProgramError.optional(),
});
export type Frame = z.output<typeof Frame>;

/** How a fork server ended a job, and the processor time that the job used. */
export const Ended = z.object({
  id: z.number(),
  ended: z.string(),
  code: z.number().optional(),
  cpu_ms: z.number().nonnegative().optional(),
});
export type Ended = z.output<typeof Ended>;

/** An item that a check refuses, and where. */
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

/** A text as a syntax tree, or the error in it; the readers of the tree know its form (`syntax.py`). */
export const SyntaxAnswer = z.object({
  id: z.number(),
  tree: z.unknown().optional(),
  python: z.array(z.number()).optional(),
  text: z.string().optional(),
  broken: z.object({ message: z.string(), line: z.number(), column: z.number() }).optional(),
});
export type SyntaxAnswer = z.output<typeof SyntaxAnswer>;

/** A field of every answer: the number of its request. */
export const Answered = z.looseObject({ id: z.number() });
export type Answered = z.output<typeof Answered>;

/** How the program of one job ended. */
export type JobEnd =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "error"; readonly error: ProgramError }
  | { readonly kind: "deadline" }
  | { readonly kind: "memory" }
  | { readonly kind: "output" }
  /** The process died without a message: a crash of the engine, or a signal. */
  | { readonly kind: "died"; readonly how: string; readonly from_outside?: "suspended" | "killed" };

/** The process was stopped by a signal from outside and not continued: this shows nothing about its job. */
export const stalled_end: JobEnd = {
  kind: "died",
  how: "something stopped it from outside (SIGSTOP)",
  from_outside: "suspended",
};

/** The end of one job. */
export interface JobReply {
  readonly end: JobEnd;
  readonly printed: string;
}

/** Collects the frames of one job until its end is known; passes on intermediate results at once. */
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

  /** The reply if no more frames arrive. */
  close(end: JobEnd): JobReply {
    return { end: this.#end ?? end, printed: this.#printed };
  }
}

const cpu_limit_signal = 24;
const kill_signal = 9;

/** A frame that no job of Verdict sends: its program broke out. Only this job is ended. */
export class GarbledFrame extends Error {
  readonly end: JobEnd = { kind: "died", how: "its output could not be parsed" };
}

/** What a job's result nests at most: code that walks through a value recurses for each level. */
const frame_depth_max = 1_000;

function frameOf(line: string): Frame {
  const value = readLine(line);
  const frame = isDeeper(value, frame_depth_max) ? undefined : Frame.safeParse(value).data;
  if (!frame || Object.keys(frame).length === 0) throw new GarbledFrame();
  return frame;
}

export function endOf({ ended, code }: Ended): JobEnd {
  if (ended === "deadline") return { kind: "deadline" };
  if (ended === "output") return { kind: "output" };
  if (ended === "stalled") return stalled_end;
  // The bound on processor time lies beyond the deadline, so it is a deadline too.
  if (code === -cpu_limit_signal) return { kind: "deadline" };
  if (code === -kill_signal)
    return { kind: "died", how: "it was killed, as systems do when memory runs out", from_outside: "killed" };
  if (code !== undefined && code < 0) return { kind: "died", how: `it was stopped by signal ${-code}` };
  return {
    kind: "died",
    how: code === undefined ? `it ${ended}` : `it ended with code ${code} before it had answered`,
  };
}

/** What a job reports. Raises `engine_failed` for a form that no job of Verdict sends: the code in its process wrote it. */
export function readResult<Schema extends z.ZodType>(schema: Schema, result: unknown): z.output<Schema> {
  const read = schema.safeParse(result);
  if (read.success) return read.data;
  throw new Fault(
    "engine_failed",
    "The process that ran the code sent a result that Verdict can't read. Nothing was decided.",
    ["remove what the code does besides stating the problem", again("send the call again")],
  );
}

/** A line as JSON; undefined if it is not JSON: then its writer is not Verdict's program. */
export function readLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The part of a text to parse. */
export interface TextPart {
  /** Only the statements that functions and classes of these names reach. */
  readonly roots?: readonly string[];
  /** The function whose conditions in the docstring are read, too. */
  readonly contract_of?: string | undefined;
  /** An older version of the text, and a function of it: the tree is of both then. */
  readonly base?: string | undefined;
  readonly base_root?: string | undefined;
}
