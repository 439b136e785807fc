import type { Config } from "../config.ts";
import { FileStores } from "./files/file_stores.ts";
import { local_queue, type Queue } from "./queue.ts";
import { readAddress } from "./redis/address.ts";
import type { JobStore } from "./store.ts";

/** Where calls are made and jobs are kept. All owners of a server share it. */
export interface Backing {
  readonly queue: Queue;
  /** The jobs of owners who have this data directory. */
  storeFor(data_directory: string): JobStore;
  close(): void;
}

/** Calls in this process, and jobs as files. */
export function localBacking({ data_directory }: Pick<Config, "data_directory">): Backing {
  const stores = new FileStores(data_directory);
  return { queue: local_queue, storeFor: (directory) => stores.storeFor(directory), close: () => stores.close() };
}

/** What the configuration names. Raises `invalid_argument` for an address that can't be one of Redis. */
export async function openBacking(config: Config): Promise<Backing> {
  const { redis } = config;
  if (redis === undefined) return localBacking(config);
  const { openRedis } = await import("./redis/index.ts");
  return openRedis(readAddress(redis));
}
