/** The result of a checker: a Python function written from the question, not from the model. */
export interface Checked {
  /** `failed` means that the values could not be checked or that there is no checker; `reason` says why. */
  readonly status: "passed" | "violated" | "failed";
  readonly violations: readonly string[];
  readonly reason: string | null;
  /** The checker's source. */
  readonly text: string | null;
}
