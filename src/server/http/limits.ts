/** Limits on what HTTP clients may send and keep open. */
export const http_limits = {
  /** A client that has not sent its headers, or its whole request, within this time is disconnected with 408. */
  headers_ms_max: 5_000,
  request_ms_max: 30_000,
  connections_max: 1_000,
  /** After this idle time, the system checks whether the peer of a connection is still alive. */
  keep_alive_ms: 60_000,
  /**
   * The maximum number of open sessions of clients of the 2025 revisions: in total, and per principal. Each takes about
   * 60 kB.
   */
  sessions_max: 500,
  principal_sessions_max: 100,
  session_idle_ms_max: 30 * 60_000,
  session_sweep_ms: 10_000,
  /** The maximum number of cancellations stored per session for requests that have not arrived yet. */
  cancelled_early_max: 64,
  /** The maximum number of concurrent requests of a principal. Further requests are rejected with 429. */
  principal_requests_max: 64,
  /**
   * A principal that exceeds its processor time can't start anything new. If it exceeds this multiple of that time, its
   * running calls are stopped.
   */
  overdraft: 2,
  /**
   * A principal that has been idle for this long is forgotten, together with its models. Its jobs and memo are files,
   * so they are kept.
   */
  principal_idle_ms_max: 24 * 3_600_000,
  /** The maximum number of principals whose usage is remembered. Beyond this number, idle principals are forgotten. */
  meters_kept: 10_000,
  /** The maximum number of rejected requests per second that are logged individually. */
  refusals_logged_max: 20,
  logged_question_chars_max: 10_000,
  /** After a signal, running calls have this long to finish. Then they become jobs if their clients support that. */
  drain_handover_ms: 5_000,
  drain_ms_max: 20_000,
  /**
   * The maximum number of a principal's uploaded files, their total size, the total size for all principals, and how
   * long a file is kept.
   */
  uploads_max: 40,
  upload_bytes_max: 200_000_000,
  uploads_bytes_max: 2_000_000_000,
  upload_kept_ms_max: 24 * 3_600_000,
  upload_name_bytes_max: 200,
  /** The minimum interval between checks of the token file. */
  tokens_look_ms: 500,
  tokens_bytes_max: 1024 * 1024,
  /**
   * The maximum length of an access token. A token with many claims has about 4,000 characters, and Node accepts 16 KiB
   * of headers.
   */
  token_chars_max: 8_192,
  subject_chars_max: 255,
  /** The allowed difference between the clocks of an issuer and this machine. */
  clock_tolerance_s: 5,
  /**
   * Bounds on fetching an issuer's keys: each fetch is limited, and there is a cool-down between fetches, whatever
   * arrives.
   */
  keys_fetch_ms_max: 3_000,
  keys_bytes_max: 256 * 1024,
  keys_max: 100,
  keys_cool_down_ms: 5_000,
  /** Keys are fetched again after this time. If that fails, the known keys remain in use up to the maximum. */
  keys_fresh_ms: 10 * 60_000,
  keys_kept_ms_max: 3_600_000,
} as const;
