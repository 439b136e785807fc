/** Limits for `verdict gate`. */
export const gate_limits = {
  /**
   * The default time limits in seconds: most functions need less than one second, and a pull request should not wait
   * long.
   */
  function_s_default: 20,
  function_s_max: 600,
  total_s_default: 300,
  total_s_max: 6 * 3600,
  /** The default maximum number of examined functions; the gate is of little help for a change with more of them. */
  functions_default: 50,
  functions_max: 2_000,
  /** The maximum number of files read; a larger change is truncated, which the report states. */
  files_max: 500,
  /** The maximum size of a source file; files of this size are rarely written by hand. */
  file_bytes_max: 1024 * 1024,
  /**
   * The maximum number of repository modules read for one function, and their total length; a function's helpers fit in
   * this.
   */
  taken_files_max: 200,
  taken_chars_max: 4 * 1024 * 1024,
  /** The maximum size of the list of changed files, and of a directory listing. */
  git_list_bytes_max: 16 * 1024 * 1024,
  /** The maximum time for a git command, which reads only a few objects. */
  git_ms_max: 60_000,
  /** The maximum number of characters of git's output that are cached for other functions. */
  git_kept_chars_max: 64 * 1024 * 1024,
  /** The number of files read at the same time. */
  reads_at_once: 4,
  /** The maximum number of cached answers, each a few kilobytes. */
  cached_max: 2_000,
  cached_bytes_max: 256 * 1024,
  /** The maximum number of annotations that GitHub shows per step and level. */
  annotations_max: 10,
  /** The maximum length of one text in a report. */
  text_chars_max: 2_000,
  /** The maximum number of functions of one kind listed in a report for people. */
  listed_max: 100,
  /** The maximum number of functions that the report lists by name for each reason why functions were not checked. */
  named_max: 5,
} as const;
