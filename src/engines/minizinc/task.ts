import type { Ending } from "../../kernel/process/child.ts";

/** One run of MiniZinc, whichever build does it. */
export interface Task {
  /** Texts by file name; Verdict chooses the names. */
  readonly files: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** The run is to end by itself so long after it was asked for, the start of its process included. */
  readonly time_limit_ms?: number;
  /** Files that the run writes and that are read afterwards. */
  readonly keeps: readonly string[];
}

/** How a run ended. */
export interface TaskEnd {
  readonly ending: Ending;
  readonly stderr: string;
  /** The files that were to be kept, as far as they were written. */
  readonly kept_files: Readonly<Record<string, string>>;
}

/** The option with which MiniZinc ends by itself; it takes at least a millisecond. */
export function timeLimit(ms: number): string[] {
  return ["--time-limit", String(Math.max(1, Math.floor(ms)))];
}

/** Gets each line of output as it arrives. */
export type OnLine = (line: string) => void;
