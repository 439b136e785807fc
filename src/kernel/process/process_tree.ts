import { readdirSync, readFileSync } from "node:fs";
import { linesOf } from "../text/lines.ts";

/** Whether this system shows its processes under /proc, as Linux does. */
export const has_proc = process.platform === "linux";

/** The text of a file in /proc, or "" if its process is gone. */
function readProc(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** The threads of a process; none of one that is gone. */
export function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** The processes that were started by the first thread of one, or by this thread of it. */
export function startedBy(pid: number, thread: number | string = pid): number[] {
  return readProc(`/proc/${pid}/task/${thread}/children`)
    .split(" ")
    .filter((word) => word.trim() !== "")
    .map(Number);
}

/** The process and all that descend from it, the root first (proc(5), `task/TID/children`). */
export function treeOf(root: number): number[] {
  const pids = [root];
  for (let i = 0; i < pids.length; i++) {
    const pid = pids[i];
    if (pid !== undefined) pids.push(...threadsOf(pid).flatMap((thread) => startedBy(pid, thread)));
  }
  return pids;
}

/**
 * Every process whose environment has this entry (`NAME=value`) at any position: a shell exports its variables in its
 * own order. Only the processes of this user can be read.
 */
export function processesWithEnvironment(entry: string): number[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && `\0${readProc(`/proc/${pid}/environ`)}`.includes(`\0${entry}\0`))
    .map(Number);
}

/** Resident bytes of these processes together; a process that is gone counts 0. */
export function residentBytes(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`/proc/${pid}/status`));
    return sum + Number(line?.[1] ?? 0) * 1024;
  }, 0);
}

/** The unit of processor time in /proc: the kernel shows 100 to the second on all machines that Node runs on. */
export const tick_ms = 10;

/** Ticks of a process in fields of its `stat` (proc(5), counted from 1). */
function ticksOf(pid: number | "self", fields: readonly number[]): number {
  const [, rest = ""] = /\) (.*)/s.exec(readProc(`/proc/${pid}/stat`)) ?? [];
  const words = rest.split(" ");
  // The first word after the name of the program is field 3.
  return fields.reduce((sum, field) => sum + Number(words[field - 3] ?? 0), 0);
}

/** Processor time of these processes and of the children that they have waited for; one that is gone counts 0. */
export function processorMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ticksOf(pid, [14, 15, 16, 17]) * tick_ms, 0);
}

/** Processor time of all children of this process that have ended, with those that they had waited for. */
export function reapedMs(): number {
  return ticksOf("self", [16, 17]) * tick_ms;
}

/** Resident bytes of a root with its descendants, out of `ps -axo pid=,ppid=,rss=`. */
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

/** Whether a process runs. A process that has ended and was not yet reaped by its parent does not run. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !has_proc || !/\) [ZX]/.test(readProc(`/proc/${pid}/stat`));
}

/**
 * Whether one of these processes was stopped by a signal such as SIGSTOP: it lives, but does nothing until it is
 * continued. Without this, an unanswered request looks like a busy machine. Known only where /proc exists.
 */
export function areStopped(pids: readonly number[]): boolean {
  return pids.some((pid) => /\) T/.test(readProc(`/proc/${pid}/stat`)));
}

/**
 * When a process was started, in ticks since the system booted (proc(5), `stat` field 22). With its pid this identifies
 * a process uniquely. Undefined if the process or /proc does not exist.
 */
export function startTicks(pid: number): number | undefined {
  const [, rest] = /\) (.*)/s.exec(readProc(`/proc/${pid}/stat`)) ?? [];
  const ticks = rest?.split(" ")[19];
  return ticks === undefined ? undefined : Number(ticks);
}
