import { readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/v4";
import { Fault } from "../../kernel/fault.ts";
import { errorCode } from "../../kernel/files/errno.ts";
import { writeWhole } from "../../kernel/files/write_whole.ts";
import { has_proc, isRunning, startTicks } from "../../kernel/process/process_tree.ts";

/** Identifies the daemon. The pid alone may belong to another process by now, but not together with the start time. */
const Note = z.object({
  pid: z.number(),
  host: z.string(),
  port: z.number(),
  started_at: z.string(),
  start_ticks: z.number().nullable(),
});
export type DaemonNote = z.output<typeof Note>;

/** The directory of this user's daemon. */
export function daemonDirectory(data_directory: string): string {
  return join(data_directory, "lean");
}

function pathOf(data_directory: string): string {
  return join(daemonDirectory(data_directory), "daemon.json");
}

export async function writeNote(data_directory: string, note: DaemonNote): Promise<void> {
  await writeWhole(pathOf(data_directory), `${JSON.stringify(note)}\n`);
}

/** Returns the daemon that was recorded last, whether or not it is still running. */
export async function readNote(data_directory: string): Promise<DaemonNote | undefined> {
  try {
    return Note.parse(JSON.parse(await readFile(pathOf(data_directory), "utf8")));
  } catch (error) {
    if (errorCode(error) !== "ENOENT")
      console.error(`The record of the tactic daemon can't be read: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

/** Whether the recorded process is still running. If start times can't be looked up, the answer is no. */
export function isAlive({ pid, start_ticks }: DaemonNote): boolean {
  return has_proc && start_ticks !== null && startTicks(pid) === start_ticks;
}

/** Removes this process's own record; runs at exit, when nothing can be awaited. */
export function removeOwnNote(data_directory: string): void {
  try {
    const { pid } = Note.parse(JSON.parse(readFileSync(pathOf(data_directory), "utf8")));
    if (pid === process.pid) rmSync(pathOf(data_directory));
  } catch {
    // The file is gone, or belongs to another daemon.
  }
}

/**
 * Writes this process's bare pid to the file that the user specified, where the original scripts look for it. Raises
 * `engine_failed`, even for a file that contains something else.
 */
export async function writeBarePid(path: string): Promise<void> {
  try {
    const before = await readFile(path, "utf8").catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return "";
      throw error;
    });
    if (!/^\s*\d*\s*$/.test(before)) throw new Error("it contains something other than a pid");
    await writeWhole(path, `${process.pid}\n`);
  } catch (error) {
    const why = errorCode(error) ?? (error instanceof Error ? error.message : "unknown error");
    throw new Fault(
      "engine_failed",
      `The file ${path}, which TACTIC_SERVER_PID_FILE names, can't be written: ${why}.`,
      [
        "ask the user to correct TACTIC_SERVER_PID_FILE: the path of a new file, or of one that holds a pid",
        "or to unset it",
      ],
    );
  }
}

/** Returns the pid in a bare pid file, if the process is running. */
export async function readBarePid(path: string): Promise<number | null> {
  const text = await readFile(path, "utf8").catch(() => "");
  const pid = /^\s*[1-9]\d{0,9}\s*$/.test(text) ? Number(text) : null;
  return pid !== null && isRunning(pid) ? pid : null;
}

/** Removes this process's bare pid file; runs at exit, when nothing can be awaited. */
export function removeBarePid(path: string): void {
  try {
    if (Number(readFileSync(path, "utf8")) === process.pid) rmSync(path);
  } catch {
    // The file is gone, or belongs to another daemon.
  }
}
