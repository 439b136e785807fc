/** The limits for item models, their languages and their answers. */
export const model_limits = {
  /** The maximum number of each model's solutions to compare with the other model's. */
  compared_max: 24,
  /**
   * The maximum number of a model's solutions to test in the other model, if that model has more than the compared
   * ones.
   */
  probed_max: 8,
  /** The maximum length of a solution's values in a sentence about it. */
  difference_chars_max: 400,
  /** The maximum time for reading data files. */
  read_data_ms_max: 60_000,
  /** The maximum number of solutions to count one by one, which takes most engines minutes. */
  counted_max: 100_000,
  /**
   * The maximum number of solutions to count with MiniZinc, which prints each solution as JSON; each one is then
   * checked.
   */
  minizinc_counted_max: 10_000,
  /** The maximum number of solutions in one answer; nobody reads more. */
  solutions_max: 1_000,
  /**
   * A model that is decided within this time needs no check. A slower model is checked while it is being solved. On two
   * processors, this slows down both, by half for a small model.
   */
  check_delay_ms: 2_000,
  /**
   * The maximum time for a check, which usually takes a fifth of a second; a model that occupies the compiler for
   * longer is rejected.
   */
  minizinc_check_ms_max: 60_000,
  /**
   * The time for one question in the search for a conflict, or the share of the call's remaining time below if that is
   * longer.
   */
  minizinc_conflict_probe_ms: 2_000,
  minizinc_conflict_probe_share: 0.1,
  /**
   * The time for finding the cases in a conflict, or the share of the call's remaining time below if that is longer.
   */
  minizinc_cases_ms: 20_000,
  minizinc_cases_share: 0.1,
  /** The time for which one solver searches alone, which is enough for most models. */
  minizinc_trial_ms: 300,
  /** The interval at which Verdict checks whether a processor is free for another solver. */
  minizinc_join_ms: 1_000,
  /** The share of a call's time after which other solvers run beside CP-SAT if there is no solution yet. */
  minizinc_silent_share: 0.25,
  /** The largest share of a call's time that is reserved for compiling the model again, to check the values found. */
  minizinc_compile_share: 0.1,
  /** The maximum number of other solvers that an answer recommends. */
  solvers_named_max: 3,
  /**
   * The time for finding the conflicting constraints after the verdict, or the share of the call's remaining time below
   * if that is longer.
   */
  asp_conflict_ms: 5_000,
  asp_conflict_share: 0.25,
  /** The maximum number of cases into which a statement is split; one with more cases is left out only as a whole. */
  cases_max: 2_000,
  /** The maximum time for grounding a program again to find the numbers that its rules build up. */
  asp_ground_ms_max: 5_000,
  /** How long before the end of the call the search for an explanation ends. */
  why_last_word_ms: 300,
  /**
   * The time for one question in the search for an explanation, or the share of the call's remaining time below if that
   * is longer.
   */
  why_probe_ms: 2_000,
  why_probe_share: 0.1,
  /**
   * The share of the time for the first question, which decides the whole model again; without its answer, nothing is
   * explained.
   */
  why_first_share: 0.5,
  /** The share of the call's remaining time for finding sets of cases, before sets of lines. */
  why_cases_share: 0.25,
  /** The maximum number of droppable constraint sets in one answer; a reader needs only a few to choose from. */
  why_sets_max: 5,
  /** The maximum number of places in one droppable set; nobody drops more at once. */
  why_places_max: 50,
  /** The maximum number of changes to a plan in one answer. */
  changes_shown_max: 200,
  /** The maximum number of `what_if` cases. */
  what_if_cases_max: 20,
  /** The maximum length of a case's message and of each line in it, and the maximum number of lines. */
  case_text_chars_max: 1_000,
  case_lines_max: 20,
  /**
   * The maximum number of sets that the search examines per size; a set takes microseconds if no question is asked
   * about it.
   */
  why_visits_max: 20_000,
  /**
   * The maximum time for a checker, which usually takes milliseconds, and the part of the call's time that is reserved
   * for it.
   */
  checker_ms_max: 10_000,
  checker_kept_ms: 2_000,
  /** The maximum number of violations reported for all of an answer's solutions together; a reader needs no more. */
  violations_max: 200,
  /** The maximum number of changed answers with which to test a checker, and the maximum time for this test. */
  mutants_max: 50,
  mutants_ms_max: 3_000,
  /** The maximum number of unnoticed changes to test in the model, which may allow them. */
  mutants_asked_max: 6,
  /**
   * The maximum time for testing unnoticed changes in the model; the share of the remaining time below is a maximum as
   * well.
   */
  mutants_asked_ms_max: 10_000,
  mutants_asked_share: 0.25,
  /**
   * The maximum number of values, or of terms in atoms, in all changed answers together. Large answers are changed
   * fewer times, since the server's own process makes the changes.
   */
  mutants_values_max: 2_000_000,
  mutants_atoms_max: 20_000,
  checker_kept_share: 0.1,
  /** The share of the time for finding the fewest changes to a plan, before the model's own objective is optimised. */
  keep_first_share: 0.6,
  /** The share of the time for solving the model itself before a plan is tested in it. */
  plan_first_share: 0.4,
  /**
   * The maximum time for checking an unsat proof if the call did not request it; most proofs take a tenth of a second.
   */
  certificate_ms_max: 5_000,
  /**
   * The maximum number of item models per server. Beyond this limit, or the next one, the least recently used model is
   * deleted.
   */
  models_max: 200,
  /** The maximum total length of all models and their last solutions; a character takes at most two bytes. */
  models_chars_max: 20_000_000,
  /** The maximum time that a model stays unused; after a day, it belongs to a finished conversation. */
  model_idle_ms_max: 24 * 3_600_000,
  /**
   * The maximum number of items in a model; a large model often has hundreds, and each change is checked against all of
   * them.
   */
  items_max: 2_000,
  /** The maximum length of an item; as in the MCP-Solver project, an item is a piece of a model, not a data file. */
  item_chars_max: 100_000,
  model_chars_max: 1_000_000,
  /** The maximum length of a model that is given as a file, such as an MPS file, which takes seconds to read. */
  file_chars_max: 4_000_000,
  /** The maximum length, as JSON, of the last solution's values that are kept for `get_solution`. */
  solution_chars_max: 1_000_000,
  /**
   * The maximum time for a change. Its check takes milliseconds, but the very first check may wait for an engine to be
   * installed.
   */
  change_ms_max: 300_000,
  /** The maximum number of steps about other languages in one fault; with more, none of them would be noticed. */
  habits_reported_max: 3,
  /**
   * The maximum number of rejected items that a model remembers, each by its beginning, so that missing parts are
   * visible.
   */
  refused_items_max: 20,
  refused_item_chars_max: 200,
  /** The maximum number of names or ids listed in a fault: enough to choose from, and still readable. */
  names_listed_max: 20,
  /**
   * The maximum length of values that appear in an answer twice, as `model` and as `values`; longer values appear only
   * as `model`.
   */
  values_twice_chars_max: 2_000,
  /** The maximum length of program output shown before a fault: enough to see how far the program got. */
  fault_output_chars_max: 3_000,
  /** The maximum number of a search's better solutions in one answer: enough to draw a curve. */
  incumbents_max: 30,
  /** The minimum interval between better solutions; of several within this time, only the latest is shown. */
  incumbent_ms: 10,
  /** The maximum number of positions in a conflict; with more, it is too long to be useful. */
  unsat_items_max: 200,
  unsat_item_chars_max: 500,
  /** The maximum number of findings about a model in an answer; get_model shows all of them. */
  findings_shown_max: 3,
} as const;
