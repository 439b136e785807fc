/**
 * Proves properties of functions in a fragment of Python, for all inputs of their annotated types.
 *
 * `proven` is a proof. A `candidate` is only a hint: the caller replays it in CPython before it reports anything.
 * Before the caller reports a proof, it also tries inputs at the boundaries of the types. This is cheap, and catches
 * errors of the prover.
 */

import { enginesDisagree } from "../engines/disagreement.ts";
import type { AskOther } from "../engines/smt/second.ts";
import type { Deadline } from "../kernel/deadline.ts";
import { undecided } from "../kernel/verdict.ts";
import { Canaries } from "./ask/canaries.ts";
import { prover_limits } from "./ask/limits.ts";
import { Queries, type Solves } from "./ask/queries.ts";
import type { Evidence, Goal, Refusal, Verdict } from "./goal.ts";
import { Proof, sameCode } from "./proof.ts";
import { readProgram } from "./python/program.ts";
import { Unsupported } from "./python/refusal.ts";
import type { SyntaxTree } from "./python/tree.ts";

export { isShownByContract, raising } from "./absence.ts";
export { meanings } from "./claims.ts";
export type { Candidate, Evidence, Goal, Obligations, OpenObligation, Refusal, Target, Verdict } from "./goal.ts";
export { obligation_kinds } from "./goal.ts";
export type { PythonValue } from "./inputs.ts";
export { floatOfBits } from "./logic/evaluate.ts";
export { SyntaxTree } from "./python/tree.ts";

/** Tries to prove goals. */
export interface Proves {
  /**
   * Tries to prove a goal before the deadline. Raises `cancelled` and `busy`, and raises `engines_disagree` if another
   * engine contradicts a proof.
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
    if (goal.kind === "equivalent" && tree.same) return { kind: "proven", proof: sameCode(tree.python) };
    const queries = new Queries(this.#z3, deadline, this.#canaries);
    const two = goal.kind === "equivalent";
    // An unsupported construct can still be the same in both functions. Finding this is faster than reasoning about the
    // contents of dicts and sets.
    const readings: Parameters<typeof readProgram>[1][] = two
      ? [{ mappings: false }, { congruent: true }, { mappings: true }]
      : [{ mappings: true }, { congruent: true, mappings: true }];
    try {
      let refused: Unsupported | undefined;
      for (const reading of readings) {
        const verdict = await unlessRefused(() => new Proof(readProgram(tree, reading), queries).of(goal));
        if (!(verdict instanceof Unsupported)) {
          if (!reading?.congruent || verdict.kind === "proven") return verdict;
          if (!two && refused && "obligations" in verdict && verdict.obligations) {
            const { line, construct } = refused;
            return { ...verdict, obligations: { ...verdict.obligations, unmodelled: { line, construct } } };
          }
        } else if (!refused || (two && reading?.congruent)) refused = verdict;
      }
      if (!refused) throw new Error("the last reading has an answer, or refuses");
      return refusal(refused, refused.sourceIn(tree.text));
    } finally {
      queries.close();
    }
  }
}

async function unlessRefused(prove: () => Promise<Verdict>): Promise<Verdict | Unsupported> {
  try {
    return await prove();
  } catch (error) {
    if (error instanceof Unsupported) return error;
    throw error;
  }
}

/** Adds another engine's opinion on a proof's questions to the proof. A proof without questions needs none. */
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
      "the proof is withdrawn: test the function on your own inputs",
      "write the function in smaller parts, and ask about each",
      "without VERDICT_PROVER_CHECK the first engine's proof is given alone",
    ],
  );
}

function refusal({ construct, line }: Unsupported, source: string | undefined): Refusal {
  const reason = `line ${line}: the prover does not support ${construct}${source ? ` (\`${source}\`)` : ""}`;
  return { ...undecided("unsupported", reason), construct, line, source };
}
