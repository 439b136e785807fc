/** Bounds of item models, their languages and their answers. */
export const model_limits = {
  /** Solutions of each model that are compared with the other model's. */
  compared_max: 24,
  /** The number of these that are tested in the other model, if it has more. */
  probed_max: 8,
  /** Length of a solution's values in a sentence about it. */
  difference_chars_max: 400,
  /** Time for reading data files, and the amount shown of them. */
  read_data_ms_max: 60_000,
  /** Solutions counted one by one, which takes most engines minutes. */
  counted_max: 100_000,
  /** MiniZinc prints each solution as JSON, and each is checked. */
  minizinc_counted_max: 10_000,
  /** Solutions in one answer; nobody reads more. */
  solutions_max: 1_000,
  /**
   * A model decided within this time needs no check. A slower one is checked while it is being solved: on two
   * processors this slows down both, by half for a small model.
   */
  check_delay_ms: 2_000,
  /**
   * MiniZinc must finish by itself, with its last bounds, this long before the deadline, so that its values can be
   * checked. If this share of the remaining time is shorter, it applies instead.
   */
  minizinc_last_word_ms: 700,
  minizinc_last_word_share: 0.25,
  /**
   * The maximum share of the remaining time for Z3 to find out whether only rounding allows a solution; a proof
   * follows.
   */
  minizinc_refute_share: 0.25,
  /** The time for evaluating a solution's values in the model's own text, or the share above if that is more. */
  minizinc_evaluation_ms: 5_000,
  /** A check takes a fifth of a second; a model that occupies the compiler for longer than this is rejected. */
  minizinc_check_ms_max: 60_000,
  /** Time for one question in the search for a conflict, or this share of the call's remaining time if that is more. */
  minizinc_conflict_probe_ms: 2_000,
  minizinc_conflict_probe_share: 0.1,
  /** Time for finding the cases in a conflict, or this share of the call's remaining time if that is more. */
  minizinc_cases_ms: 20_000,
  minizinc_cases_share: 0.1,
  /** Time for which one solver searches alone, enough for most models. */
  minizinc_trial_ms: 300,
  /** The interval between checks for a free processor for another solver. */
  minizinc_join_ms: 1_000,
  /** Other solvers recommended in an answer. */
  solvers_named_max: 3,
  /**
   * Time for finding the conflicting constraints after the answer, or this share of the call's remaining time if that
   * is more.
   */
  asp_conflict_ms: 5_000,
  asp_conflict_share: 0.25,
  /** A statement with more cases than this is left out as a whole. */
  cases_max: 2_000,
  /** Time for grounding a program again, to find the numbers that its rules build up. */
  asp_ground_ms_max: 5_000,
  /** The search for an explanation ends this long before the call does. */
  why_last_word_ms: 300,
  /** Time for one question in this search, or this share of the call's remaining time if that is more. */
  why_probe_ms: 2_000,
  why_probe_share: 0.1,
  /** The first question decides the whole model again; without its answer nothing is explained. */
  why_first_share: 0.5,
  /** The share of the call's remaining time for sets of cases; sets of lines follow. */
  why_cases_share: 0.25,
  /** Sets of constraints to drop in one answer; a reader chooses among a few. */
  why_sets_max: 5,
  /** Places in one set of an answer; nobody drops more at once. */
  why_places_max: 50,
  /** Changes to a plan in one answer. */
  changes_shown_max: 200,
  /** Cases of what_if. */
  what_if_cases_max: 20,
  /** The length of a case's message and of each of its lines, and the number of lines it names. */
  case_text_chars_max: 1_000,
  case_lines_max: 20,
  /** Sets examined by the search for each size; each takes microseconds if no question is asked. */
  why_visits_max: 20_000,
  /** A checker examines values in milliseconds; this much of the call, or this share, is reserved for it. */
  checker_ms_max: 10_000,
  checker_kept_ms: 2_000,
  /** Violations reported for all solutions of an answer together; a reader needs no more. */
  violations_max: 200,
  /** Changed answers on which a checker is tested, and the time for it. */
  mutants_max: 50,
  mutants_ms_max: 3_000,
  /** The number of unnoticed changes that are tested in the model, which may allow them. */
  mutants_asked_max: 6,
  /** The time for all these questions: at most this, and at most this share of the remaining time. */
  mutants_asked_ms_max: 10_000,
  mutants_asked_share: 0.25,
  /**
   * The number of values, or of terms in atoms, in all changed answers together; large answers get fewer, since the
   * server's own process makes them.
   */
  mutants_values_max: 2_000_000,
  mutants_atoms_max: 20_000,
  checker_kept_share: 0.1,
  /** The share of the time for the fewest changes to a plan, before the model's own objective. */
  keep_first_share: 0.6,
  /** The share of the time for solving the model itself before a plan is tested in it. */
  plan_first_share: 0.4,
  /** Each second engine gets this share of the call's remaining time, since another one may follow. */
  check_share: 0.5,
  /** Time for checking the proof of an unsat without a request by the call; most proofs take a tenth of a second. */
  certificate_ms_max: 5_000,
  /** Item models per server; beyond these bounds the least recently used one is deleted. */
  models_max: 200,
  /** The total text of all models and their last solutions, at most two bytes per character. */
  models_chars_max: 20_000_000,
  /** A model unused for a day belongs to a finished conversation. */
  model_idle_ms_max: 24 * 3_600_000,
  /** A large model often has hundreds of items; each change is checked against all of them. */
  items_max: 2_000,
  /** As in the MCP-Solver project, an item is a piece of a model, not a data file. */
  item_chars_max: 100_000,
  model_chars_max: 1_000_000,
  /** A model given as a file, such as MPS, which takes seconds to read. */
  file_chars_max: 4_000_000,
  /** Length of a last solution's values kept for `get_solution`, as JSON. */
  solution_chars_max: 1_000_000,
  /** A check takes milliseconds, but the very first one may wait for its engine to be installed. */
  change_ms_max: 300_000,
  /** Steps about other languages in a fault; more would hide each other. */
  habits_reported_max: 3,
  /** Rejected items remembered by a model, each by its beginning, so that missing parts are visible. */
  refused_items_max: 20,
  refused_item_chars_max: 200,
  /** Names and ids listed in a fault: enough to choose from, and still readable. */
  names_listed_max: 20,
  /** Longer values appear in an answer only as `model`, not also as `values`. */
  values_twice_chars_max: 2_000,
  /** The end of a program's output before a fault: enough to see how far it got. */
  fault_output_chars_max: 3_000,
  /** Better solutions of a search in one answer: enough to draw a curve. */
  incumbents_max: 30,
  /** Of several better solutions within this time, only the latest is shown. */
  incumbent_ms: 10,
  /** A conflict with more positions is too long to be useful. */
  unsat_items_max: 200,
  unsat_item_chars_max: 500,
  /** Findings about a model in its answer; get_model shows all of them. */
  findings_shown_max: 3,
} as const;
