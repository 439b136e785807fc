import { errorCode } from "./files/errno.ts";
import { limits } from "./limits.ts";
import { again, inCalls, type Step } from "./step.ts";
import { cut } from "./text/cut.ts";
import { visibleLine } from "./text/visible.ts";

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

/** A position in the user's text. Lines and columns count from 1; columns count characters. */
export interface Position {
  /** The index of the model's item, counted from 0, if line and column are relative to an item. */
  readonly item?: number;
  readonly line: number;
  readonly column: number;
}

/** A message in two parts: the position at its beginning, such as "Item 2, line 1: ", and the rest. */
export interface Placed {
  readonly where: string;
  readonly what: string;
}

export interface FaultReport {
  /** `error`, unless a toolset's specification prescribes another word for this kind of fault. */
  readonly status: string;
  readonly error: string;
  readonly code: FaultCode;
  readonly remedy: string;
  readonly position?: Position;
  /** Additional fields that a toolset's specification prescribes, under the names that it prescribes. */
  readonly [detail: string]: unknown;
}

/**
 * The only error class. Its texts are written for the model that reads them. The message says what is wrong, where and
 * why; the steps say what to do next.
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  /** The position at the beginning of the message; "" if there is none. */
  readonly where: string;
  /** The message without its position. */
  readonly what: string;
  /** The steps, worded for a client that calls tools. */
  readonly steps: readonly string[];
  /** The same steps, also worded for a shell user. */
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
    // The message can quote a client's text or a program's output, so it is truncated.
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

  /** The steps on one line: `(1) …; (2) …`. */
  get remedy(): string {
    return this.steps.map((step, i) => `(${i + 1}) ${step}`).join("; ");
  }

  /** Returns the same fault with another message or other steps. Everything else, including the details, is kept. */
  with({ message, steps }: { readonly message?: string | Placed; readonly steps?: readonly Step[] }): Fault {
    const { code, where, what, all_steps, position, details } = this;
    return new Fault(code, message ?? { where, what }, steps ?? all_steps, position, details);
  }

  /** Returns the same fault with the line ends and control characters of what it quotes as escapes. */
  onOneLine(): Fault {
    const steps = this.all_steps.map((step) => (typeof step === "string" ? visibleLine(step) : step));
    return this.with({ message: { where: this.where, what: visibleLine(this.what) }, steps });
  }

  /** The fault as a client sees it. */
  report(): FaultReport {
    const { code, remedy, position, details } = this;
    return { status: "error", ...details, error: this.message, code, remedy, ...(position && { position }) };
  }
}

/** Returns the fault for a call that its client has cancelled. */
export function cancelled(): Fault {
  return new Fault("cancelled", "The call was cancelled before it was answered.", [
    again("send the call again if the answer is still wanted"),
  ]);
}

/** Returns the fault for a process that was suspended (SIGSTOP) and not resumed within the call's time. */
export function stoppedFromOutside(program: string): Fault {
  return new Fault("engine_failed", `${program} was suspended from outside (SIGSTOP). Nothing was decided.`, [
    again("send the call again: a new process answers it; the input is not the cause"),
  ]);
}

/** Returns the fault for a text that no process was ready to read in time. */
export function notRead(reader: string): Fault {
  return new Fault("busy", `${reader} was not ready within the time limit; nothing was read and nothing was changed.`, [
    again("send the call again, with more time if the tool takes a time limit: the text is not the cause"),
  ]);
}

/**
 * Returns the fault for a text that was not read in time. A short text is not the cause; for a long one, `smaller` says
 * how to shorten it.
 */
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

/** The steps after a process was killed, either by a user or by a system that ran out of memory. */
export const after_a_kill = [
  again("send the call again: a new process answers it"),
  "if it is killed again, this machine may be short of memory: send fewer calls at the same time, or a smaller input",
] as const;

/** Maps the system's error codes for refused resources to what this machine is short of. */
const shortages: Readonly<Record<string, string>> = {
  EMFILE: "file descriptors",
  ENFILE: "file descriptors",
  EAGAIN: "processes",
  ENOMEM: "memory",
};

/** Returns the fault for a resource that the system refused because it is scarce; undefined for any other code. */
export function shortOf(doing: string, code: string | undefined): Fault | undefined {
  const what = code === undefined ? undefined : shortages[code];
  if (what === undefined) return undefined;
  return new Fault("engine_failed", `This machine could not ${doing}: it is short of ${what} (${code}).`, [
    again("send the call again in a moment"),
    "close other programs, or raise the limits of the server (`ulimit -n` for descriptors, `-u` for processes, `-v` for memory)",
  ]);
}

/**
 * Returns the fault for a WebAssembly process that ended because the system did not reserve its memory. Its input is
 * not the cause.
 */
export function memoryRefused(program: string, stderr: string): Fault | undefined {
  const is_refused = /\bWebAssembly\.\w+\(\): (?:Out of memory|could not allocate)/.test(stderr);
  return is_refused ? shortOf(`give ${program} its memory`, "ENOMEM") : undefined;
}

/**
 * Returns the fault for a process that could not be started, or that an outside signal ended or suspended; undefined
 * for any other end. `how` describes the end. A program does not send these signals to itself, so its input is not
 * blamed.
 */
export function endedFromOutside(program: string, how: string): Fault | undefined {
  const [code] = /\bE[A-Z]{4,}\b/.exec(how) ?? [];
  const [signal] = /\bSIG(?:STOP|KILL|TERM|INT|HUP|QUIT)\b/.exec(how) ?? [];
  if (signal === undefined) return shortOf(`start ${program}`, code);
  if (signal === "SIGSTOP") return stoppedFromOutside(program);
  const message = `${program} was terminated from outside (${signal}). Nothing was decided.`;
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

/** Turns anything thrown into a fault. Unexpected errors get a text that reveals nothing about the host. */
export function toFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  const short = shortOf("serve this call", errorCode(thrown));
  if (short) return short;
  return new Fault("internal", "Verdict failed with an unexpected internal error; nothing was decided.", [
    again("send the call again"),
    "if it fails again, report it with the input and the server's log (stderr)",
  ]);
}
