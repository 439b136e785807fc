/** Limits of the Lean tools. The limits of the tactic daemon are in src/engines/limits.ts. */
export const lean_limits = {
  /** The maximum length of all tactics in one answer, in which they appear twice. */
  tactics_answer_chars_max: 20_000,
  /** The maximum number of recorded outcomes of tactics. The oldest are dropped first. */
  outcomes_max: 5_000,
  /** The maximum number of proofs whose steps are tracked, and the maximum number of steps per proof. */
  proofs_max: 100,
  proof_steps_max: 200,
  /** Longer tactics are not recorded: they are rare, and would fill the file. */
  tactic_chars_max: 1_000,
  /** The maximum total length of the states in one search. */
  search_chars_max: 8_000_000,
  /** The maximum number of items in one `lean_multi_attempt`. */
  items_max: 64,
  /** The maximum number of first words of tactics in one answer. */
  heads_listed_max: 20,
  searches_max: 50,
  search_nodes_max: 5_000,
  search_nodes_default: 100,
  search_depth_max: 64,
  /** The time limit of a search in the server's own Lean. Its state is kept for the next call. */
  search_ms_max: 300_000,
  /** The time limit for importing a whole library from a cold disk; then the time limit of one tactic. */
  repl_start_ms_max: 300_000,
  repl_tactic_ms_max: 12_000,
} as const;
