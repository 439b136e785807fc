import { limits } from "../../kernel/limits.ts";
import type { Ending } from "../../kernel/process/child.ts";
import { LineReader } from "../../kernel/text/line_reader.ts";

/** One run of MiniZinc, whichever build does it. */
export interface Task {
  /** Texts by file name; the names are ours. */
  readonly files: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** Files that the run writes and that are wanted afterwards. */
  readonly keeps: readonly string[];
}

/** How a run ended. */
export interface TaskEnd {
  readonly ending: Ending;
  readonly stderr: string;
  /** The files that were to be kept, as far as they were written. */
  readonly kept_files: Readonly<Record<string, string>>;
}

/** Hears each line of output as it comes. */
export type OnLine = (line: string) => void;

/** Hands whole lines on; an empty one says nothing. */
export function eachLine(onLine: OnLine): (text: string) => void {
  const reader = new LineReader(limits.stdout_bytes_max);
  return (text) => {
    for (const line of reader.take(text)) if (line.trim() !== "") onLine(line);
  };
}
