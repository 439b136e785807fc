import type { Ending } from "../../kernel/process/child.ts";
import { engine_limits } from "../limits.ts";

/** One run of MiniZinc, on any build. */
export interface Task {
  /** The texts of the files by name; Verdict chooses the names. */
  readonly files: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /**
   * The time after which MiniZinc should end the run on its own, counted from the request and including the process's
   * start.
   */
  readonly time_limit_ms?: number;
  /** Set only for CP-SAT, which is not one of MiniZinc's own solvers. */
  readonly cp_sat?: ForCpSat;
  /** The names of files that the run writes and that are read afterwards. */
  readonly keeps: readonly string[];
}

/** The request to CP-SAT, apart from the model. */
export interface ForCpSat {
  /** The number of solutions to list, if solutions are listed. */
  readonly solutions?: number | undefined;
  /** The number of workers; undefined if the machine determines it. */
  readonly workers?: number | undefined;
  /** Values by name of an earlier answer, with which the search starts. */
  readonly hint?: Readonly<Record<string, unknown>> | undefined;
  /** How an earlier compilation of the same model ended, if there was one. */
  readonly compiled?: CompileEnd | undefined;
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
  /** The requested files that the run wrote; null for a file that is too large to read. */
  readonly kept_files: Readonly<Record<string, string | null>>;
}

/** Whether a file of this size is read. A file can be large, since MiniZinc lists every value of a domain with gaps. */
export function isReadable(bytes: number): boolean {
  return bytes <= engine_limits.minizinc_compiled_bytes_max;
}

/** The option that makes MiniZinc stop on its own; the limit must be at least one millisecond. */
export function timeLimit(ms: number): string[] {
  return ["--time-limit", String(Math.max(1, Math.floor(ms)))];
}

/**
 * Receives each line of output as it arrives. If it returns a number, this is the number of characters that are no
 * longer kept.
 */
export type OnLine = (line: string) => unknown;
