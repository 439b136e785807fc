import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "./errno.ts";

/**
 * Removes the directories that killed processes left behind. Their names begin with this prefix and the process's id.
 * Never fails, because no call depends on it.
 */
export function removeStale(parent: string, prefix: string): void {
  for (const entry of namesIn(parent)) {
    const [, number] = entry.startsWith(prefix) ? (/^(\d+)-/.exec(entry.slice(prefix.length)) ?? []) : [];
    const pid = Number(number ?? process.pid);
    if (pid !== process.pid && !isAlive(pid)) removeDirectory(join(parent, entry));
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    console.error(error);
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** Removes a directory; logs a failure instead of raising it. */
export function removeDirectory(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch (error) {
    // The directory belongs to another user or is still being written to: the next server tries again.
    console.error(error);
  }
}
