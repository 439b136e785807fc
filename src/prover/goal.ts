/** What can be asked of the prover, and what it can answer. */

import type { Limit, Proven, Undecided } from "../kernel/verdict.ts";
import type { PythonValue } from "./inputs.ts";

/** A test in the code with one of its outcomes, by the position of its expression; or a line of statements. */
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
  /** No call that meets the preconditions ends with one of these exceptions or a class below one. */
  | { readonly kind: "never_raises"; readonly function: string; readonly exceptions: "any" | readonly string[] }
  /**
   * Every call that meets the preconditions (icontract's `require`, `pre:` of the docstring, asserts at the very
   * beginning) returns a value of the annotated type, or raises an allowed exception, meets `ensure`, `post:` and all
   * other asserts, and terminates.
   */
  | { readonly kind: "meets_contract"; readonly function: string; readonly allowed?: readonly string[] }
  /** Both return the same value of the same type, or raise the same class. */
  | { readonly kind: "equivalent"; readonly function_a: string; readonly function_b: string }
  | { readonly kind: "never_reached"; readonly function: string; readonly target: Target };

/** The method and the assumptions of a proof. */
export interface Evidence {
  /** The method: see docs/proofs.md. */
  readonly method: "direct" | "induction" | "invariants" | "unwinding" | "recursion";
  readonly engine: string;
  readonly assumptions: readonly string[];
  /** The questions that Z3 answered with unsat, each to be checked again by itself. */
  readonly smt: readonly string[];
  /** A hash of these texts. */
  readonly sha256: string;
  /** The engines that answered all of these questions in the same way, and why none did; only where they are asked. */
  readonly confirmed_by?: readonly string[];
  readonly unconfirmed?: string;
}

/** An input that may refute the claim. It is not a refutation before CPython has run it. */
export interface Candidate extends Undecided {
  readonly cause: "unconfirmed";
  /** In the order of the parameters. */
  readonly inputs: readonly PythonValue[];
  readonly obligations?: Obligations;
}

/** Code that the prover can't read. */
export interface Refusal extends Undecided {
  readonly cause: "unsupported";
  /** Continues "the prover does not support". */
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
/** What has to be shown: of an invariant, that it holds when the loop begins, and that each iteration keeps it. */
export type ObligationKind = (typeof obligation_kinds)[number];

/** Variables by their names. */
export type State = Readonly<Record<string, PythonValue>>;

/** An obligation that a proof by given invariants left open. */
export interface OpenObligation {
  readonly kind: ObligationKind;
  readonly line: number;
  /** The condition, or the line. */
  readonly source: string;
  /** What must not be raised, if no condition says it. */
  readonly exception?: string;
  /**
   * A state that satisfies all that was known and breaks it: before the iteration, or the arguments outside of loops, and
   * where it is broken.
   */
  readonly state: { readonly before: State; readonly after: State } | null;
  /** Whether a call comes to this state. */
  readonly reachable: boolean | null;
}

/** How far a proof by given invariants came. */
export interface Obligations {
  /** Those that follow, if the open ones hold. */
  readonly proven: number;
  readonly open: readonly OpenObligation[];
  /** Those for which no time was left. */
  readonly undecided: readonly { readonly line: number; readonly source: string }[];
  /** Variables that a loop changes, and that none of its invariants mentions. */
  readonly unmentioned: readonly { readonly line: number; readonly names: readonly string[] }[];
  /** An operation without a model: what is open need not hold for each result of it. */
  readonly unmodelled?: { readonly line: number; readonly construct: string } | undefined;
}

export interface NoProof extends Undecided {
  readonly cause: Limit | "incomplete";
  readonly obligations?: Obligations;
}

/** The prover alone refutes nothing. */
export type Verdict = Proven<Evidence> | Candidate | Refusal | NoProof;
