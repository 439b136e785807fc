/**
 * Limits and defaults that several folders share. Names end with the unit, and each entry has a reason. Limits for a
 * single folder are in that folder's `limits.ts`.
 */
export const limits = {
  /** The specification of `solve_smtlib` fixes the range and the default of `timeout_ms`. */
  timeout_ms_min: 1,
  timeout_ms_max: 600_000,
  timeout_ms_default: 30_000,
  /**
   * The maximum raw output of one solver. The solver is stopped when it exceeds this limit, because nobody reads more.
   */
  stdout_bytes_max: 8 * 1024 * 1024,
  stderr_bytes_max: 64 * 1024,
  /** A model or program of this length is parsed in a tenth of a second, unless the machine is busy. */
  read_soon_chars_max: 20_000,
  /** The maximum text in one answer. Hosts silently truncate at about 25,000 tokens. */
  answer_chars_max: 60_000,
  /** The maximum length of the values in one answer, as JSON. */
  answer_values_chars_max: 20_000,
  /** The maximum length of each part of an answer that goes to a program or a file instead of a model's context. */
  whole_answer_chars_max: 16_000_000,
  /**
   * The maximum number of values in an answer's text. If there are more, only values other than 0 and false are listed.
   */
  values_text_max: 50,
  /**
   * The maximum length of an answer's solutions, or of one solution's values, as text; then that of one value among
   * many.
   */
  values_text_chars_max: 8_000,
  value_text_chars_max: 2_000,
  /** The maximum resident memory of one solver with its children. The WASM heap has a built-in limit of 2 GiB. */
  solver_rss_bytes_max: 4 * 1024 ** 3,
  /** The share of `solver_rss_bytes_max` at which a native Z3 stops of its own accord, with a clear message. */
  solver_soft_memory_share: 0.9,
  memory_poll_ms: 100,
  /** How often a job's running time is recorded if its processes are not children of this process. */
  running_time_ms: 500,
  /** `ps` costs a process, so memory is polled less often on systems without /proc. */
  memory_poll_by_ps_ms: 500,
  /** The maximum number of solvers at once. There is one per core, because each keeps one core busy. */
  solvers_at_once_max: 8,
  /** The maximum number of calls that can become jobs while they run, with their solvers, beyond the job slots. */
  moved_jobs_max: 8,
  /**
   * How long a call that became a job while it waited keeps its call slot: as long as a running call runs before it
   * becomes a job.
   */
  turn_ms_max: 45_000,
  /** How often a call that waits for a free job slot checks for one. */
  room_look_ms: 500,
  /**
   * The maximum number of one owner's calls that can wait for a solver, each with its script. Further calls are
   * refused, so that memory does not fill up.
   */
  calls_waiting_max: 64,
  /** The factor by which all owners' waiting calls together can exceed the limit for one owner. */
  waiting_owners_max: 4,
  /** A spare makes the next call fast; a second spare would only hold memory. */
  spares_max: 1,
  /** An unused spare is stopped: the WASM build holds about 200 MB. */
  spare_idle_ms_max: 300_000,
  /**
   * How long to wait before starting a new spare. A start keeps a core busy, and the job that took the spare has
   * priority.
   */
  spare_refill_delay_ms: 50,
  /** A probe asks a program for its version; a program that does not answer is not used. */
  probe_ms_max: 5_000,
  /**
   * Verdict's embedded builds and Python's engines always answer, but take 10 s on a machine with twenty busy programs.
   */
  own_probe_ms_max: 30_000,
  /**
   * The maximum nesting depth of a value. Code that walks through a value recurses for each level, and no argument
   * needs more than about ten levels.
   */
  message_depth_max: 100,
  /**
   * The maximum number of names, and of values, in the JSON of a message or of a text in it. A data table has tens of
   * thousands of numbers, but few names.
   */
  message_names_max: 20_000,
  message_values_max: 300_000,
  /** The maximum number of elements in a list argument: the same as for a model's items. */
  list_items_max: 2_000,
  /** A text longer than this is not parsed as JSON in search of another value. */
  json_text_chars_max: 1_000_000,
  /** A wait for a slot is reported only if it was at least this long: a shorter one does not explain a timeout. */
  wait_reported_ms_min: 1_000,
  /** How long a failure, for example of a setup, is repeated to all callers before the work is tried again. */
  retry_ms: 30_000,
  /**
   * The maximum length of a line quoted in a fault: enough to recognise the line, short enough not to hide the rest.
   */
  fault_quote_chars_max: 300,
  /** The maximum length of a fault's message with everything that it quotes; then that of each of its steps. */
  fault_chars_max: 20_000,
  fault_step_chars_max: 2_000,
  /** How often a held lock is touched. */
  lock_touch_ms: 1_000,
  /**
   * A lock that has not been touched for this long was left behind by a dead process. The limit is ten touches, because
   * machines stall.
   */
  lock_stale_ms: 10_000,
  /** How often a waiting process checks a lock. The guarded file is usually written within milliseconds. */
  lock_poll_ms: 20,
  /** The maximum number of changes that can wait for an earlier one, each with its item. */
  changes_waiting_max: 256,
  /** The maximum length of a name that a client gives to a model or a proof. */
  id_chars_max: 64,
  /** The maximum length of the printed output in one answer, and likewise of the warnings and of the statistics. */
  answer_lines_chars_max: 15_000,
  /**
   * How long to wait for a small file that another server has locked. A server holds it only for milliseconds, unless
   * it hangs.
   */
  file_wait_ms_max: 5_000,
} as const;
