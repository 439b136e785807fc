/** Limits on client messages, and on the frequency of server messages. */
export const server_limits = {
  /** The size of a client message. The largest argument is a 2 MiB script, which becomes longer when escaped. */
  message_bytes_max: 10 * 1024 * 1024,
  /** Names and values in its JSON. A data table has tens of thousands of numbers, but few names. */
  message_names_max: 20_000,
  message_values_max: 300_000,
  /** Fields of `params` and of `_meta`; the protocol has about ten. */
  message_fields_max: 100,
  /** The length of both ends of a longer message, where its id may be found. */
  message_edge_bytes: 4_096,
  /** Requests of a batch that are rejected individually. */
  batch_refusals_max: 1_000,
  /** The interval between progress messages for a client that requested progress. */
  heartbeat_ms: 5_000,
  /** The polling interval suggested to a client that reads a task. */
  task_poll_ms: 2_000,
  /** The minimum interval between news, such as better solutions, since the reader pays for each. */
  news_ms_min: 200,
  /** Directories that a client declares, and how long the first call that needs them waits for a slow client. */
  roots_max: 50,
  roots_wait_ms: 2_000,
  roots_ms_max: 60_000,
} as const;
