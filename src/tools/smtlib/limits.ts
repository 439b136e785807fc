/** Bounds of SMT-LIB scripts. */
export const smtlib_limits = {
  /** Reading 2 MiB keeps the server busy for half a second and takes some 100 MB for that time. */
  script_chars_max: 2 * 1024 * 1024,
  /** Shorter scripts are read before they wait for a solver, so that a slip is told at once. */
  script_read_early_chars_max: 20_000,
  /** Answers of single commands that are shown. */
  transcript_entries_max: 500,
  /** Minimising a core asks the solver again and again; this bounds one such question. */
  minimise_probe_ms_max: 5_000,
  /** Most cores are there sooner; after that a run without cores goes beside, which costs a process. */
  core_alone_ms: 1_000,
  /** How long an unsat that is known already waits for its core. */
  core_wait_ms_max: 5_000,
} as const;
