/** Bounds of item models, their languages and their answers. */
export const model_limits = {
  /** Solutions of each model that are compared with those of another one. */
  compared_max: 24,
  /** How many of them are put into the other model, if it has more. */
  probed_max: 8,
  /** The values of a solution in a sentence about it. */
  difference_chars_max: 400,
  /** Reading data files, and what is shown of them. */
  read_data_ms_max: 60_000,
  /** Solutions that are counted one by one: minutes of work for most engines. */
  counted_max: 100_000,
  /** MiniZinc gives each solution as JSON, and each is checked. */
  minizinc_counted_max: 10_000,
  /** Solutions in one answer; nobody reads more of them. */
  solutions_max: 1_000,
  /**
   * A model that was decided in this time needs no check. One that takes longer is checked beside its solve: on two
   * processors both take longer then, a small model by half.
   */
  check_delay_ms: 2_000,
  /**
   * MiniZinc must end by itself this long before the deadline, with its last bounds, so that its values can be checked; a share of the time if that is
   * less.
   */
  minizinc_last_word_ms: 700,
  minizinc_last_word_share: 0.25,
  /**
   * Z3 uses at most this share of the rest to find out whether only rounding allows a solution: a proof comes after it.
   */
  minizinc_refute_share: 0.25,
  /** The values of a solution are evaluated in the model's own text: in this time, or that share of the rest. */
  minizinc_evaluation_ms: 5_000,
  /** A check takes a fifth of a second; a model that keeps the compiler longer than this is refused. */
  minizinc_check_ms_max: 60_000,
  /** One question of the search for a conflict: this long, or this share of the rest of the call if that is more. */
  minizinc_conflict_probe_ms: 2_000,
  minizinc_conflict_probe_share: 0.1,
  /** The search for the cases in a conflict: this long, or this share of the rest of the call if that is more. */
  minizinc_cases_ms: 20_000,
  minizinc_cases_share: 0.1,
  /** One solver searches alone for this time: most models are solved by then. */
  minizinc_trial_ms: 300,
  /** How often a processor for one more solver is looked for. */
  minizinc_join_ms: 1_000,
  /** Other solvers that an answer recommends. */
  solvers_named_max: 3,
  /**
   * The search for the conflicting constraints comes after the answer: this long, or this share of the rest of the call
   * if that is more.
   */
  asp_conflict_ms: 5_000,
  asp_conflict_share: 0.25,
  /** A statement with more cases than these is left out as a whole. */
  cases_max: 2_000,
  /** Grounding a program again, to see the numbers that its rules build up. */
  asp_ground_ms_max: 5_000,
  /** The search for an explanation ends this long before the call does. */
  why_last_word_ms: 300,
  /** One question of this search: this long, or this share of the rest of the call if that is more. */
  why_probe_ms: 2_000,
  why_probe_share: 0.1,
  /** The first question decides the whole again, without which nothing is explained. */
  why_first_share: 0.5,
  /** Sets of cases are looked for in this share of the rest of the call; then sets of lines. */
  why_cases_share: 0.25,
  /** Sets of constraints to drop in one answer: a reader chooses among a few. */
  why_sets_max: 5,
  /** Places of one set in an answer: nobody drops more at once. */
  why_places_max: 50,
  /** Changes of a plan in one answer. */
  changes_shown_max: 200,
  /** Cases of what_if. */
  what_if_cases_max: 20,
  /** The message and each line of a case, and how many lines it names. */
  case_text_chars_max: 1_000,
  case_lines_max: 20,
  /** Sets that the search looks at for those of one size; each takes microseconds without a question. */
  why_visits_max: 20_000,
  /** A checker looks at values in milliseconds; so much of the call, or this share, is kept for it. */
  checker_ms_max: 10_000,
  checker_kept_ms: 2_000,
  /** What it says of all solutions of an answer together: a reader needs no more. */
  violations_max: 200,
  /** Changed answers on which a checker is tested, and the time for it. */
  mutants_max: 50,
  mutants_ms_max: 3_000,
  /** The number of those that it does not notice which are given to the model, as it can allow them. */
  mutants_asked_max: 6,
  /** The time of all these questions: at most this, and this share of what is left. */
  mutants_asked_ms_max: 10_000,
  mutants_asked_share: 0.25,
  /** Large answers have fewer, since the server's own process makes them: the number of values, or terms of atoms, in all of them. */
  mutants_values_max: 2_000_000,
  mutants_atoms_max: 20_000,
  checker_kept_share: 0.1,
  /** The share of the time for the fewest changes of a plan, before the objective of the model itself. */
  keep_first_share: 0.6,
  /** The share of the time for solving the model itself before a plan is put into it. */
  plan_first_share: 0.4,
  /** Each second engine gets this share of the rest of the call: another one may be asked after it. */
  check_share: 0.5,
  /** Checking the proof of an unsat, if the call does not ask for it: most proofs take a tenth of a second. */
  certificate_ms_max: 5_000,
  /** Item models in one server; past these bounds the one that was not used for the longest time is deleted. */
  models_max: 200,
  /** Text of all of them with their last solutions: at most two bytes a character. */
  models_chars_max: 20_000_000,
  /** A model that was not used for a day belongs to a finished conversation. */
  model_idle_ms_max: 24 * 3_600_000,
  /** Hundreds of items are usual in a large model; each change is checked against all of them. */
  items_max: 2_000,
  /** As in the MCP-Solver project: an item is a piece of a model, not a data file. */
  item_chars_max: 100_000,
  model_chars_max: 1_000_000,
  /** A model that is the text of a file, such as MPS: reading it takes some seconds. */
  file_chars_max: 4_000_000,
  /** Values of a last solution that are kept for `get_solution`, as JSON. */
  solution_chars_max: 1_000_000,
  /** A check takes milliseconds, but the very first one can wait for its engine to be installed. */
  change_ms_max: 300_000,
  /** Steps of a fault about other languages: more of them would hide each other. */
  habits_reported_max: 3,
  /** Refused items that a model remembers, each by its beginning: enough to see what is missing. */
  refused_items_max: 20,
  refused_item_chars_max: 200,
  /** Names and ids that a fault lists: enough to choose from, and still readable. */
  names_listed_max: 20,
  /** Longer values appear in an answer as `model` alone, and not again as `values`. */
  values_twice_chars_max: 2_000,
  /** The end of what a program printed before a fault: enough to see where it was. */
  fault_output_chars_max: 3_000,
  /** Better solutions of a search in one answer: enough to draw a curve. */
  incumbents_max: 30,
  /** Of those within this time the latest is shown. */
  incumbent_ms: 10,
  /** A conflict with more positions than these is too long to be useful. */
  unsat_items_max: 200,
  unsat_item_chars_max: 500,
  /** Findings about a model beside its answer; get_model shows all of them. */
  findings_shown_max: 3,
} as const;
