import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "./errno.ts";

/**
 * Removes the directories that a killed process left behind: their names are this prefix, the number of the process, and more.
 * Never fails: no call depends on it.
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

/** Removes a directory; what it can't remove it logs. */
export function removeDirectory(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch (error) {
    // It belongs to another user, or is still written to: the next server tries again.
    console.error(error);
  }
}
