/** Bounds of `verdict gate`. */
export const gate_limits = {
  /**
   * Default times in seconds: most functions are decided within one second, and a pull request should not wait long.
   */
  function_s_default: 20,
  function_s_max: 600,
  total_s_default: 300,
  total_s_max: 6 * 3600,
  /** Functions examined by default: a change of more functions is of a kind that this gate can't help with. */
  functions_default: 50,
  functions_max: 2_000,
  /** Files that are read; a larger change is truncated, which the report states. */
  files_max: 500,
  /** A source file of this size is rarely written by hand. */
  file_bytes_max: 1024 * 1024,
  /** Repository modules that are read for one function, and their total length: a function's helpers fit in this. */
  taken_files_max: 200,
  taken_chars_max: 4 * 1024 * 1024,
  /** Size of the list of changed files, and of a directory listing. */
  git_list_bytes_max: 16 * 1024 * 1024,
  /** Time for one git command; each reads few objects. */
  git_ms_max: 60_000,
  /** Characters of git's output that are cached for other functions. */
  git_kept_chars_max: 64 * 1024 * 1024,
  /** Files read at the same time. */
  reads_at_once: 4,
  /** Cached answers, each a few kilobytes. */
  cached_max: 2_000,
  cached_bytes_max: 256 * 1024,
  /** Annotations that GitHub shows per step and level. */
  annotations_max: 10,
  /** Length of one text in a report. */
  text_chars_max: 2_000,
  /** Functions of one kind listed in a report for people. */
  listed_max: 100,
  /** Functions named in the report among those not checked for the same reason. */
  named_max: 5,
} as const;
