import type { Tool } from "../../kernel/tool.ts";
import type { Backing } from "../queue.ts";
import type { RedisAddress } from "./address.ts";
import { redis_limits } from "./limits.ts";
import { Link } from "./link.ts";
import { RedisQueue } from "./queue.ts";
import { RedisStore } from "./store.ts";
import { QueueWorker, type WorkerOptions } from "./worker.ts";

/** Opens a server's queue and job store in Redis. An unreachable Redis does not block the server for long. */
export async function openRedis(
  address: RedisAddress,
  { kept_ms }: { readonly kept_ms?: number } = {},
): Promise<Backing> {
  const link = new Link(address, "fails");
  const subscriber = new Link(address, "waits");
  const bound = kept_ms === undefined ? {} : { kept_ms };
  const queue = new RedisQueue({ link, subscriber, ...bound });
  const store = new RedisStore(link, kept_ms);
  await link.ready(redis_limits.start_wait_ms_max);
  return {
    queue,
    storeFor: () => store,
    close: () => {
      queue.close();
      link.close();
      subscriber.close();
    },
  };
}

export interface OpenWorker {
  readonly worker: QueueWorker;
  readonly is_connected: boolean;
  close(): void;
}

type Work = Pick<WorkerOptions, "capabilities" | "at_once" | "lock_ms" | "stalled_ms" | "kept_ms"> & {
  readonly session: () => readonly Tool[];
};

/** Opens a worker for the calls in this Redis. The worker waits while Redis is unreachable. */
export async function openWorker(address: RedisAddress, work: Work): Promise<OpenWorker> {
  const link = new Link(address, "waits");
  const subscriber = new Link(address, "waits");
  const worker = new QueueWorker({ ...work, link, subscriber });
  const is_connected = await link.ready(redis_limits.start_wait_ms_max);
  return {
    worker,
    is_connected,
    close: () => {
      link.close();
      subscriber.close();
    },
  };
}
