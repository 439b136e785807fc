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
 * Runs work while no other process works on the same path. The lock is a file next to that path, and is touched while
 * it is held. If the holder is killed, the lock becomes stale and is taken over. The deadline bounds the wait for the
 * lock, not the work; returns "expired" if that wait timed out. Raises `cancelled`, and the system's errors if the file
 * can't be created.
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
    // A caller that does not wait also takes over a stale lock; otherwise nobody might ever remove it.
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
    // On a full disk the file exists but is empty, so nobody would release the lock.
    await rm(lock, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Creates and opens the lock file. Returns undefined if another process holds the lock. */
async function opened(lock: string): Promise<FileHandle | undefined> {
  try {
    return await open(lock, "wx");
  } catch (error) {
    if (errorCode(error) === "EEXIST") return undefined;
    throw error;
  }
}

/** Removes a stale lock. If it has moved a fresh lock that was made in the meantime, it puts that lock back. */
async function removeStale(lock: string): Promise<void> {
  try {
    const content = await readFile(lock, "utf8");
    if (!(await isStale(lock))) return;
    const aside = `${lock}.${randomUUID()}`;
    await rename(lock, aside);
    if ((await readFile(aside, "utf8")) !== content) await link(aside, lock);
    await rm(aside);
  } catch (error) {
    // The lock was released, or taken over by another process, during the check.
    if (errorCode(error) !== "ENOENT" && errorCode(error) !== "EEXIST") throw error;
  }
}

/** Whether a lock is stale. A lock with a time in the future is stale too: the clock was set back. */
async function isStale(lock: string): Promise<boolean> {
  return Math.abs(Date.now() - (await stat(lock)).mtimeMs) > limits.lock_stale_ms;
}

function touch(lock: string): void {
  const now = new Date();
  utimes(lock, now, now).catch((error: unknown) => {
    // The lock was released during the touch.
    if (errorCode(error) !== "ENOENT") console.error("A lock could not be touched:", error);
  });
}

/**
 * Releases the lock synchronously, because it also runs at exit. A lock that another process has taken over is left
 * alone.
 */
function releaseNow(lock: string, token: string): void {
  try {
    if (readFileSync(lock, "utf8") === token) rmSync(lock);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") console.error("A lock could not be released:", error);
  }
}
