/** Limits for `verdict solve`. */
export const solve_limits = {
  /**
   * The default time limit in seconds: a person at a terminal accepts waiting for minutes, and can end the command at
   * any time.
   */
  solve_s_default: 300,
  /**
   * The maximum size of a file, which is read into memory as a whole; the tools accept at most 2 MB, and an answer is
   * smaller.
   */
  source_bytes_max: 16 * 1024 * 1024,
  /**
   * Without a terminal, better solutions are reported at most once per interval: a search can find thousands a second.
   */
  incumbent_report_ms: 1_000,
} as const;
