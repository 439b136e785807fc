import * as z from "zod/v4";

/**
 * Messages of `python/verdict_runner`, one JSON value a line; its side of each message is in `protocol/messages.py`.
 */

export const Ready = z.object({
  ready: z.literal(true),
  versions: z.record(z.string(), z.string()).default({}),
  isolation: z.array(z.string()).default([]),
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
  log: z.string().optional(),
});
export type ProgramError = z.output<typeof ProgramError>;

/** A frame of a job. Those of a fork server name the job; a fresh process has only one. */
export const Frame = z.object({
  id: z.number().optional(),
  printed: z.string().optional(),
  /** An intermediate result of the job. */
  found: z.unknown().optional(),
  result: z.unknown().optional(),
  error: ProgramError.optional(),
  unprinted: z.number().optional(),
  ended: z.string().optional(),
  code: z.number().optional(),
  /** Processor time that the job used, in its last frame. */
  cpu_ms: z.number().nonnegative().optional(),
});
export type Frame = z.output<typeof Frame>;

/** A frame that no job of Verdict sends: the program of this job broke out. Only this job is ended. */
export const GarbledFrame = z.object({ id: z.number() });

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
  /** Characters that were printed past the bound and dropped. */
  readonly unprinted: number;
}

/** Collects the frames of one job until its end is known; passes on intermediate results at once. */
export class Listener {
  readonly #onResult: (result: unknown) => void;
  #printed = "";
  #unprinted = 0;
  #end: JobEnd | undefined;

  constructor(onResult: (result: unknown) => void = () => {}) {
    this.#onResult = onResult;
  }

  /** Reads one frame; returns the reply if it is the last frame. */
  take(frame: Frame): JobReply | undefined {
    if (frame.printed !== undefined) this.#printed += frame.printed;
    if (frame.found !== undefined) this.#onResult(frame.found);
    this.#unprinted = frame.unprinted ?? this.#unprinted;
    if (frame.error) this.#end ??= { kind: "error", error: frame.error };
    else if ("result" in frame) this.#end ??= { kind: "result", result: frame.result };
    if (frame.ended !== undefined) this.#end ??= endOf(frame.ended, frame.code);
    return this.#end && this.close(this.#end);
  }

  /** The reply if no more frames arrive. */
  close(end: JobEnd): JobReply {
    return { end: this.#end ?? end, printed: this.#printed, unprinted: this.#unprinted };
  }
}

const cpu_limit_signal = 24;
const kill_signal = 9;

function endOf(ended: string, code: number | undefined): JobEnd {
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
}
