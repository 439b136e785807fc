import type { Claim } from "../flatzinc/claim.ts";
import type { SolutionCheck } from "../flatzinc/values.ts";

/**
 * Warns of rounding errors that no check after compilation can detect, if a model could not be compiled with its
 * decimals as variables.
 */
export const rounding_note =
  "MiniZinc's compiler computed and compared decimal parameters in rounded floats (0.1*3 = 0.3 is false there). If these values depend on such a comparison, compare whole numbers (cents instead of 0.01).";

/** Returns the remark on values with which the model's own text was not evaluated. */
export function evaluationNote(why: string): string {
  return `The values were checked only in the compiled model, not in the model's own text: ${why}.`;
}

/** Returns notes on a solution's floats, after they were checked in exact arithmetic. */
export function excessNotes({ excess, unchecked }: SolutionCheck, solver: string): string[] {
  const open =
    unchecked.length > 0 ? [`These constraints could not be checked: ${unchecked.slice(0, 5).join(", ")}.`] : [];
  if (excess === 0) return open;
  return [
    `Floats are rounded: the values of ${solver} satisfy the constraints within a relative tolerance of ${excess.toExponential(0)}, not exactly.`,
    ...open,
  ];
}

/** Returns the note on a claim that another engine proved in exact arithmetic. */
export function proofNotes(claim: Claim): string[] {
  if (claim.kind === "unsat") return ["Confirmed by Z3 in exact arithmetic: there is no solution."];
  if (claim.kind === "all") return ["Confirmed by Z3 in exact arithmetic: there are no other solutions."];
  if (claim.tolerance.over === 0n) return ["Confirmed by Z3 in exact arithmetic: no solution is better."];
  const by = claim.tolerance.toNumber().toExponential(0);
  return [
    `Confirmed by Z3 in exact arithmetic: no solution is better by more than ${by}, which is floating-point noise.`,
  ];
}

/** Explains why a solver's best value is not reported as optimal. */
export function betterNote(claim: Claim, is_strict: boolean): string {
  if (claim.kind === "all") return "There are more solutions: Z3 finds others in exact arithmetic.";
  return is_strict
    ? "There are better solutions, in exact arithmetic. A strict inequality (<, >, !=) between floats has no best value at its boundary: write <= or >=, or require a meaningful difference."
    : "There are better solutions: Z3 finds them in exact arithmetic.";
}
