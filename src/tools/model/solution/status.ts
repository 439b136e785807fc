import type { SolveVerdict, Values } from "../language.ts";

/** Returns the status for a verdict; a time limit has its own status. */
export function statusOf(verdict: SolveVerdict): "sat" | "unsat" | "unknown" | "timeout" {
  if (verdict.kind !== "undecided") return verdict.kind;
  return verdict.cause === "time" || verdict.cut_by === "time" ? "timeout" : "unknown";
}

/**
 * Returns the values of a solution, or the values that the program exported with another verdict; null if there are
 * none.
 */
export function valuesOf(verdict: SolveVerdict): Values | null {
  if (verdict.kind !== "sat") return verdict.stated ?? null;
  return "values" in verdict.witness ? verdict.witness.values : null;
}
