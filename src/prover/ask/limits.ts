/** Bounds of proofs. */
export const prover_limits = {
  /** One question of a proof, which asks hundreds: this long, or this share of the remaining time if that is more. */
  query_ms_min: 2_000,
  query_share: 0.1,
  /** Share of that for one goal among many. */
  single_query_share: 0.25,
  /** The share of the remaining time that another engine gets to confirm a proof: the answer must still be in time. */
  confirm_share: 0.8,
  /** The memory of a thread that proves. */
  thread_mb_max: 1_000,
  /** Z3 checks its own time limit only now and then; it is killed this long after it. So is a thread that proves. */
  grace_ms: 500,
} as const;
