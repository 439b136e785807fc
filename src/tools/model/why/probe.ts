export interface Probed<Part = number> {
  /** `open` is everything that is not proved: a limit, an unconfirmed claim, a crash. */
  readonly verdict: "sat" | "unsat" | "open";
  /** Of an unsat: parts among the kept ones that have no solution either, in their order. */
  readonly core?: readonly Part[];
}

/** What the search works with. Parts are given by their indices, or as they are. */
export interface Search<Part = number> {
  /** One question: has the model a solution with only these parts of it? */
  readonly probe: (subset: readonly Part[]) => Promise<Probed<Part>>;
  /** Whether leaving out more parts can only add solutions. */
  readonly monotone: boolean;
  /** Whether there is time for another question. */
  readonly hasTime: () => boolean;
}

/** The search among all parts of a model. */
export interface WholeSearch extends Search {
  /** How many parts can be left out. */
  readonly count: number;
}
