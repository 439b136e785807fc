/** The checker's literals: twice the variable's index, plus one if negated. */
export type Literal = number;

export const negated = (literal: Literal): Literal => literal ^ 1;

/** The clauses available to a proof, found by number or by their literals. */
export class Clauses {
  readonly #indices = new Map<number, number>();
  /** The literals of each clause by its number; undefined for a deleted clause. The first two literals are watched. */
  readonly #literals: (Int32Array | undefined)[] = [];
  readonly #by_hash = new Map<number, number[]>();

  get variables(): number {
    return this.#indices.size;
  }

  get count(): number {
    return this.#literals.length;
  }

  /** Returns the literals of a clause, or undefined if it was deleted. The checker changes the literals' order. */
  at(clause: number): Int32Array | undefined {
    return this.#literals[clause];
  }

  /** Reads a clause's literals in order, without duplicates; undefined if it contains a variable and its negation. */
  read(written: readonly number[]): Int32Array | undefined {
    const literals = new Set(written.map((each) => this.#literal(each)));
    for (const each of literals) if (literals.has(negated(each))) return undefined;
    return Int32Array.from(literals);
  }

  /** Stores a clause and returns its number. */
  add(literals: Int32Array): number {
    const clause = this.#literals.push(literals) - 1;
    const hash = hashOf(literals);
    const same = this.#by_hash.get(hash);
    if (same) same.push(clause);
    else this.#by_hash.set(hash, [clause]);
    return clause;
  }

  /** Returns the number of a clause with exactly these literals; undefined if there is none. */
  find(literals: Int32Array): number | undefined {
    const wanted = new Set(literals);
    return this.#by_hash.get(hashOf(literals))?.find((clause) => {
      const own = this.#literals[clause];
      return own?.length === wanted.size && own.every((each) => wanted.has(each));
    });
  }

  delete(clause: number): void {
    const literals = this.#literals[clause];
    if (!literals) return;
    const hash = hashOf(literals);
    const left = (this.#by_hash.get(hash) ?? []).filter((each) => each !== clause);
    if (left.length > 0) this.#by_hash.set(hash, left);
    else this.#by_hash.delete(hash);
    this.#literals[clause] = undefined;
  }

  #literal(written: number): Literal {
    const variable = Math.abs(written);
    let index = this.#indices.get(variable);
    if (index === undefined) {
      index = this.#indices.size;
      this.#indices.set(variable, index);
    }
    return 2 * index + (written < 0 ? 1 : 0);
  }
}

/** Returns the same hash for the same literals in any order. */
function hashOf(literals: Int32Array): number {
  let [sum, mix] = [0, 0];
  for (const each of literals) {
    sum = (sum + Math.imul(each + 1, 0x9e3779b1)) | 0;
    mix ^= Math.imul(each + 7, 0x85ebca6b);
  }
  return (Math.imul(sum, 31) ^ mix) | 0;
}
