/** Bounds of `verdict solve`. */
export const solve_limits = {
  /** A person at a terminal waits for minutes, and can end the command at any time. */
  solve_s_default: 300,
  /** A file that is read whole into memory; the tools take 2 MB at most, an answer has less. */
  source_bytes_max: 16 * 1024 * 1024,
  /** Without a terminal, better solutions are reported at most once in this time: a search can find thousands a second. */
  incumbent_report_ms: 1_000,
} as const;
