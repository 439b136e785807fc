/** Bounds of the memo. */
export const memo_limits = {
  /** The memo is a page of notes: one answer shows it whole. */
  chars_max: 50_000,
  lines_max: 2_000,
  /** Lines that `edit_memo` shows of what it changed, and around it. */
  window_lines_max: 20,
  window_lines_before: 2,
} as const;
