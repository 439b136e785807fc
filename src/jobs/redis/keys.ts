import { createHash } from "node:crypto";

/** Names in Redis. Names contain only our ids and hashes, never a user's text. */
const prefix = "verdict";

export const queue_prefix = `${prefix}:queue`;

export const keys = {
  /** A hash: a call and its result. Its fields are in `fields`. */
  call: (id: string) => `${prefix}:call:${id}`,
  /** Exists while a server restarts this job. */
  hold: (id: string) => `${prefix}:hold:${id}`,
  /** A sorted set: workers that serve a capability, with the time of their last heartbeat. */
  serving: (capability: string) => `${prefix}:serving:${capability}`,
  /** A hash: each owner's latest turn, and the turn of the last started call. */
  turns: (capability: string) => `${prefix}:turns:${capability}`,
  /** Exists while a server is alive. */
  server: (server: string) => `${prefix}:server:${server}`,
  /** A sorted set: an owner's jobs, by their start. */
  jobs: (owner: string) => `${prefix}:jobs:${createHash("sha256").update(owner).digest("hex").slice(0, 32)}`,
  /** BullMQ's key of a waiting or running call. */
  queued: (capability: string, id: string) => `${queue_prefix}:${capability}:${id}`,
  prioritized: (capability: string) => `${queue_prefix}:${capability}:prioritized`,
  waiting: (capability: string) => `${queue_prefix}:${capability}:wait`,
  stalled: (capability: string) => `${queue_prefix}:${capability}:stalled`,
  active: (capability: string) => `${queue_prefix}:${capability}:active`,
} as const;

/** Channels: a message that nobody receives is lost, so everything is also stored. */
export const channels = {
  /** To one server: the events of its calls, and their end. */
  server: (server: string) => `${prefix}:to:${server}`,
  /** To all workers: a capability for which a call was added. */
  added: `${prefix}:added`,
  /** To all workers: the id of a call that is cancelled. */
  cancelled: `${prefix}:cancelled`,
} as const;
