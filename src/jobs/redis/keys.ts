import { createHash } from "node:crypto";

/** The prefix of all names in Redis. The names contain only Verdict's ids and hashes, never a user's text. */
const prefix = "verdict";

export const queue_prefix = `${prefix}:queue`;

export const keys = {
  /** A hash: a call and its result. `fields` lists the fields. */
  call: (id: string) => `${prefix}:call:${id}`,
  /** Exists while a server restarts this job. */
  hold: (id: string) => `${prefix}:hold:${id}`,
  /** A sorted set: the workers that serve a capability, with the times of their last heartbeats. */
  serving: (capability: string) => `${prefix}:serving:${capability}`,
  /** A hash: each owner's latest turn, and the turn of the last started call. */
  turns: (capability: string) => `${prefix}:turns:${capability}`,
  /** Exists while a server is alive. */
  server: (server: string) => `${prefix}:server:${server}`,
  /** A sorted set: an owner's jobs, by start time. */
  jobs: (owner: string) => `${prefix}:jobs:${createHash("sha256").update(owner).digest("hex").slice(0, 32)}`,
  /** BullMQ's key of a waiting or running call. */
  queued: (capability: string, id: string) => `${queue_prefix}:${capability}:${id}`,
  prioritized: (capability: string) => `${queue_prefix}:${capability}:prioritized`,
  waiting: (capability: string) => `${queue_prefix}:${capability}:wait`,
  stalled: (capability: string) => `${queue_prefix}:${capability}:stalled`,
  active: (capability: string) => `${queue_prefix}:${capability}:active`,
} as const;

/** The names of channels. A message that nobody receives is lost, so the content of every message is also stored. */
export const channels = {
  /** Messages to one server: the events and endings of its calls. */
  server: (server: string) => `${prefix}:to:${server}`,
  /** To all workers: the capability for which a call was added. */
  added: `${prefix}:added`,
  /** To all workers: the id of a cancelled call. */
  cancelled: `${prefix}:cancelled`,
} as const;
