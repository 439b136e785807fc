/** Bounds of SMT-LIB scripts. */
export const smtlib_limits = {
  /** Parsing 2 MiB keeps the server busy for half a second and takes about 100 MB for that time. */
  script_chars_max: 2 * 1024 * 1024,
  /** Shorter scripts are parsed before they wait for a solver, so that an error is reported at once. */
  script_read_early_chars_max: 20_000,
  /** Answers of single commands that are shown. */
  transcript_entries_max: 500,
  /** Minimising a core asks the solver again and again; this bounds one such question. */
  minimise_probe_ms_max: 5_000,
  /** The search for a better value than the optimiser's takes at most this long; most answers come at once. */
  optimum_confirm_ms_max: 20_000,
  /** Better values that are searched one after the other: over the reals there may be infinitely many. */
  improvements_max: 10,
  /** Of the time that is left, for solving without the optimiser where its model is wrong; the rest is for the answer. */
  solve_again_share: 0.8,
  /** Models that are read there, each better than the one before. */
  models_again_max: 500,
  /** Checks before the last one whose models are evaluated, each against all that is asserted there. */
  earlier_checks_max: 50,
  /** Most cores come sooner; after that a run without cores is started in parallel, which costs a process. */
  core_alone_ms: 1_000,
  /** How long an unsat that is already known waits for its core. */
  core_wait_ms_max: 5_000,
  /** Z3 is alone with a script for so long; most are answered by then. */
  others_join_ms: 1_000,
  /** How often a solver that may join looks whether a processor is free by now. */
  others_look_ms: 250,
  /** On a machine that is busy with other programs, Z3 is alone with a script for so long after that. */
  others_busy_ms: 4_000,
  /** Z3 checks another solver's model in milliseconds, unless there are quantifiers in the script. */
  confirm_ms_max: 5_000,
} as const;
