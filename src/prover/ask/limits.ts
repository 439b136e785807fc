/** Bounds of proofs. */
export const prover_limits = {
  /** One question of a proof, which asks hundreds: what is not decided in this time mostly never is. */
  query_ms_max: 2_000,
  /** The same for one goal among many. */
  single_query_ms_max: 500,
  /** A proof works on terms for so long at a stretch; then the process attends to its other calls. */
  turn_ms_max: 15,
  /** A function is read as terms in one stretch; two hundred branches were seen to take 120 ms. */
  stretch_ms_max: 500,
  /** Questions with known answers take milliseconds, natively; the embedded build warms itself with them. */
  canary_ms_max: 5_000,
  /** Z3 minds its own time limit only now and then; it is killed so long after it. */
  grace_ms: 500,
} as const;
