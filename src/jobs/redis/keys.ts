import { createHash } from "node:crypto";

/** Names in Redis. Only ids of our own form and hashes are parts of a name: no text of a user is. */
const prefix = "verdict";

export const queue_prefix = `${prefix}:queue`;

export const keys = {
  /** A hash: a call, and what became of it. Its fields are in `fields`. */
  call: (id: string) => `${prefix}:call:${id}`,
  /** There while a server starts this job again. */
  hold: (id: string) => `${prefix}:hold:${id}`,
  /** A sorted set: workers that serve a capability, with the time of their last beat. */
  serving: (capability: string) => `${prefix}:serving:${capability}`,
  /** A hash: the latest turn of each owner, and that of the call that was begun last. */
  turns: (capability: string) => `${prefix}:turns:${capability}`,
  /** There while a server lives. */
  server: (server: string) => `${prefix}:server:${server}`,
  /** A sorted set: the jobs of an owner, by their begin. */
  jobs: (owner: string) => `${prefix}:jobs:${createHash("sha256").update(owner).digest("hex").slice(0, 32)}`,
  /** The key that BullMQ has for a call that waits or runs. */
  queued: (capability: string, id: string) => `${queue_prefix}:${capability}:${id}`,
  prioritized: (capability: string) => `${queue_prefix}:${capability}:prioritized`,
  waiting: (capability: string) => `${queue_prefix}:${capability}:wait`,
  stalled: (capability: string) => `${queue_prefix}:${capability}:stalled`,
  active: (capability: string) => `${queue_prefix}:${capability}:active`,
} as const;

/** Channels: what is sent here and not heard is lost, so that everything is also written down. */
export const channels = {
  /** To one server: what its calls tell, and that one has ended. */
  server: (server: string) => `${prefix}:to:${server}`,
  /** To all workers: a capability for which a call was added. */
  added: `${prefix}:added`,
  /** To all workers: the id of a call that is cancelled. */
  cancelled: `${prefix}:cancelled`,
} as const;
