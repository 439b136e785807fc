/**
 * The part of job processing that runs in the processes of embedded engines; `kept_process.ts` contains the server's
 * part.
 */
import { writeSync } from "node:fs";
import type { Readable } from "node:stream";
import { LineReader } from "../../kernel/text/line_reader.ts";
import type { Report } from "./kept_process.ts";

/** Writes a text synchronously, since the thread that would write it later is busy solving. */
export function print(descriptor: 1 | 2, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

/** Reports how a run ended. */
export function printEnd(report: Report): void {
  print(1, `${JSON.stringify(report)}\n`);
}

/**
 * Processes the jobs on stdin, one per line and one after another. The process ends with its input, or at an error. If no
 * job is waiting yet, the engine is warmed up first.
 */
export function serveJobs<Job>(
  serve: (job: Job) => Promise<void>,
  warmUp?: () => Promise<void>,
  input: Readable = process.stdin,
): void {
  // The line length is unlimited here, since the lines come from the parent process, which limits them.
  const reader = new LineReader(Number.POSITIVE_INFINITY);
  let work = Promise.resolve();
  let jobs = 0;
  input.setEncoding("utf8");
  input.on("data", (text: string) => {
    for (const line of reader.take(text)) {
      jobs++;
      work = work.then(() => serve(JSON.parse(line)));
    }
  });
  // By then, what was already written to stdin has been read.
  if (warmUp)
    setImmediate(() =>
      setImmediate(() => {
        if (jobs === 0) work = work.then(warmUp);
      }),
    );
  // The parent process is gone or has finished.
  input.on("end", () => void work.then(() => process.exit(0)));
}
