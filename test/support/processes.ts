import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether this system shows its processes: Linux, through /proc. Tests that need this are skipped elsewhere. */
export const sees_processes = process.platform === "linux";

export interface Seen {
  readonly pid: number;
  readonly command: string;
}

/** How long a killed process can take to disappear on a busy machine; the wait ends as soon as it is gone. */
export const gone_ms_max = 20_000;

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Its command line, the arguments apart by spaces; "" when there is no such process. */
export function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();
}

/** The state letter of proc(5): R, S, D, Z…; undefined when there is no such process. */
export function stateOf(pid: number): string | undefined {
  return /\) (\S)/.exec(read(`/proc/${pid}/stat`))?.[1];
}

/** Seconds of processor time that it has used. */
export function cpuSeconds(pid: number): number {
  const [, rest = ""] = /\) (.*)/s.exec(read(`/proc/${pid}/stat`)) ?? [];
  const [utime = 0, stime = 0] = rest.split(" ").slice(11, 13).map(Number);
  return (utime + stime) / 100;
}

/** Whether it still runs. A zombie runs no more: it only waits for its parent. */
export function runs(pid: number): boolean {
  const state = stateOf(pid);
  return state !== undefined && state !== "Z" && state !== "X";
}

/**
 * The processes, except this one, whose command line or first environment has the marker. Children inherit their
 * environment, so the marker finds all descendants, whatever their current parents are.
 */
export function processesWith(marker: string): Seen[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const command = read(`/proc/${name}/cmdline`);
      const has = command.includes(marker) || read(`/proc/${name}/environ`).includes(marker);
      return has && runs(Number(name)) ? [{ pid: Number(name), command: command.replaceAll("\0", " ").trim() }] : [];
    });
}

/** Whether this is a server's reaper, which lives as long as its server does, or its search for what has the mark. */
export function isReaper({ command }: Seen): boolean {
  return command.includes("read -r sign pid") || command.startsWith("grep -lsF -e ");
}

/** Between two looks at a condition, in ms: a look at all processes takes a fifth of the first one. */
const pause_ms = { first: 20, growth: 1.3, max: 150 } as const;

/** Waits until the condition holds; gives whether it came to hold in time. */
export async function until(condition: () => boolean, ms_max: number): Promise<boolean> {
  const end = performance.now() + ms_max;
  for (let ms: number = pause_ms.first; performance.now() < end; ms = Math.min(ms * pause_ms.growth, pause_ms.max)) {
    if (condition()) return true;
    await sleep(ms);
  }
  return condition();
}

/** What still runs under this marker when the time to be gone is over: best an empty list. */
export async function leftOver(marker: string, counts: (seen: Seen) => boolean = () => true): Promise<string[]> {
  const left = () => processesWith(marker).filter(counts);
  await until(() => left().length === 0, gone_ms_max);
  return left().map(({ pid, command }) => `${pid} ${command}`);
}

/** Ends what a failed test left behind, so that it does not disturb the next one. */
export function endAll(marker: string): void {
  for (const { pid } of processesWith(marker)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Gone meanwhile.
    }
  }
}
