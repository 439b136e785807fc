/** The limits for SMT-LIB scripts. */
export const smtlib_limits = {
  /**
   * The maximum length of a script; parsing 2 MiB keeps the server busy for half a second and takes about 100 MB
   * meanwhile.
   */
  script_chars_max: 2 * 1024 * 1024,
  /** The maximum number of commands whose answers are shown. */
  transcript_entries_max: 500,
  /** The maximum time for one question while a core is minimised, which takes many questions. */
  minimise_probe_ms_max: 5_000,
  /** The maximum time for the search for a better value than the optimiser's; most answers come at once. */
  optimum_confirm_ms_max: 20_000,
  /**
   * The maximum number of better values to search for one after another; over the reals, there may be infinitely many.
   */
  improvements_max: 10,
  /**
   * The share of the remaining time for solving without the optimiser if its model is wrong; the rest is for the
   * answer.
   */
  solve_again_share: 0.8,
  /** The maximum number of models to read when solving without the optimiser, each better than the one before. */
  models_again_max: 500,
  /**
   * The maximum number of checks before the last one whose models are evaluated, each against everything asserted by
   * then.
   */
  earlier_checks_max: 50,
  /**
   * How long a run with a core works alone. After that, a run without cores starts in parallel, which costs a process;
   * most cores come sooner.
   */
  core_alone_ms: 1_000,
  /** The maximum time for which a known unsat waits for its core. */
  core_wait_ms_max: 5_000,
  /** How long Z3 works alone on a script; most scripts are decided by then. */
  others_join_ms: 1_000,
  /** How often a solver that may join checks whether a processor is free. */
  others_look_ms: 250,
  /** How much longer Z3 works alone on a script if the machine is busy with other programs. */
  others_busy_ms: 4_000,
  /**
   * The maximum time for Z3 to check another solver's model, which takes milliseconds unless the script has
   * quantifiers.
   */
  confirm_ms_max: 5_000,
} as const;
