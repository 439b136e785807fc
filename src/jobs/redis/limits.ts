/** Limits of calls that go through Redis. */
export const redis_limits = {
  /** At its start, a server waits this long for Redis; after that, its calls run in its own process. */
  start_wait_ms_max: 1_500,
  connect_ms_max: 1_000,
  /** A Redis that does not answer a ping within this time is unreachable. Other commands may take longer: the server itself may be busy. */
  ping_ms_max: 1_000,
  command_ms_max: 15_000,
  retry_ms_max: 1_000,
  /** Waiting calls are checked this often: a message may have been lost. */
  look_ms: 500,
  /** After this time without Redis, a call whose client waits runs in its server. */
  away_ms_max: 500,
  /** Larger questions and answers are not sent through Redis. An MCP message has at most 10 MiB. */
  question_bytes_max: 12 * 1024 * 1024,
  answer_bytes_max: 32 * 1024 * 1024,
  /** The number of calls that can wait in one queue; more are rejected, so that Redis does not fill up. */
  waiting_max: 10_000,
  /** Jobs of one server that have not ended: each is a few kB in the server. */
  running_max: 5_000,
  /** Servers and workers send a heartbeat this often, and count as gone after the second time. */
  beat_ms: 1_000,
  beat_ms_max: 5_000,
  /** A server that was unreachable for this long has no clients left. */
  server_ms_max: 20_000,
  /** A worker that has not renewed a call's lock for this long is lost; others look for such calls this often. */
  lock_ms: 10_000,
  stalled_ms: 5_000,
  /** An idle worker looks for calls this often, if no message wakes it. */
  idle_ms: 1_000,
  /** How long a waiting or running call stays in Redis; a job may run for a day, and wait before that. */
  call_ms_max: 8 * 24 * 3_600_000,
  /** How long the answer of a call that is not a job waits for its server. */
  answer_ms_max: 10 * 60_000,
  /** The progress of a call is stored for other servers at most this often. */
  live_ms_min: 250,
  /** A worker reports a call's processor time at most this often. */
  spent_ms_min: 1_000,
  /** The number of ended calls that are charged by what their workers report within that time. */
  charges_max: 10_000,
  charge_ms_max: 15_000,
  message_chars_max: 1_000,
  /** A message to a server is smaller than this. */
  message_bytes_max: 16 * 1024,
  /** The number of calls to be cancelled when Redis is back. */
  left_behind_max: 10_000,
  /** A worker that is to end gives running calls this much time; then they go back to the queue. */
  drain_ms_max: 8_000,
  /** The number of calls of one worker at once. */
  at_once_max: 64,
  /** The number of events that BullMQ keeps per queue. */
  events_kept: 100,
  /** The number of owners whose old jobs a server deletes. */
  owners_swept_max: 10_000,
  /** The number of jobs that are read at once. */
  read_at_once: 50,
} as const;
