/** One question of the search: has the model a solution with only these parts of it, given by their indices? */
export type Probe = (subset: readonly number[]) => Promise<Probed>;

export interface Probed {
  /** `open` is everything that is not proved: a limit, a doubt, a crash. */
  readonly verdict: "sat" | "unsat" | "open";
  /** Of an unsat: parts among the kept ones that have no solution either, in their order. */
  readonly core?: readonly number[];
}

/** What the search works with. */
export interface Search {
  /** How many parts can be left out. */
  readonly count: number;
  readonly probe: Probe;
  /** Whether leaving out more parts can only add solutions. */
  readonly monotone: boolean;
  /** Whether there is time for another question. */
  readonly hasTime: () => boolean;
}
