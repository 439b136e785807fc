/** What the processes of embedded engines do with their jobs; `kept_process.ts` is the server's side. */
import { writeSync } from "node:fs";
import { LineReader } from "../../kernel/text/line_reader.ts";
import type { Report } from "./kept_process.ts";

/** Writes a text synchronously: the thread that would write it later is the one that solves. */
export function print(descriptor: 1 | 2, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

/** Says how a run ended. */
export function printEnd(report: Report): void {
  print(1, `${JSON.stringify(report)}\n`);
}

/** Does what each line of stdin asks, one after the other, and ends with the input. An error ends the process. */
export function serveJobs<Job>(serve: (job: Job) => Promise<void>): void {
  // From the parent process, which bounds them.
  const reader = new LineReader(Number.POSITIVE_INFINITY);
  let work = Promise.resolve();
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (text: string) => {
    for (const line of reader.take(text)) work = work.then(() => serve(JSON.parse(line)));
  });
  // The parent is gone or done.
  process.stdin.on("end", () => void work.then(() => process.exit(0)));
}
