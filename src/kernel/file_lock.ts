import { mkdir, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "./child.ts";
import { cancelled } from "./fault.ts";

/** Does work that no other process does at the same time under this path; "expired" when the wait was too long. */
export async function withLock<Result>(
  path: string,
  job: Job,
  work: () => Promise<Result>,
): Promise<Result | "expired"> {
  const until = performance.now() + job.left_ms;
  while (!(await taken(path))) {
    if (job.signal.aborted) throw cancelled();
    if (performance.now() > until) return "expired";
    await sleep(10);
  }
  try {
    return await work();
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

/** Only one process can make a directory. */
async function taken(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}
