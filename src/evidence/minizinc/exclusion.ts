import type { Solution } from "../../engines/minizinc/read.ts";
import { checkSolutions } from "../flatzinc/values.ts";
import { type AskedModel, isBetter } from "./asking.ts";
import { type Decision, nameOf } from "./decide.ts";
import type { Standard } from "./question.ts";

/** A solver's claim that there is no solution, or no better one than its own. */
export interface Excluding {
  readonly solver: string;
  readonly decision: Decision;
  readonly goal: AskedModel["goal"];
}

/**
 * Compares a claim with a solution that it excludes, found by another solver: `is_wrong` if the solution violates the
 * compiled model. Undefined if the claim does not exclude the solution.
 */
export async function excludedBy(
  { solver, decision, goal }: Excluding,
  solution: Solution | undefined,
  found_by: string,
  compile: () => Promise<Standard | undefined>,
): Promise<{ readonly note: string; readonly is_wrong: boolean } | undefined> {
  const claimed = decision.kind === "sat" ? decision.witness : undefined;
  if (!solution || (claimed && !isBetter(solution, claimed, goal))) return undefined;
  const claim = claimed ? `that ${String(claimed.objective)} is the best value` : "that there is no solution";
  const other = claimed ? "a better solution" : "a solution";
  const standard = await compile();
  const is_wrong = standard !== undefined && checkSolutions(standard.model, [solution]).broken !== undefined;
  const end = is_wrong ? "That solution violates the model, and is not used." : "The claim was discarded.";
  return { is_wrong, note: `${nameOf(solver)} claimed ${claim}, but ${found_by} has ${other}. ${end}` };
}
