import { errorCode } from "./files/errno.ts";
import { limits } from "./limits.ts";
import { again, inCalls, type Step } from "./step.ts";
import { cut } from "./text/cut.ts";

/**
 * The closed list of fault codes. A client may branch on them, so a code never changes its
 * meaning; `test/pins/` freezes the list.
 */
export const FAULT_CODES = [
  "invalid_argument",
  "syntax_error",
  "input_rejected",
  "forbidden",
  "engine_missing",
  "engine_failed",
  "engines_disagree",
  "busy",
  "cancelled",
  "internal",
  "daemon_down",
  "timeout",
  "invalid_input",
] as const;

export type FaultCode = (typeof FAULT_CODES)[number];

/** A place in the user's text. Lines and columns count from 1; columns count characters. */
export interface Position {
  /** The item of a model, counted from 0, when line and column are those inside of an item. */
  readonly item?: number;
  readonly line: number;
  readonly column: number;
}

/** A message that begins with its place, such as "Item 2, line 1: ". */
export interface Placed {
  readonly where: string;
  readonly what: string;
}

export interface FaultReport {
  /** `error`, unless the specification of a toolset has another word for the kind of fault. */
  readonly status: string;
  readonly error: string;
  readonly code: FaultCode;
  readonly remedy: string;
  readonly position?: Position;
  /** Fields that the specification of a toolset adds, under its own names. */
  readonly [detail: string]: unknown;
}

/**
 * The one error class. It is written for the model that reads it: what is wrong, where and why
 * in the message; what to do next in the steps.
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  /** The place with which the message begins; "" where it names none. */
  readonly where: string;
  /** The message without its place. */
  readonly what: string;
  /** The steps in the words for who calls tools. */
  readonly steps: readonly string[];
  /** The same steps, also in the words for a shell. */
  readonly all_steps: readonly Step[];
  readonly position: Position | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: FaultCode,
    message: string | Placed,
    steps: readonly Step[],
    position?: Position,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    const { where, what: all } = typeof message === "string" ? { where: "", what: message } : message;
    // It can quote a text of the client, or what a program printed.
    const what = cut(all, limits.fault_chars_max);
    super(`${where}${what}`);
    this.code = code;
    this.where = where;
    this.what = what;
    this.steps = steps.map((step) => cut(inCalls(step), limits.fault_step_chars_max));
    this.all_steps = steps;
    this.position = position;
    this.details = details;
  }

  /** The steps as one line: `(1) …; (2) …`. */
  get remedy(): string {
    return this.steps.map((step, i) => `(${i + 1}) ${step}`).join("; ");
  }

  /** The same fault with other words or other steps; all else stays, its details too. */
  with({ message, steps }: { readonly message?: string; readonly steps?: readonly Step[] }): Fault {
    const { code, where, what, all_steps, position, details } = this;
    return new Fault(code, message ?? { where, what }, steps ?? all_steps, position, details);
  }

  /** The fault as a client sees it. */
  report(): FaultReport {
    const { code, remedy, position, details } = this;
    return { status: "error", ...details, error: this.message, code, remedy, ...(position && { position }) };
  }
}

/** The fault of a call that its client gave up. */
export function cancelled(): Fault {
  return new Fault("cancelled", "The call was cancelled before it was answered.", [
    again("send the call again if the answer is still wanted"),
  ]);
}

/** The fault of a process that somebody stopped (SIGSTOP) and did not continue within the call's time. */
export function stoppedFromOutside(program: string): Fault {
  return new Fault("engine_failed", `${program} was suspended from outside (SIGSTOP). Nothing was decided.`, [
    again("send the call again: a new process answers it; the input is not the cause"),
  ]);
}

/** The fault of a text for which no process was ready in time. */
export function notRead(reader: string): Fault {
  return new Fault("busy", `${reader} was not ready within the time limit; nothing was read and nothing was changed.`, [
    again("send the call again, with more time if the tool takes a time limit: the text is not the cause"),
  ]);
}

/** The fault of a text that was not read in time. A short one is not the cause; `smaller` says how to shorten a long one. */
export function readTooLong(reader: string, chars: number, smaller: string): Fault {
  const what = `${reader} did not finish reading the text in time; nothing was changed.`;
  const later = "send the call again, with more time if the tool takes a time limit";
  if (chars > limits.read_soon_chars_max)
    return new Fault("input_rejected", what, [smaller, again(`or ${later}: the machine may have been busy`)]);
  return new Fault("busy", `${what} The text is short, so this machine is busy.`, [
    again(later),
    `if it fails again on a quiet machine, ${smaller}`,
  ]);
}

/** What to do where a process was killed: by somebody, or by a system whose memory ran out. */
export const after_a_kill = [
  again("send the call again: a new process answers it"),
  "if it is killed again, this machine may be short of memory: send fewer calls at the same time, or a smaller input",
] as const;

/** What this machine is short of, by the system's codes for what it refuses to any program. */
const shortages: Readonly<Record<string, string>> = {
  EMFILE: "file descriptors",
  ENFILE: "file descriptors",
  EAGAIN: "processes",
  ENOMEM: "memory",
};

/** The fault of something that the system refused because it is short of it; undefined for any other code. */
export function shortOf(doing: string, code: string | undefined): Fault | undefined {
  const what = code === undefined ? undefined : shortages[code];
  if (what === undefined) return undefined;
  return new Fault("engine_failed", `This machine could not ${doing}: it is short of ${what} (${code}).`, [
    again("send the call again in a moment"),
    "close other programs, or raise the limits of the server (`ulimit -n` for descriptors, `-u` for processes, `-v` for memory)",
  ]);
}

/** The fault of a process of WebAssembly that ended because the system did not reserve its memory, whatever its input is. */
export function memoryRefused(program: string, stderr: string): Fault | undefined {
  const is_refused = /\bWebAssembly\.\w+\(\): (?:Out of memory|could not allocate)/.test(stderr);
  return is_refused ? shortOf(`give ${program} its memory`, "ENOMEM") : undefined;
}

/**
 * The fault of a process that could not be started, or that a signal from outside ended or suspended, by the words for
 * its end; undefined for any other end. A program does not send these signals to itself, so its input is not blamed.
 */
export function endedFromOutside(program: string, how: string): Fault | undefined {
  const [code] = /\bE[A-Z]{4,}\b/.exec(how) ?? [];
  const [signal] = /\bSIG(?:STOP|KILL|TERM|INT|HUP|QUIT)\b/.exec(how) ?? [];
  if (signal === undefined) return shortOf(`start ${program}`, code);
  if (signal === "SIGSTOP") return stoppedFromOutside(program);
  const message = `${program} was ended from outside (${signal}). Nothing was decided.`;
  return new Fault("engine_failed", message, after_a_kill);
}

/** For `catch`: the result of work that raised a fault. */
export function undefinedOnFault(thrown: unknown): undefined {
  if (!(thrown instanceof Fault)) throw thrown;
}

/** For `catch`: the result of work that raised a fault other than `cancelled`. */
export function undefinedOnFailure(thrown: unknown): undefined {
  if (!(thrown instanceof Fault) || thrown.code === "cancelled") throw thrown;
}

/** Turns anything thrown into a fault; the text of anything else reveals nothing about the host. */
export function toFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  const short = shortOf("serve this call", errorCode(thrown));
  if (short) return short;
  return new Fault("internal", "Verdict failed with an unexpected internal error; nothing was decided.", [
    again("send the call again"),
    "if it fails again, report it with the input and the server's log (stderr)",
  ]);
}
