/** The values that terms have in a run. */

/** An array: its values at some indices, and its value everywhere else. */
export interface Held {
  readonly items: ReadonlyMap<bigint, Concrete>;
  readonly rest: Concrete;
}

export type Concrete = bigint | boolean | number | Held;
