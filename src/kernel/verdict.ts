/** What a solver can decide. A limit is never one of the decided words. */
export type Decided = "sat" | "unsat";

/**
 * Why a question stays open. The solver's own words (`incomplete quantifiers`, `memout`…) pass
 * through as they are; the reasons that Verdict gives itself are these.
 */
export const OPEN_REASONS = {
  timeout: "timeout",
  memory: "memory limit",
  output: "output limit",
} as const;

/** The one kind of answer: decided, or open with its reason. */
export type Verdict = { readonly status: Decided } | { readonly status: "unknown"; readonly reason: string };

/** The open verdict with the given reason. */
export function open(reason: string): Verdict {
  return { status: "unknown", reason };
}
