/** Bounds of the memo. */
export const memo_limits = {
  /** The memo is a page of notes: one answer shows it whole. */
  chars_max: 50_000,
  lines_max: 2_000,
  /** The lines that `edit_memo` shows: the changed ones, and some around them. */
  window_lines_max: 20,
  window_lines_before: 2,
} as const;
