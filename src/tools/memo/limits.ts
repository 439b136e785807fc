/** Limits of the memo. */
export const memo_limits = {
  /** The maximum length of the memo. It is a page of notes that fits in one answer. */
  chars_max: 50_000,
  lines_max: 2_000,
  /** The maximum number of lines that `edit_memo` shows: the changed lines and some around them. */
  window_lines_max: 20,
  window_lines_before: 2,
} as const;
