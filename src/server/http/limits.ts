/** What HTTP clients may send and hold. */
export const http_limits = {
  /** A client that has not sent its headers, or its whole request, by then is left: 408. */
  headers_ms_max: 5_000,
  request_ms_max: 30_000,
  connections_max: 1_000,
  /** Open sessions of clients of 2025, each of which costs some 60 kB: in all, and of one principal. */
  sessions_max: 500,
  principal_sessions_max: 100,
  session_idle_ms_max: 30 * 60_000,
  session_sweep_ms: 10_000,
  /** Requests of one principal at once; the next one is refused with 429. */
  principal_requests_max: 64,
  /** After a signal, running calls have so long to end. */
  drain_ms_max: 20_000,
  /** The file of tokens is looked at no more often. */
  tokens_look_ms: 500,
  tokens_bytes_max: 1024 * 1024,
} as const;
