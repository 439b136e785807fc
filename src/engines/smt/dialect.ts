/** The theories of SMT-LIB, as far as solvers differ in them. */
export type Theory =
  | "arrays"
  | "bit-vectors"
  | "floating point"
  | "integers"
  | "reals"
  | "strings"
  | "sequences"
  | "datatypes"
  | "functions"
  | "uninterpreted sorts"
  | "quantifiers"
  | "recursive functions";

/** What a run of a script needs of its solver. */
export interface Needs {
  /** The smallest logic that has all of it, such as QF_NRA, or ALL. */
  readonly logic: string;
  /** Whether assertions are to be tracked. */
  readonly cores: boolean;
  /** Whether there is more than one check, or a push. */
  readonly incremental: boolean;
}

/** The part of SMT-LIB that a solver reads, where that is less than what Z3 does. */
export interface Dialect {
  readonly theories: ReadonlySet<Theory>;
  /** Commands besides those of `standard_commands`. */
  readonly commands: ReadonlySet<string>;
  /** The commands that begin a script. */
  prologue(needs: Needs): string;
}

/** What every solver understands and means in the same way. */
export const standard_commands: ReadonlySet<string> = new Set([
  ..."assert declare-const declare-fun declare-sort define-const define-fun define-sort".split(" "),
  ..."push pop reset-assertions check-sat check-sat-assuming get-value get-model get-unsat-core echo exit".split(" "),
]);
