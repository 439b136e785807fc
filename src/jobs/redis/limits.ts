/** Bounds of calls that go through Redis. */
export const redis_limits = {
  /** A server waits so long for Redis when it starts; then its calls are made in its own process. */
  start_wait_ms_max: 1_500,
  connect_ms_max: 1_000,
  /** A Redis that does not answer a ping by then is away. Other commands can take longer: the server may be busy itself. */
  ping_ms_max: 1_000,
  command_ms_max: 15_000,
  retry_ms_max: 1_000,
  /** Calls that wait are looked at this often: a message may have been lost. */
  look_ms: 500,
  /** After this time without Redis, a call whose client waits is made in its server. */
  away_ms_max: 500,
  /** Questions and answers of more bytes are not sent through Redis. A message of MCP has at most 10 MiB. */
  question_bytes_max: 12 * 1024 * 1024,
  answer_bytes_max: 32 * 1024 * 1024,
  /** Calls that wait in one queue; more are refused, or Redis would fill up. */
  waiting_max: 10_000,
  /** Jobs of one server that have not ended: each is a few kB in the server. */
  running_max: 5_000,
  /** A server and a worker show this often that they live, and count as gone after that time. */
  beat_ms: 1_000,
  beat_ms_max: 5_000,
  /** A server that was away so long has no clients any more. */
  server_ms_max: 20_000,
  /** A worker that renews the lock of a call for so long no more is lost; others look for such calls this often. */
  lock_ms: 10_000,
  stalled_ms: 5_000,
  /** An idle worker looks for calls this often, if no message wakes it. */
  idle_ms: 1_000,
  /** What a call leaves in Redis while it waits and runs; a running job may take a day, and wait before. */
  call_ms_max: 8 * 24 * 3_600_000,
  /** The answer of a call that is not a job waits so long for its server. */
  answer_ms_max: 10 * 60_000,
  /** The progress of a call is stored for other servers at most this often. */
  live_ms_min: 250,
  /** A worker says this often at most what processor time a call has used. */
  spent_ms_min: 1_000,
  /** The number of ended calls that are charged by what their workers report within that time. */
  charges_max: 10_000,
  charge_ms_max: 15_000,
  message_chars_max: 1_000,
  /** A message to a server is smaller than this. */
  message_bytes_max: 16 * 1024,
  /** Ids of calls that are cancelled when Redis is back. */
  left_behind_max: 10_000,
  /** A worker that is to end gives running calls this much time; then they go back to the queue. */
  drain_ms_max: 8_000,
  /** Calls of one worker at once. */
  at_once_max: 64,
  /** Events that BullMQ keeps of each queue. */
  events_kept: 100,
  /** Owners whose old jobs a server deletes. */
  owners_swept_max: 10_000,
  /** Jobs that are read at once. */
  read_at_once: 50,
} as const;
