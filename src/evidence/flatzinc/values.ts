import type { Solution } from "../../engines/minizinc/read.ts";
import { evaluate } from "./evaluate.ts";
import type { FlatZinc } from "./parse.ts";
import { valuesIn } from "./solution.ts";

/** The result of evaluating a solver's solutions in exact arithmetic. */
export interface SolutionCheck {
  /** A constraint on integers or truth values that a solution violates. */
  readonly broken: string | undefined;
  /** The largest violation of float constraints, relative to their numbers. */
  readonly excess: number;
  /** Names of constraints that can't be checked. */
  readonly unchecked: readonly string[];
  /** The objective of the last solution, if it could be computed. */
  readonly objective: number | undefined;
}

/** The maximum number of constraints evaluated for one answer, starting from the last solution. */
const constraints_max = 200_000;

/** Evaluates the constraints of a compiled model on solutions. */
export function checkSolutions(
  compiled: FlatZinc,
  solutions: readonly (Pick<Solution, "values"> & Partial<Solution>)[],
): SolutionCheck {
  const each_costs = Math.max(1, compiled.constraints.length);
  const count = Math.max(1, Math.floor(constraints_max / each_costs));
  const checks = solutions.slice(-count).map(({ values }) => evaluate(compiled, valuesIn(compiled, values)));
  return {
    broken: checks.find(({ broken }) => broken !== undefined)?.broken,
    excess: Math.max(0, ...checks.map(({ excess }) => excess)),
    objective: checks.at(-1)?.objective?.toNumber(),
    unchecked: [...new Set(checks.flatMap(({ unchecked }) => unchecked))],
  };
}
