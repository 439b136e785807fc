/** Bounds of a report: what a browser shows at once, and a reader reads. */
export const viewer_limits = {
  /** Cells of one table, bars of one chart. A browser lays these out in tenths of a second. */
  cells_max: 5_000,
  bars_max: 1_000,
  /** Values that get a colour of their own; more can't be told apart. */
  colours_max: 12,
  /** Lines of one source. */
  source_lines_max: 2_000,
} as const;
