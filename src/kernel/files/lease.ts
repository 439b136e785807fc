import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { limits } from "../limits.ts";
import { errorCode } from "./errno.ts";
import { makeDirectory } from "./make_directory.ts";

/**
 * Marks a shared resource as used by this process, so that other servers do not remove it. The mark is a file in a
 * directory that is touched while the resource is in use. If the process is killed, the file becomes stale.
 */
export class Lease {
  readonly #directory: string;
  readonly #file: string;
  #touching: NodeJS.Timeout | undefined;
  /** Whether the directory could not be written. The failure is then neither retried nor logged at each use. */
  #is_refused = false;
  readonly #release = () => this.release();

  /** The directory holds the leases on one resource. Nothing is written before `take`. */
  constructor(directory: string) {
    this.#directory = directory;
    this.#file = join(directory, `${process.pid}-${randomUUID()}`);
  }

  /**
   * Takes the lease; a second call does nothing. If the directory can't be written, other servers do not see this
   * lease, and this process can't remove the resource either.
   */
  async take(): Promise<void> {
    if (this.#touching || this.#is_refused) return;
    this.#touching = setInterval(() => void this.#touch(), limits.lock_touch_ms).unref();
    process.once("exit", this.#release);
    try {
      await makeDirectory(this.#directory);
      await writeFile(this.#file, "");
    } catch (error) {
      this.#is_refused = true;
      // A directory that is read-only for this process is so on purpose, for example in a container image.
      if (!["EROFS", "EACCES", "EPERM"].includes(errorCode(error) ?? ""))
        console.error("A lease could not be written:", error);
      this.release();
    }
  }

  /** Gives the lease back. Safe inside an `exit` handler. */
  release(): void {
    clearInterval(this.#touching);
    this.#touching = undefined;
    process.off("exit", this.#release);
    rmSync(this.#file, { force: true });
  }

  /** Whether another process has a lease here that is not stale. Stale leases are removed. */
  async heldByOthers(): Promise<boolean> {
    const names = await readdir(this.#directory).catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return [];
      throw error;
    });
    const others = names.map((name) => join(this.#directory, name)).filter((file) => file !== this.#file);
    const fresh = await Promise.all(others.map(isFresh));
    await Promise.all(others.filter((_, i) => !fresh[i]).map((file) => rm(file, { force: true })));
    return fresh.includes(true);
  }

  async #touch(): Promise<void> {
    const now = new Date();
    await utimes(this.#file, now, now).catch((error: unknown) => {
      // The lease was released during the touch, or the directory was removed.
      if (errorCode(error) !== "ENOENT") console.error("A lease could not be touched:", error);
    });
  }
}

async function isFresh(file: string): Promise<boolean> {
  try {
    return Math.abs(Date.now() - (await stat(file)).mtimeMs) <= limits.lock_stale_ms;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}
