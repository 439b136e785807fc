/** What one way to prove a claim knows: the summaries of its functions, and what would refute it. */
import type { Refutation } from "./claims.ts";
import type { RecursiveCall } from "./induction/recursion.ts";
import type { Term } from "./logic/term.ts";
import type { Terms } from "./logic/terms.ts";
import type { Argument, Summary } from "./summary.ts";

/** The facts of one attempt. */
export interface Attempt {
  readonly t: Terms;
  readonly args: readonly Argument[];
  readonly summaries: readonly Summary[];
  readonly facts: readonly Term[];
  readonly refutations: readonly Refutation[];
  readonly excluded: Term;
  readonly assumes: readonly string[];
  /** The recursive calls that were assumed to satisfy the claim. */
  readonly calls: readonly RecursiveCall[];
}
