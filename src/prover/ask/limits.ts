/** Limits of proofs. */
export const prover_limits = {
  /**
   * The time limit of one question: this long, or this share of the remaining time if that is more. A proof asks
   * hundreds of questions.
   */
  query_ms_min: 2_000,
  query_share: 0.1,
  /** The share of a question's time limit for one goal among many. */
  single_query_share: 0.25,
  /** The share of the remaining time that another engine gets to confirm a proof. The rest is for the answer. */
  confirm_share: 0.8,
  /** The maximum memory of a prover thread. */
  thread_mb_max: 1_000,
  /**
   * How long after its time limit Z3 is killed: it checks the limit only now and then. The same holds for a prover
   * thread.
   */
  grace_ms: 500,
} as const;
