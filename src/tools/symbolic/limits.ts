/** The limits for questions about Python code. */
export const symbolic_limits = {
  /** The maximum size of the code, which should be a function and what it calls; whole programs are not explored. */
  code_bytes_max: 64 * 1024,
  /** One version of a module, from the gate: only what the function reaches is loaded. */
  module_bytes_max: 256 * 1024,
  /** The maximum length of a function's or a class's name. */
  name_chars_max: 1_000,
  /** The memory limit that the specification sets for one exploration. */
  memory_bytes_max: 2 * 1024 ** 3,
  /**
   * The share of the time for trying boundary values, which usually takes some hundredths of a second; only a slow
   * function needs it.
   */
  probe_share: 0.2,
  probe_ms_max: 5_000,
  /** The share of the time for repeating a call that took too long, to find out whether it terminates. */
  patience_share: 0.1,
  patience_ms_max: 2_000,
  /** The time reserved for replaying the last candidates. */
  replay_reserve_ms: 500,
  /** The maximum time for one replay; an input that was found by symbolic execution usually runs quickly. */
  replay_ms_max: 10_000,
  /** The maximum number of candidates that wait to be replayed; explorers offer few of each kind. */
  candidates_max: 200,
  /** The share of the time for proving that a function raises nothing, if the question is about one exception. */
  contract_share: 0.5,
  /**
   * How long the prover and the explorer wait before they start. Boundary values and short proofs decide most questions
   * sooner if they need not share the processors.
   */
  prover_waits_ms: 30,
  explorer_waits_ms: 60,
  /** The minimum time to wait after a first witness, since others may follow, each with another violation. */
  settle_ms_min: 300,
  /**
   * The time to wait after a proof. Engines that refute it usually do so soon, and most answers should not wait for an
   * engine that never finishes.
   */
  objections_ms_min: 50,
  objections_ms_max: 1_000,
  /** The maximum number of combinations of guessed types for which a proof is tried. */
  types_max: 6,
  /** The maximum number of witnesses in one answer. */
  witnesses_max: 20,
} as const;
