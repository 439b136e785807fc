/** The SMT-LIB theories in which solvers differ. */
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

/** What a script needs from its solver. */
export interface Needs {
  /** The smallest logic that covers the whole script, such as QF_NRA or ALL. */
  readonly logic: string;
  /** Whether assertions must be tracked for unsat cores. */
  readonly cores: boolean;
  /** Whether there is more than one check, or a push. */
  readonly incremental: boolean;
}

/** The part of SMT-LIB that a solver supports, if it supports less than Z3. */
export interface Dialect {
  readonly theories: ReadonlySet<Theory>;
  /** The supported commands in addition to `standard_commands`. */
  readonly commands: ReadonlySet<string>;
  /** The commands that begin a script. */
  prologue(needs: Needs): string;
}

/** The commands that all solvers support with the same meaning. */
export const standard_commands: ReadonlySet<string> = new Set([
  ..."assert declare-const declare-fun declare-sort define-const define-fun define-sort".split(" "),
  ..."push pop reset-assertions check-sat check-sat-assuming get-value get-model get-unsat-core echo exit".split(" "),
]);
