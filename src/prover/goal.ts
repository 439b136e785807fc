/** The goals that the prover accepts, and its possible verdicts. */

import type { Limit, Proven, Undecided } from "../kernel/verdict.ts";
import type { PythonValue } from "./inputs.ts";

/** A test in the code, identified by its expression's position, with one of its outcomes; or a line of statements. */
export type Target =
  | {
      readonly kind: "outcome";
      readonly line: number;
      readonly column: number;
      readonly end_line: number;
      readonly end_column: number;
      readonly outcome: boolean;
    }
  | { readonly kind: "line"; readonly line: number };

export type Goal =
  /** No call that meets the preconditions ends with one of these exceptions or a subclass of one. */
  | { readonly kind: "never_raises"; readonly function: string; readonly exceptions: "any" | readonly string[] }
  /**
   * Every call that meets the preconditions (icontract's `require`, the docstring's `pre:`, asserts at the very
   * beginning) terminates. It returns a value of the annotated type or raises an allowed exception, and meets `ensure`,
   * `post:` and all other asserts.
   */
  | { readonly kind: "meets_contract"; readonly function: string; readonly allowed?: readonly string[] }
  /** Both functions return the same value of the same type, or raise an exception of the same class. */
  | { readonly kind: "equivalent"; readonly function_a: string; readonly function_b: string }
  | { readonly kind: "never_reached"; readonly function: string; readonly target: Target };

/** The method and the assumptions of a proof. */
export interface Evidence {
  /** The proof method, see docs/proofs.md. */
  readonly method: "same_code" | "direct" | "induction" | "invariants" | "unwinding" | "recursion";
  readonly engine: string;
  readonly assumptions: readonly string[];
  /** The questions that Z3 answered with unsat. Each can be rechecked on its own. */
  readonly smt: readonly string[];
  /** A hash of all questions in `smt`. */
  readonly sha256: string;
  /** The engines that gave the same answers to all of these questions. Set only if another engine was asked. */
  readonly confirmed_by?: readonly string[];
  readonly unconfirmed?: string;
}

/** An input that may refute the claim. It counts as a refutation only after CPython has run it. */
export interface Candidate extends Undecided {
  readonly cause: "unconfirmed";
  /** The arguments, in the order of the parameters. */
  readonly inputs: readonly PythonValue[];
  readonly obligations?: Obligations;
}

/** Code that the prover can't read. */
export interface Refusal extends Undecided {
  readonly cause: "unsupported";
  /** The unsupported construct, worded to follow "the prover does not support". */
  readonly construct: string;
  readonly line: number;
  /** The source text of the construct, if its position is known. */
  readonly source: string | undefined;
}

export const obligation_kinds = [
  "on entry",
  "kept",
  "assertion",
  "postcondition",
  "index in range",
  "no exception",
  "precondition of a call",
  "result type",
  "ends",
] as const;
/**
 * What must be proved. An invariant must hold when the loop begins ("on entry"), and each iteration must preserve it
 * ("kept").
 */
export type ObligationKind = (typeof obligation_kinds)[number];

/** The values of variables, by name. */
export type State = Readonly<Record<string, PythonValue>>;

/** An obligation that a proof by given invariants left open. */
export interface OpenObligation {
  readonly kind: ObligationKind;
  readonly line: number;
  /** The source text of the condition or line. */
  readonly source: string;
  /** The exception that must not be raised, if no condition implies it. */
  readonly exception?: string;
  /**
   * A state that satisfies all known facts but violates the obligation. `before` is the state before the iteration, or
   * the arguments if the obligation is outside a loop; `after` is the state where the obligation is violated.
   */
  readonly state: { readonly before: State; readonly after: State } | null;
  /** Whether a call can reach this state. */
  readonly reachable: boolean | null;
}

/** How far a proof by given invariants got. */
export interface Obligations {
  /** The number of obligations that follow if the open ones hold. */
  readonly proven: number;
  readonly open: readonly OpenObligation[];
  /** The obligations for which no time was left. */
  readonly undecided: readonly { readonly line: number; readonly source: string }[];
  /** Variables that a loop changes but that none of its invariants mentions. */
  readonly unmentioned: readonly { readonly line: number; readonly names: readonly string[] }[];
  /** An operation that is not modelled: an open obligation need not hold for every result of it. */
  readonly unmodelled?: { readonly line: number; readonly construct: string } | undefined;
}

export interface NoProof extends Undecided {
  readonly cause: Limit | "incomplete";
  readonly obligations?: Obligations;
}

/** The prover's verdict. The prover alone never refutes a goal. */
export type Verdict = Proven<Evidence> | Candidate | Refusal | NoProof;
