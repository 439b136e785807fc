/** What a checker says of an answer: a function in Python that was written from the question, and not from the model. */
export interface Checked {
  /** `failed`: it did not check the values, or there is no checker; `reason` says why. */
  readonly status: "passed" | "violated" | "failed";
  readonly violations: readonly string[];
  readonly reason: string | null;
  /** The checker itself. */
  readonly text: string | null;
}
