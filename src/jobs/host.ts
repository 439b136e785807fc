import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { errorCode } from "../kernel/files/errno.ts";
import { isRunning, startTicks } from "../kernel/process/process_tree.ts";
import type { ServerName } from "./job.ts";
import { job_limits } from "./limits.ts";

/** Returns the identity of this server's process. */
export function thisServer(): ServerName {
  return { id: randomUUID(), host: thisHost(), pid: process.pid, started: startTicks(process.pid) ?? null };
}

/**
 * Whether a server is alive. On this host, its pid and its start time show that. For a server elsewhere, in another
 * container or before a reboot, the only sign of life is a job that was touched recently.
 */
export function lives(server: ServerName, touched_ms: number | undefined, now_ms: number): boolean {
  if (server.host === thisHost())
    return isRunning(server.pid) && (server.started === null || startTicks(server.pid) === server.started);
  return touched_ms !== undefined && Math.abs(now_ms - touched_ms) <= job_limits.untouched_ms_max;
}

let this_host: string | undefined;

/** Identifies the machine, its boot and its pid namespace: pids are comparable only within these. */
function thisHost(): string {
  this_host ??= [hostname(), systemText(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim())]
    .concat(systemText(() => readlinkSync("/proc/self/ns/pid")))
    .join(" ");
  return this_host;
}

/** Reads a file in /proc; empty if the system has none. */
function systemText(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return "";
  }
}
