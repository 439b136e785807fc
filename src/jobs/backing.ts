import type { Config } from "../config.ts";
import { FileStores } from "./files/file_stores.ts";
import { type Backing, local_queue } from "./queue.ts";
import { readAddress } from "./redis/address.ts";

/** Returns a backing that runs calls in this process and keeps jobs as files. */
export function localBacking({ data_directory }: Pick<Config, "data_directory">): Backing {
  const stores = new FileStores(data_directory);
  return { queue: local_queue, storeFor: (directory) => stores.storeFor(directory), close: () => stores.close() };
}

/** Opens the configured backing. Raises `invalid_argument` for an address that can't be a Redis address. */
export async function openBacking(config: Config): Promise<Backing> {
  const { redis } = config;
  if (redis === undefined) return localBacking(config);
  const { openRedis } = await import("./redis/index.ts");
  return openRedis(readAddress(redis));
}
