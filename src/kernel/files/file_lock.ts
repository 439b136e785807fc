import { randomUUID } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { type FileHandle, link, open, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Deadline } from "../deadline.ts";
import { cancelled } from "../fault.ts";
import { limits } from "../limits.ts";
import { errorCode } from "./errno.ts";
import { makeDirectory } from "./make_directory.ts";

/**
 * Does some work while no other process does work on the same path. The lock is a file next to it, which is touched
 * while the lock is held. If the holder is killed, the lock becomes stale and is taken over. The deadline bounds the
 * wait for the lock, not the work; returns "expired" if that wait timed out. Raises `cancelled`, and the system's
 * errors if the file can't be made.
 */
export async function withLock<Result>(
  path: string,
  deadline: Deadline,
  work: () => Promise<Result>,
): Promise<Result | "expired"> {
  const lock = `${path}.lock`;
  const token = `${process.pid} ${randomUUID()}`;
  await makeDirectory(dirname(lock));
  if (!(await acquire(lock, token, deadline))) return "expired";
  const release = () => releaseNow(lock, token);
  process.once("exit", release);
  const touching = setInterval(() => touch(lock), limits.lock_touch_ms).unref();
  try {
    return await work();
  } finally {
    clearInterval(touching);
    process.off("exit", release);
    release();
  }
}

async function acquire(lock: string, token: string, deadline: Deadline): Promise<boolean> {
  for (; ; await sleep(limits.lock_poll_ms)) {
    if (deadline.signal.aborted) throw cancelled();
    const is_last = deadline.is_over;
    if (await create(lock, token)) return true;
    await removeStale(lock);
    // Who does not wait takes over a stale lock, too: it would never be removed otherwise.
    if (is_last) return create(lock, token);
  }
}

async function create(lock: string, token: string): Promise<boolean> {
  const file = await opened(lock);
  if (!file) return false;
  try {
    await file.writeFile(token);
    return true;
  } catch (error) {
    // On a full disk the file exists but is empty: nobody would release it.
    await rm(lock, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/**
 * The new file; undefined if another process holds the lock. A file that can't be opened here may belong to another
 * process.
 */
async function opened(lock: string): Promise<FileHandle | undefined> {
  try {
    return await open(lock, "wx");
  } catch (error) {
    if (errorCode(error) === "EEXIST") return undefined;
    throw error;
  }
}

/** Removes a stale lock. If it moved a fresh lock, made in the meantime, it puts that one back. */
async function removeStale(lock: string): Promise<void> {
  try {
    const content = await readFile(lock, "utf8");
    if (!(await isStale(lock))) return;
    const aside = `${lock}.${randomUUID()}`;
    await rename(lock, aside);
    if ((await readFile(aside, "utf8")) !== content) await link(aside, lock);
    await rm(aside);
  } catch (error) {
    // It was released, or taken over by another process, during the check.
    if (errorCode(error) !== "ENOENT" && errorCode(error) !== "EEXIST") throw error;
  }
}

/** A time in the future is stale too: the clock was set back. */
async function isStale(lock: string): Promise<boolean> {
  return Math.abs(Date.now() - (await stat(lock)).mtimeMs) > limits.lock_stale_ms;
}

function touch(lock: string): void {
  const now = new Date();
  utimes(lock, now, now).catch((error: unknown) => {
    // It was released during the touch.
    if (errorCode(error) !== "ENOENT") console.error("A lock could not be touched:", error);
  });
}

/** Runs at exit too, where nothing can be awaited. A lock that another one took over is left alone. */
function releaseNow(lock: string, token: string): void {
  try {
    if (readFileSync(lock, "utf8") === token) rmSync(lock);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") console.error("A lock could not be released:", error);
  }
}
