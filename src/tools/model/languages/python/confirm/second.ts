import type { Drat } from "../../../../../engines/drat/index.ts";
import type { SmtSolver } from "../../../../../engines/smt/solver.ts";

/** Engines outside of Python, which confirm what was found in it. */
export interface Others {
  readonly z3: SmtSolver;
  readonly cvc5: SmtSolver;
  readonly drat: Drat;
}
