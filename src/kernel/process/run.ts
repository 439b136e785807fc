import type { Deadline } from "../deadline.ts";
import { limits } from "../limits.ts";
import { LineReader } from "../text/line_reader.ts";
import type { Child, Ending } from "./child.ts";
import { outputMeter } from "./output_meter.ts";

/** The complete result of a program. */
export interface Finished {
  readonly ending: Ending;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a child without input until it ends. `onLine` receives each line of stdout and stderr as it arrives. */
export async function runToEnd(
  child: Child,
  deadline: Deadline,
  onLine: (line: string) => void = () => {},
): Promise<Finished> {
  let stdout = "";
  const lines = cutIntoLines(onLine);
  const meter = outputMeter();
  child.onText = (text) => {
    meter(text);
    stdout += text;
    lines(text);
  };
  child.onErrorText = cutIntoLines(onLine);
  child.arm(deadline);
  child.end();
  const ending = await child.ended;
  return { ending, stdout, stderr: child.stderr };
}

function cutIntoLines(onLine: (line: string) => void): (text: string) => void {
  const reader = new LineReader(limits.stdout_bytes_max, /[\r\n]+/);
  return (text) => {
    for (const line of reader.take(text)) onLine(line);
  };
}
