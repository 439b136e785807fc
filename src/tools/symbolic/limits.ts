/** Bounds of questions about Python code. */
export const symbolic_limits = {
  /** A function and what it calls; whole programs are not explored. */
  code_bytes_max: 64 * 1024,
  /** One version of a module, from the gate: only what the function reaches is loaded. */
  module_bytes_max: 256 * 1024,
  /** The name of a function or of a class. */
  name_chars_max: 1_000,
  /** The memory limit that the specification sets for one exploration. */
  memory_bytes_max: 2 * 1024 ** 3,
  /** Trying boundary values takes some hundredths of a second; a slow function gets this share of the time. */
  probe_share: 0.2,
  probe_ms_max: 5_000,
  /** A call that took too long is tried again with this share of the time, to find out whether it terminates. */
  patience_share: 0.1,
  patience_ms_max: 2_000,
  /** Reserved for replaying the last candidates. */
  replay_reserve_ms: 500,
  /** One replay: an input that was found by symbolic execution usually runs quickly. */
  replay_ms_max: 10_000,
  /** Candidates that wait for their replay; explorers offer few of a kind. */
  candidates_max: 200,
  /** The part of the time for a proof that a function raises nothing, where one exception is in question. */
  contract_share: 0.5,
  /** Boundary values and short proofs decide most questions in less, when they need not share the processors. */
  prover_waits_ms: 30,
  explorer_waits_ms: 60,
  /** After a first witness others can follow, each with another violation. */
  settle_ms_min: 300,
  /**
   * After a proof: engines that refute it usually do so soon, and most answers should not wait for one that never
   * finishes.
   */
  objections_ms_min: 50,
  objections_ms_max: 1_000,
  /** Witnesses in one answer. */
  witnesses_max: 20,
} as const;
