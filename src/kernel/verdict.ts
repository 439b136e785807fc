/** What a solver can decide. A limit is never one of the decided words. */
export type Decided = "sat" | "unsat";

/**
 * Why a question stays undecided. The solver's own words (`incomplete quantifiers`, `memout`…) pass
 * through as they are; the reasons that Verdict gives itself are these.
 */
export const OPEN_REASONS = {
  timeout: "timeout",
  memory: "memory limit",
  output: "output limit",
} as const;

/** The one kind of answer: decided, or undecided with its reason. */
export type Verdict = { readonly status: Decided } | { readonly status: "unknown"; readonly reason: string };

/** The verdict of a question that was not decided, with its reason. */
export function undecided(reason: string): Verdict {
  return { status: "unknown", reason };
}
