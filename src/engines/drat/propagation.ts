import { type Clauses, type Literal, negated } from "./clauses.ts";

/**
 * Unit propagation with two watched literals. Assignments that follow from the clauses alone are permanent; assignments
 * assumed in a step are undone after the step.
 */
export class Propagation {
  readonly #clauses: Clauses;
  /** Each literal's value: 1 if true, -1 if false, 0 if unassigned. */
  #values = new Int8Array(64);
  /** The clauses that watch each literal. Deleted clauses are skipped when encountered. */
  readonly #watches: number[][] = [];
  readonly #trail: Literal[] = [];
  #done = 0;

  constructor(clauses: Clauses) {
    this.#clauses = clauses;
  }

  /** The current number of assignments, which can be passed to `undoTo` later. */
  get depth(): number {
    return this.#trail.length;
  }

  value(literal: Literal): number {
    return this.#values[literal] ?? 0;
  }

  /** Extends the arrays to the current number of variables. */
  grow(): void {
    const size = 2 * this.#clauses.variables;
    while (this.#watches.length < size) this.#watches.push([]);
    if (this.#values.length >= size) return;
    const values = new Int8Array(2 * size);
    values.set(this.#values);
    this.#values = values;
  }

  /** Makes a literal true; returns false if it is already false. */
  assume(literal: Literal): boolean {
    if (this.value(literal) !== 0) return this.value(literal) > 0;
    this.#values[literal] = 1;
    this.#values[negated(literal)] = -1;
    this.#trail.push(literal);
    return true;
  }

  /** Undoes all assignments after the first `depth`. */
  undoTo(depth: number): void {
    for (const literal of this.#trail.splice(depth)) {
      this.#values[literal] = 0;
      this.#values[negated(literal)] = 0;
    }
    this.#done = Math.min(this.#done, depth);
  }

  /**
   * Adds a clause while all assignments are permanent. Returns false if they make the clause false, which is a
   * contradiction.
   */
  watch(clause: number): boolean {
    const literals = this.#clauses.at(clause);
    if (!literals) return true;
    // Literals that are not false are moved to the front, since the first two are watched.
    let free = 0;
    for (let i = 0; i < literals.length && free < 2; i++) {
      const each = literals[i] ?? 0;
      if (this.value(each) < 0) continue;
      literals[i] = literals[free] ?? 0;
      literals[free++] = each;
    }
    if (literals.length > 1) for (const each of literals.subarray(0, 2)) this.#watches[each]?.push(clause);
    if (free === 0) return false;
    return free > 1 || this.assume(literals[0] ?? 0);
  }

  /** Makes all implied assignments; returns false if a clause becomes false. */
  propagate(): boolean {
    while (this.#done < this.#trail.length) {
      const literal = negated(this.#trail[this.#done++] ?? 0);
      if (!this.#visit(literal)) return false;
    }
    return true;
  }

  /** Visits the clauses that watch a literal which has become false. */
  #visit(literal: Literal): boolean {
    const watching = this.#watches[literal] ?? [];
    let count = 0;
    let holds = true;
    for (let i = 0; i < watching.length; i++) {
      const clause = watching[i] ?? 0;
      const literals = this.#clauses.at(clause);
      if (!literals || (holds && this.#moves(clause, literals, literal))) continue;
      watching[count++] = clause;
      if (!holds) continue;
      const other = literals[0] ?? 0;
      holds = this.assume(other);
    }
    watching.length = count;
    return holds;
  }

  /**
   * Makes a clause watch another literal that is not false, if it has one; otherwise, its first literal is the other
   * watched one.
   */
  #moves(clause: number, literals: Int32Array, literal: Literal): boolean {
    if (literals[0] === literal) {
      literals[0] = literals[1] ?? 0;
      literals[1] = literal;
    }
    const first = literals[0] ?? 0;
    if (this.value(first) > 0) return false;
    for (let k = 2; k < literals.length; k++) {
      const each = literals[k] ?? 0;
      if (this.value(each) < 0) continue;
      literals[1] = each;
      literals[k] = literal;
      this.#watches[each]?.push(clause);
      return true;
    }
    return false;
  }
}
