import { type Clauses, type Literal, negated } from "./clauses.ts";

/**
 * Unit propagation with two watched literals. Assignments that follow from the clauses alone are permanent; those that a
 * step supposes are undone after it.
 */
export class Propagation {
  readonly #clauses: Clauses;
  /** By literal: 1 if it is true, -1 if it is false, 0 if it is open. */
  #values = new Int8Array(64);
  /** By literal: the clauses that watch it. Deleted clauses are skipped when encountered. */
  readonly #watches: number[][] = [];
  readonly #trail: Literal[] = [];
  #done = 0;

  constructor(clauses: Clauses) {
    this.#clauses = clauses;
  }

  /** The number of assignments: `undoTo` returns to such a number. */
  get depth(): number {
    return this.#trail.length;
  }

  value(literal: Literal): number {
    return this.#values[literal] ?? 0;
  }

  /** Makes room for the current number of variables. */
  grow(): void {
    const size = 2 * this.#clauses.variables;
    while (this.#watches.length < size) this.#watches.push([]);
    if (this.#values.length >= size) return;
    const values = new Int8Array(2 * size);
    values.set(this.#values);
    this.#values = values;
  }

  /** Assigns a literal; false if it is already false. */
  assume(literal: Literal): boolean {
    if (this.value(literal) !== 0) return this.value(literal) > 0;
    this.#values[literal] = 1;
    this.#values[negated(literal)] = -1;
    this.#trail.push(literal);
    return true;
  }

  /** Undoes the assignments after this many. */
  undoTo(depth: number): void {
    for (const literal of this.#trail.splice(depth)) {
      this.#values[literal] = 0;
      this.#values[negated(literal)] = 0;
    }
    this.#done = Math.min(this.#done, depth);
  }

  /**
   * Adds a clause while all assignments are permanent. Returns false if it is false under them;
   * then everything follows.
   */
  watch(clause: number): boolean {
    const literals = this.#clauses.at(clause);
    if (!literals) return true;
    // What is not false comes first: those are watched.
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

  /** Assigns everything that follows; false if a clause becomes false. */
  propagate(): boolean {
    while (this.#done < this.#trail.length) {
      const literal = negated(this.#trail[this.#done++] ?? 0);
      if (!this.#visit(literal)) return false;
    }
    return true;
  }

  /** Visits the clauses that watch a literal that became false. */
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

  /** Lets a clause watch another literal that is not false, if it has one; else the first one is the other watch. */
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
