import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../kernel/files/errno.ts";
import { lives } from "../host.ts";
import type { JobHead } from "../job.ts";
import { job_limits } from "../limits.ts";
import { FileStore } from "./file_store.ts";

/**
 * The stores of all owners. Each owner has a separate data directory, so one owner's jobs can't push out another's. The
 * total size is limited, too: above the limit, each owner may keep an equal share.
 */
export class FileStores {
  readonly #root: string;
  /** The stores that this process uses. */
  readonly #open = new Map<string, FileStore>();
  readonly #timers: readonly NodeJS.Timeout[];

  /** `directory` is the server's data directory; each principal's directory is inside it. */
  constructor(root: string) {
    this.#root = root;
    // A first sweep runs soon after the start, without delaying it, since a server on stdio may run for less than an
    // hour.
    this.#timers = [
      setTimeout(() => this.#sweepSoon(), job_limits.sweep_ms_min).unref(),
      setInterval(() => this.#sweepSoon(), job_limits.sweep_all_ms).unref(),
    ];
  }

  storeFor(data_directory: string): FileStore {
    const directory = join(data_directory, "jobs");
    const store = this.#open.get(directory) ?? new FileStore(directory);
    this.#open.set(directory, store);
    return store;
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** Deletes jobs that are too old or too many, including the jobs of owners who no longer start any. */
  async sweep(bytes_max: number = job_limits.kept_all_bytes_max): Promise<void> {
    const stores = await this.#all();
    const sizes = await Promise.all(stores.map((store) => store.bytes()));
    const sum = sizes.reduce((total, each) => total + each, 0);
    const share = sum > bytes_max ? Math.floor(bytes_max / stores.length) : job_limits.kept_bytes_max;
    for (const store of stores) {
      store.bytes_max = Math.min(share, job_limits.kept_bytes_max);
      await store.sweep(new Set(), (head) => isRunning(store, head));
    }
  }

  async #all(): Promise<FileStore[]> {
    return [this.#root, ...(await entriesOf(join(this.#root, "principals")))].map((data) => {
      const directory = join(data, "jobs");
      return this.#open.get(directory) ?? new FileStore(directory);
    });
  }

  #sweepSoon(): void {
    this.sweep().catch((error: unknown) => console.error("Old jobs could not be deleted:", error));
  }
}

async function entriesOf(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return [];
    throw error;
  });
  return names.map((name) => join(directory, name));
}

async function isRunning(store: FileStore, head: JobHead): Promise<boolean> {
  return head.state === "running" && lives(head.server, await store.touched_ms(head.id), Date.now());
}
