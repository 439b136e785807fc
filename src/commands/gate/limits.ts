/** Bounds of `verdict gate`. */
export const gate_limits = {
  /** The default times, in seconds: most functions are decided within one; a pull request should not wait for long. */
  function_s_default: 20,
  function_s_max: 600,
  total_s_default: 300,
  total_s_max: 6 * 3600,
  /** Functions that are looked at by default: more are a change of another kind than this can help with. */
  functions_default: 50,
  functions_max: 2_000,
  /** Files that are read; a change of more files is cut, which the report says. */
  files_max: 500,
  /** A source of this size is rarely written by hand. */
  file_bytes_max: 1024 * 1024,
  /** Modules of the repository that are read for one function, and their text: a function has no more helpers than this. */
  taken_files_max: 200,
  taken_chars_max: 4 * 1024 * 1024,
  /** The list of changed files, and the list of names in a directory. */
  git_list_bytes_max: 16 * 1024 * 1024,
  /** One command of git: they read few objects. */
  git_ms_max: 60_000,
  /** Of what git read, so much is kept for the other functions. */
  git_kept_chars_max: 64 * 1024 * 1024,
  /** Files that are read at once. */
  reads_at_once: 4,
  /** Answers that are kept, each of some kilobytes. */
  cached_max: 2_000,
  cached_bytes_max: 256 * 1024,
  /** Annotations that GitHub shows of one step, of each level. */
  annotations_max: 10,
  /** Characters of one text of a report. */
  text_chars_max: 2_000,
  /** Functions of one kind that are written out in a report for people. */
  listed_max: 100,
  /** Functions that are named of those that were not checked for one reason. */
  named_max: 5,
} as const;
