export interface Probed<Part = number> {
  /** `open` covers everything that is not proved: a limit, an unconfirmed claim, a crash. */
  readonly verdict: "sat" | "unsat" | "open";
  /** For an unsat: the kept parts that together already have no solution, in order. */
  readonly core?: readonly Part[];
}

/** The operations that a search needs. Parts are given by index, or directly. */
export interface Search<Part = number> {
  /** Asks one question: whether the model has a solution with only these parts. */
  readonly probe: (subset: readonly Part[]) => Promise<Probed<Part>>;
  /** Whether leaving out more parts can only add solutions. */
  readonly monotone: boolean;
  /** Whether there is time for another question. */
  readonly hasTime: () => boolean;
}

/** A search among all parts of a model. */
export interface WholeSearch extends Search {
  /** The number of removable parts. */
  readonly count: number;
}
