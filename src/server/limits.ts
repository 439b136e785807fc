/** Limits for client messages, and for the frequency of server messages. */
export const server_limits = {
  /**
   * The maximum size of a client message. The largest argument is a 2 MiB script, which becomes longer when escaped.
   */
  message_bytes_max: 10 * 1024 * 1024,
  /** The maximum number of fields of `params` and of `_meta`. The protocol has about ten. */
  message_fields_max: 100,
  /** How much of the beginning and the end of an oversized message is searched for its id. */
  message_edge_bytes: 4_096,
  /** The maximum number of requests in a batch that are rejected individually. */
  batch_refusals_max: 1_000,
  /** The interval between progress messages for a client that requested progress. */
  heartbeat_ms: 5_000,
  /** The polling interval suggested to a client that reads a task. */
  task_poll_ms: 2_000,
  /** The minimum interval between news items, such as better solutions, since the reader pays for each of them. */
  news_ms_min: 200,
  /**
   * The maximum number of directories that a client can declare, and how long the first call that needs them waits for
   * a slow client.
   */
  roots_max: 50,
  roots_wait_ms: 2_000,
  roots_ms_max: 60_000,
} as const;
