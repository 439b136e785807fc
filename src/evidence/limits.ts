/** Limits of the checks of answers. */
export const evidence_limits = {
  /**
   * How long before the deadline MiniZinc must finish, with its last bounds, so that its values can be checked. If the
   * share of the remaining time below is shorter, the share applies instead.
   */
  minizinc_last_word_ms: 700,
  minizinc_last_word_share: 0.25,
  /**
   * The maximum share of the remaining time in which Z3 finds out whether only rounding allows a solution; a proof
   * follows.
   */
  minizinc_refute_share: 0.25,
  /**
   * The time for evaluating the model's own text with a solution's values; the share above applies if that is longer.
   */
  minizinc_evaluation_ms: 5_000,
  /** The share of the call's remaining time for each second engine, since another one may follow. */
  check_share: 0.5,
} as const;
