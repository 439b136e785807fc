import { Clauses, negated } from "./clauses.ts";
import { Propagation } from "./propagation.ts";
import { Malformed, readSteps, type Step } from "./steps.ts";

/** The result of checking a proof that clauses have no solution. */
export type Checked =
  | {
      readonly verdict: "checked";
      /** The number of clauses added and checked before the contradiction was reached. */
      readonly steps: number;
      /** The number of added clauses that do not follow by unit propagation, but preserve satisfiability (RAT). */
      readonly rat_steps: number;
    }
  | { readonly verdict: "refused"; readonly reason: string };

/**
 * Checks a DRAT proof forwards, from its first step. Each added clause must follow from earlier clauses by unit
 * propagation (RUP), or preserve satisfiability (RAT on its first literal). The proof is accepted as soon as unit
 * propagation alone finds a contradiction.
 *
 * A deletion is ignored if the clause does not exist or is the only reason for a permanent assignment. Keeping a clause
 * never makes an accepted step wrong.
 */
export function check(formula: readonly (readonly number[])[], proof: Uint8Array): Checked {
  const checker = new Checker();
  for (const clause of formula) checker.state(clause);
  if (checker.is_contradictory) return { verdict: "checked", steps: 0, rat_steps: 0 };
  let number = 0;
  try {
    for (const step of readSteps(proof)) {
      number++;
      if (!checker.take(step))
        return {
          verdict: "refused",
          reason: `step ${number} adds a clause (${show(step)}) that neither follows from the previous clauses nor can be added without losing solutions`,
        };
      if (checker.is_contradictory) return { verdict: "checked", steps: checker.steps, rat_steps: checker.rat_steps };
    }
  } catch (error) {
    if (error instanceof Malformed) return { verdict: "refused", reason: `the proof is damaged: ${error.message}` };
    throw error;
  }
  return { verdict: "refused", reason: `the proof ends after ${number} steps without a contradiction` };
}

const literals_shown_max = 8;

function show({ literals }: Step): string {
  const first = literals.slice(0, literals_shown_max).join(" ");
  if (literals.length === 0) return "the empty one";
  return literals.length > literals_shown_max ? `${first} … of ${literals.length} literals` : first;
}

class Checker {
  steps = 0;
  rat_steps = 0;
  /** Whether unit propagation has found a contradiction. */
  is_contradictory = false;
  readonly #clauses = new Clauses();
  readonly #propagation = new Propagation(this.#clauses);

  /** Adds a clause without checking it. */
  state(written: readonly number[]): void {
    const literals = this.#clauses.read(written);
    // A tautology adds nothing.
    if (literals) this.#add(literals);
  }

  /** Applies a step; returns false if the step is not allowed. */
  take({ adds, literals: written }: Step): boolean {
    const literals = this.#clauses.read(written);
    this.#propagation.grow();
    if (!literals) return true;
    if (!adds) {
      this.#delete(literals);
      return true;
    }
    this.steps++;
    const permanent = this.#propagation.depth;
    const allowed = this.#follows(literals) || this.#keepsSatisfiable(literals);
    this.#propagation.undoTo(permanent);
    if (allowed) this.#add(literals);
    return allowed;
  }

  #add(literals: Int32Array): void {
    const clause = this.#clauses.add(literals);
    this.#propagation.grow();
    this.is_contradictory ||= !this.#propagation.watch(clause) || !this.#propagation.propagate();
  }

  #delete(literals: Int32Array): void {
    const clause = this.#clauses.find(literals);
    if (clause !== undefined && !this.#isReason(literals)) this.#clauses.delete(clause);
  }

  /**
   * Whether a clause has exactly one true literal and no unassigned one, so that permanent assignments may depend on
   * it.
   */
  #isReason(literals: Int32Array): boolean {
    const values = Array.from(literals, (each) => this.#propagation.value(each));
    return values.filter((value) => value > 0).length === 1 && !values.includes(0);
  }

  /** Whether the negation of a clause leads to a contradiction; the caller undoes the assumptions. */
  #follows(literals: Iterable<number>): boolean {
    for (const each of literals) if (!this.#propagation.assume(negated(each))) return true;
    return !this.#propagation.propagate();
  }

  /** Whether each resolvent of a clause on its first literal follows, assuming the clause's negation. */
  #keepsSatisfiable(literals: Int32Array): boolean {
    const [pivot] = literals;
    if (pivot === undefined) return false;
    const supposed = this.#propagation.depth;
    const against = negated(pivot);
    for (let clause = 0; clause < this.#clauses.count; clause++) {
      const other = this.#clauses.at(clause);
      if (!other?.includes(against)) continue;
      const follows = this.#follows(other.filter((each) => each !== against));
      this.#propagation.undoTo(supposed);
      if (!follows) return false;
    }
    this.rat_steps++;
    return true;
  }
}
