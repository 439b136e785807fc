/**
 * Limits and defaults that several folders share, with the unit last and a reason each. Limits of one folder are in its
 * own `limits.ts`.
 */
export const limits = {
  /** The specification of `solve_smtlib` fixes the range and the default of `timeout_ms`. */
  timeout_ms_min: 1,
  timeout_ms_max: 600_000,
  timeout_ms_default: 30_000,
  /** Raw output of one solver. Past it the solver is stopped: nobody reads more. */
  stdout_bytes_max: 8 * 1024 * 1024,
  stderr_bytes_max: 64 * 1024,
  /** A model or code of this length is parsed in a tenth of a second, unless the machine is busy. */
  read_soon_chars_max: 20_000,
  /** Text in one answer. Hosts truncate at about 25,000 tokens, without a note. */
  answer_chars_max: 60_000,
  /** Values of one answer, as JSON. */
  answer_values_chars_max: 20_000,
  /** Each part of an answer that goes to a program or a file, and not into the context of a model. */
  whole_answer_chars_max: 16_000_000,
  /** Of more values than these the text of an answer lists those that are not 0 or false, up to this number. */
  values_text_max: 50,
  /** Solutions, or values of one solution, in the text of an answer; and one value where there are many. */
  values_text_chars_max: 8_000,
  value_text_chars_max: 2_000,
  /** Resident memory of one solver with its children; the WASM heap ends at 2 GiB by itself. */
  solver_rss_bytes_max: 4 * 1024 ** 3,
  /** Share of that limit at which a native Z3 stops by itself, with a clear message. */
  solver_soft_memory_share: 0.9,
  memory_poll_ms: 100,
  /** How often the time of a job is noted whose processes are not children of this one. */
  running_time_ms: 500,
  /** `ps` costs a process, so systems without /proc are looked at less often. */
  memory_poll_by_ps_ms: 500,
  /** Solvers at once: one a core, since each keeps one core busy. */
  solvers_at_once_max: 8,
  /** How many calls that became jobs while they ran can exceed the slots of jobs, each with its solver. */
  moved_jobs_max: 8,
  /** A call that became a job before its turn came has it for this long: the time after which a running one becomes a job. */
  turn_ms_max: 45_000,
  /** What waits for room among jobs looks for it this often. */
  room_look_ms: 500,
  /** Calls of one owner that can wait for a solver, each with its script. The next one is refused instead of filling memory. */
  calls_waiting_max: 64,
  /** All owners together can have this many times as many. */
  waiting_owners_max: 4,
  /** A spare makes the next call fast; a second one would only hold memory. */
  spares_max: 1,
  /** An unused spare is stopped: the WASM build holds about 200 MB. */
  spare_idle_ms_max: 300_000,
  /** A start uses a core for a while; the job that took the spare has priority. */
  spare_refill_delay_ms: 50,
  /** A probe asks a program for its version; a program that does not answer is not used. */
  probe_ms_max: 5_000,
  /**
   * Verdict's embedded builds and Python's engines always answer; on a machine with twenty busy programs they take 10
   * s.
   */
  own_probe_ms_max: 30_000,
  /** Code that walks through a value recurses for each level; no argument needs more than about ten. */
  message_depth_max: 100,
  /** Elements of a list that is an argument: as many as items of a model. */
  list_items_max: 2_000,
  /** A longer text is not tried as the JSON of another value. */
  json_text_chars_max: 1_000_000,
  /** A shorter wait for a slot does not explain a timeout. */
  wait_reported_ms_min: 1_000,
  /** A failure (a search for Python, a setup) is repeated for this long before the work is tried again. */
  retry_ms: 30_000,
  /** A quoted line in a fault: enough to recognise it, short enough not to hide the rest. */
  fault_quote_chars_max: 300,
  /** The message of a fault, with all that it quotes, and each of its steps. */
  fault_chars_max: 20_000,
  fault_step_chars_max: 2_000,
  /** A lock is touched this often while it is held. */
  lock_touch_ms: 1_000,
  /** A lock that was not touched for this long was left by a process that is gone. Ten touches: machines stall. */
  lock_stale_ms: 10_000,
  /** How often a waiting process checks a lock: what it guards is usually written in milliseconds. */
  lock_poll_ms: 20,
  /** Changes that can wait for the one before them, each with its item. */
  changes_waiting_max: 256,
  /** A name that a client gives to a model or to a proof. */
  id_chars_max: 64,
  /** Each of the printed output, the warnings and the statistics in one answer. */
  answer_lines_chars_max: 15_000,
  /** Another server holds a small file of this user for milliseconds; one that holds it longer hangs. */
  file_wait_ms_max: 5_000,
} as const;
