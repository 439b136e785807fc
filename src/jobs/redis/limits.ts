/** Limits of calls that go through Redis. */
export const redis_limits = {
  /** How long a starting server waits for Redis. After that, its calls run in its own process. */
  start_wait_ms_max: 1_500,
  connect_ms_max: 1_000,
  /**
   * A Redis that does not answer a ping within this time counts as unreachable. Other commands may take longer, because
   * the server itself may be busy.
   */
  ping_ms_max: 1_000,
  command_ms_max: 15_000,
  retry_ms_max: 1_000,
  /** How often waiting calls are checked, in case a message was lost. */
  look_ms: 500,
  /** After this time without Redis, a call with a waiting client runs in its own server. */
  away_ms_max: 500,
  /** Larger questions and answers are not sent through Redis. An MCP message has at most 10 MiB. */
  question_bytes_max: 12 * 1024 * 1024,
  answer_bytes_max: 32 * 1024 * 1024,
  /** The maximum number of calls waiting in one queue. Further calls are rejected, so that Redis does not fill up. */
  waiting_max: 10_000,
  /** The maximum number of unfinished jobs per server. Each takes a few kB of the server's memory. */
  running_max: 5_000,
  /** Servers and workers send a heartbeat every `beat_ms`, and count as gone after `beat_ms_max` without one. */
  beat_ms: 1_000,
  beat_ms_max: 5_000,
  /** A server that has been unreachable for this long has no clients left. */
  server_ms_max: 20_000,
  /**
   * A worker that has not renewed a call's lock for `lock_ms` counts as lost. Others look for such calls every
   * `stalled_ms`.
   */
  lock_ms: 10_000,
  stalled_ms: 5_000,
  /** How often an idle worker looks for calls if no message wakes it. */
  idle_ms: 1_000,
  /** How long a waiting or running call stays in Redis. A job may wait in the queue and then run for a day. */
  call_ms_max: 8 * 24 * 3_600_000,
  /** How long an answer is kept for its server if the call is not a job. */
  answer_ms_max: 10 * 60_000,
  /** The minimum interval at which a call's progress is stored for other servers. */
  live_ms_min: 250,
  /** The minimum interval at which a worker reports a call's processor time. */
  spent_ms_min: 1_000,
  /** The maximum number of ended calls whose workers can still report processor time, and for how long they can. */
  charges_max: 10_000,
  charge_ms_max: 15_000,
  message_chars_max: 1_000,
  /** The maximum size of a message to a server. */
  message_bytes_max: 16 * 1024,
  /** The maximum number of calls to be cancelled once Redis is back. */
  left_behind_max: 10_000,
  /** How long running calls may continue when their worker is shutting down. After that, they return to the queue. */
  drain_ms_max: 8_000,
  /** The maximum number of calls that one worker runs at once. */
  at_once_max: 64,
  /** The number of events that BullMQ keeps per queue. */
  events_kept: 100,
  /** The maximum number of owners whose old jobs a server deletes. */
  owners_swept_max: 10_000,
  /** The maximum number of jobs read at once. */
  read_at_once: 50,
} as const;
