/** What HTTP clients may send and hold. */
export const http_limits = {
  /** A client that has not sent its headers, or its whole request, by then is left: 408. */
  headers_ms_max: 5_000,
  request_ms_max: 30_000,
  connections_max: 1_000,
  /** After so much silence, the system asks whether the other side of a connection is still there. */
  keep_alive_ms: 60_000,
  /** Open sessions of clients of 2025, each of which costs some 60 kB: in all, and of one principal. */
  sessions_max: 500,
  principal_sessions_max: 100,
  session_idle_ms_max: 30 * 60_000,
  session_sweep_ms: 10_000,
  /** Cancelled requests of a session that have not come yet. */
  cancelled_early_max: 64,
  /** Requests of one principal at once; the next one is refused with 429. */
  principal_requests_max: 64,
  /** Above its processor time a principal begins nothing new; at this multiple its running calls end. */
  overdraft: 2,
  /** A principal that has sent nothing for this long is forgotten, with its models; its jobs and memo are files. */
  principal_idle_ms_max: 24 * 3_600_000,
  /** Principals whose use is remembered; above, idle ones are forgotten. */
  meters_kept: 10_000,
  /** Refused requests of one second that have a line each in the log. */
  refusals_logged_max: 20,
  logged_question_chars_max: 10_000,
  /** After a signal, running calls have so long to end; then they become jobs, as far as their clients take part. */
  drain_handover_ms: 5_000,
  drain_ms_max: 20_000,
  /** Files that a principal has sent, their bytes, those of all principals, and how long each is kept. */
  uploads_max: 40,
  upload_bytes_max: 200_000_000,
  uploads_bytes_max: 2_000_000_000,
  upload_kept_ms_max: 24 * 3_600_000,
  upload_name_bytes_max: 200,
  /** The file of tokens is looked at no more often. */
  tokens_look_ms: 500,
  tokens_bytes_max: 1024 * 1024,
  /** An access token with many claims has some 4,000 characters; Node reads 16 KiB of headers. */
  token_chars_max: 8_192,
  subject_chars_max: 255,
  /** Clocks of an issuer and of this machine may differ by this much. */
  clock_tolerance_s: 5,
  /** The keys of an issuer: a fetch is bounded, and another one follows no sooner than the cool-down, whatever arrives. */
  keys_fetch_ms_max: 3_000,
  keys_bytes_max: 256 * 1024,
  keys_max: 100,
  keys_cool_down_ms: 5_000,
  /** Keys are fetched again after this time; while that fails, they are used on, but no longer than the maximum. */
  keys_fresh_ms: 10 * 60_000,
  keys_kept_ms_max: 3_600_000,
} as const;
