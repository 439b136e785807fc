import { readdirSync, readFileSync } from "node:fs";
import { linesOf } from "../text/lines.ts";

/** Whether this system exposes its processes under /proc, as Linux does. */
export const has_proc = process.platform === "linux";

/** Reads a file in /proc. Returns "" if its process is gone. */
function readProc(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Returns the threads of a process; none if it is gone. */
export function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Returns the processes that a process's first thread, or the given thread, has started. */
export function startedBy(pid: number, thread: number | string = pid): number[] {
  return readProc(`/proc/${pid}/task/${thread}/children`)
    .split(" ")
    .filter((word) => word.trim() !== "")
    .map(Number);
}

/** Returns a process and all its descendants, the root first (proc(5), `task/TID/children`). */
export function treeOf(root: number): number[] {
  const pids = [root];
  for (let i = 0; i < pids.length; i++) {
    const pid = pids[i];
    if (pid !== undefined) pids.push(...threadsOf(pid).flatMap((thread) => startedBy(pid, thread)));
  }
  return pids;
}

/**
 * Returns every process whose environment has this entry (`NAME=value`). The entry can be at any position, because a
 * shell exports its variables in its own order. Only this user's processes can be read.
 */
export function processesWithEnvironment(entry: string): number[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && `\0${readProc(`/proc/${pid}/environ`)}`.includes(`\0${entry}\0`))
    .map(Number);
}

/** Returns the total resident memory of these processes, in bytes. A process that is gone counts as 0. */
export function residentBytes(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`/proc/${pid}/status`));
    return sum + Number(line?.[1] ?? 0) * 1024;
  }, 0);
}

/** The unit of processor time in /proc. The kernel reports 100 ticks per second on all machines that Node runs on. */
export const tick_ms = 10;

/** Returns the sum of the ticks in these fields of a process's `stat` (proc(5), counted from 1). */
function ticksOf(pid: number | "self", fields: readonly number[]): number {
  const [, rest = ""] = /\) (.*)/s.exec(readProc(`/proc/${pid}/stat`)) ?? [];
  const words = rest.split(" ");
  // The first word after the program's name is field 3.
  return fields.reduce((sum, field) => sum + Number(words[field - 3] ?? 0), 0);
}

/**
 * Returns the processor time of these processes and of the children that they have waited for. A process that is gone
 * counts as 0.
 */
export function processorMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ticksOf(pid, [14, 15, 16, 17]) * tick_ms, 0);
}

/** Returns the processor time of this process's ended children, including the processes that they had waited for. */
export function reapedMs(): number {
  return ticksOf("self", [16, 17]) * tick_ms;
}

/**
 * Returns the resident memory of a root and its descendants, in bytes, from the output of `ps -axo pid=,ppid=,rss=`.
 */
export function residentBytesInTable(table: string, root: number): number {
  const rows = linesOf(table.trim()).map((row) => row.trim().split(/\s+/).map(Number));
  const tree = new Set([root]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const [pid = 0, parent = 0] of rows) {
      if (tree.has(parent) && !tree.has(pid)) {
        tree.add(pid);
        grew = true;
      }
    }
  }
  return rows.reduce((sum, [pid = 0, , kib = 0]) => sum + (tree.has(pid) ? kib * 1024 : 0), 0);
}

/**
 * Whether a process is running. A process that has ended but has not yet been reaped by its parent does not count as
 * running.
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !has_proc || !/\) [ZX]/.test(readProc(`/proc/${pid}/stat`));
}

/**
 * Whether one of these processes was stopped by a signal such as SIGSTOP: it is alive, but does nothing until it is
 * resumed. Without this check, an unanswered request looks like a busy machine. Always false without /proc.
 */
export function areStopped(pids: readonly number[]): boolean {
  return pids.some((pid) => /\) T/.test(readProc(`/proc/${pid}/stat`)));
}

/**
 * Returns when a process was started, in ticks since the system booted (proc(5), `stat` field 22). The start time and
 * the pid identify a process uniquely. Undefined if the process or /proc does not exist.
 */
export function startTicks(pid: number): number | undefined {
  const [, rest] = /\) (.*)/s.exec(readProc(`/proc/${pid}/stat`)) ?? [];
  const ticks = rest?.split(" ")[19];
  return ticks === undefined ? undefined : Number(ticks);
}
