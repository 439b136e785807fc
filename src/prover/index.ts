/**
 * Proofs about functions of a fragment of Python, on all inputs of their annotated types.
 *
 * `proven` is a proof. A `candidate` is only a hint: the caller replays it in CPython before it reports anything. The
 * caller also tries inputs at the boundaries of the types before it reports a proof: this is cheap, and catches errors
 * of the prover.
 */

import { enginesDisagree } from "../engines/disagreement.ts";
import type { AskOther } from "../engines/smt/second.ts";
import type { Deadline } from "../kernel/deadline.ts";
import { type Limit, type Proven, type Undecided, undecided } from "../kernel/verdict.ts";
import { Canaries } from "./ask/canaries.ts";
import { prover_limits } from "./ask/limits.ts";
import { Queries, type Solves } from "./ask/queries.ts";
import type { PythonValue } from "./inputs.ts";
import { Proof } from "./proof.ts";
import { readProgram } from "./python/program.ts";
import { Unsupported } from "./python/refusal.ts";
import type { SyntaxTree } from "./python/tree.ts";

export { meanings } from "./claims.ts";
export type { PythonValue } from "./inputs.ts";
export { SyntaxTree } from "./python/tree.ts";

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
  readonly method: "direct" | "induction" | "unwinding" | "recursion";
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

/** An input that may refute the claim. It is no refutation before CPython has run it. */
export interface Candidate extends Undecided {
  readonly cause: "unconfirmed";
  /** In the order of the parameters. */
  readonly inputs: readonly PythonValue[];
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

interface NoProof extends Undecided {
  readonly cause: Limit | "incomplete";
}

/** The prover alone refutes nothing. */
export type Verdict = Proven<Evidence> | Candidate | Refusal | NoProof;

/** Tries to prove goals. */
export interface Proves {
  /**
   * Tries to prove a goal before the deadline. Raises `cancelled` and `busy`, and `engines_disagree` where another engine
   * contradicts a proof.
   */
  prove(tree: SyntaxTree, goal: Goal, deadline: Deadline): Promise<Verdict>;
}

/** Proves goals with one Z3, in this thread. */
export class Prover implements Proves {
  readonly #z3: Solves;
  readonly #canaries = new Canaries();

  constructor(z3: Solves) {
    this.#z3 = z3;
  }

  async prove(tree: SyntaxTree, goal: Goal, deadline: Deadline): Promise<Verdict> {
    const queries = new Queries(this.#z3, deadline, this.#canaries);
    try {
      return await new Proof(readProgram(tree), queries).of(goal);
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      return refusal(error, error.sourceIn(tree.text));
    } finally {
      queries.close();
    }
  }
}

/** A proof with what another engine says to its questions; a proof without questions needs none. */
export async function confirmed(proof: Evidence, ask: AskOther, deadline: Deadline): Promise<Evidence> {
  if (proof.smt.length === 0) return proof;
  const opinion = await ask(proof.smt, deadline.atMost(deadline.left_ms * prover_limits.confirm_share));
  if (opinion.kind === "unsat") return { ...proof, confirmed_by: [opinion.engine] };
  if (opinion.kind === "undecided") return { ...proof, unconfirmed: opinion.why };
  const which = `question ${opinion.question + 1} of ${proof.smt.length} of the proof`;
  throw enginesDisagree(
    [
      { engine: proof.engine, answer: `unsat to ${which}` },
      { engine: opinion.engine, answer: "sat" },
    ],
    [
      "the proof is withdrawn: test the function on inputs of your own",
      "write the function in smaller parts, and ask about each",
      "without VERDICT_PROVER_CHECK the first engine's proof is given alone",
    ],
  );
}

function refusal({ construct, line }: Unsupported, source: string | undefined): Refusal {
  const reason = `line ${line}: the prover does not support ${construct}${source ? ` (\`${source}\`)` : ""}`;
  return { ...undecided("unsupported", reason), construct, line, source };
}
