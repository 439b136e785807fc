/** What a client may send, and how often the server sends something. */
export const server_limits = {
  /** One message of a client. The largest argument is a script of 2 MiB, which escapes make longer. */
  message_bytes_max: 10 * 1024 * 1024,
  /** Names and values in its JSON. A table of data has some ten thousand numbers, and few names. */
  message_names_max: 20_000,
  message_values_max: 300_000,
  /** Fields of `params` and of `_meta`; the protocol has about ten. */
  message_fields_max: 100,
  /** The two ends of a longer one, where its id may be found. */
  message_edge_bytes: 4_096,
  /** Requests of one batch that are refused one by one. */
  batch_refusals_max: 1_000,
  /** A client that asked for progress gets a message this often. */
  heartbeat_ms: 5_000,
  /** A client that reads a task again and again is asked to do so no more often. */
  task_poll_ms: 2_000,
  /** News, such as better and better solutions, follow each other no faster: who reads them pays for each. */
  news_ms_min: 200,
  /** The directories that a client declares, and how long the first call that needs them waits for a slow client. */
  roots_max: 50,
  roots_wait_ms: 2_000,
  roots_ms_max: 60_000,
} as const;
