/** Bounds of the Lean tools; those of the tactic daemon are in src/engines/limits.ts. */
export const lean_limits = {
  /** Tactics of one answer, which appear in it twice. */
  tactics_answer_chars_max: 20_000,
  /** Recorded outcomes of tactics; the oldest are dropped first. */
  outcomes_max: 5_000,
  /** Proofs whose steps are tracked, and the steps of one. */
  proofs_max: 100,
  proof_steps_max: 200,
  /** A longer tactic is not remembered: there are few of them, and they would fill the file. */
  tactic_chars_max: 1_000,
  /** States of one search together. */
  search_chars_max: 8_000_000,
  /** Items of one `lean_multi_attempt`. */
  items_max: 64,
  /** First words of tactics in one answer. */
  heads_listed_max: 20,
  searches_max: 50,
  search_nodes_max: 5_000,
  search_nodes_default: 100,
  search_depth_max: 64,
  /** A search in the server's own Lean; its state is kept for the next call. */
  search_ms_max: 300_000,
  /** Imports of a whole library from a cold disk; then one tactic. */
  repl_start_ms_max: 300_000,
  repl_tactic_ms_max: 12_000,
} as const;
