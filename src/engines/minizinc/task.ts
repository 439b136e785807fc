import type { Ending } from "../../kernel/process/child.ts";
import { engine_limits } from "../limits.ts";

/** One run of MiniZinc, whichever build does it. */
export interface Task {
  /** Texts by file name; Verdict chooses the names. */
  readonly files: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** The run is to end by itself so long after it was asked for, the start of its process included. */
  readonly time_limit_ms?: number;
  /** Set for CP-SAT, which is not a solver of MiniZinc's own. */
  readonly cp_sat?: ForCpSat;
  /** Files that the run writes and that are read afterwards. */
  readonly keeps: readonly string[];
}

/** What CP-SAT is asked beside the model. */
export interface ForCpSat {
  /** How many solutions it lists, if it lists them. */
  readonly solutions?: number | undefined;
  /** How many workers it has, where that is not left to the machine. */
  readonly workers?: number | undefined;
  /** Values by name of an earlier answer, with which the search starts. */
  readonly hint?: Readonly<Record<string, unknown>> | undefined;
  /** "only": the model is compiled, and not solved. Otherwise the end of such a run on the same model, if there was one. */
  readonly compiled?: "only" | CompileEnd | undefined;
}

/** How a compilation ended, and what it printed. */
export interface CompileEnd {
  readonly end: TaskEnd;
  readonly lines: readonly string[];
}

/** How a run ended. */
export interface TaskEnd {
  readonly ending: Ending;
  readonly stderr: string;
  /** The files that were to be kept, as far as they were written; null for one that is too large to be read. */
  readonly kept_files: Readonly<Record<string, string | null>>;
}

/** Whether a file of this size is read: MiniZinc lists each value of a domain that has gaps. */
export function isReadable(bytes: number): boolean {
  return bytes <= engine_limits.minizinc_compiled_bytes_max;
}

/** The option with which MiniZinc ends by itself; it takes at least a millisecond. */
export function timeLimit(ms: number): string[] {
  return ["--time-limit", String(Math.max(1, Math.floor(ms)))];
}

/** Gets each line of output as it arrives; a number that it returns says how many characters of all lines are no longer kept. */
export type OnLine = (line: string) => unknown;
