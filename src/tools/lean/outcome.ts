import * as z from "zod/v4";
import { cut } from "../../kernel/cut.ts";
import { Fault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import { normalState } from "../../solvers/tactic/state.ts";

/** Items of what `lean_multi_attempt` answers, as an argument: its listing is short, and what is in them is read later. */
export const items = z
  .array(z.looseObject({ snippet: z.string() }), {
    error: "items must be the list that lean_multi_attempt answers: each has a snippet.",
  })
  .max(limits.lean_items_max, { error: `items may have ${limits.lean_items_max} attempts.` });

/** Raises `invalid_input` for items of another form. */
export function readItems(given: z.output<typeof items>): AttemptItem[] {
  const read = z.array(AttemptItem).safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Fault(
    "invalid_input",
    `items are not those of lean_multi_attempt: ${issue?.path.join(".")}: ${issue?.message}.`,
    ["send its items word for word"],
  );
}

/** One of them. */
const AttemptItem = z.looseObject({
  snippet: z.string(),
  goals: z.array(z.union([z.string(), z.looseObject({})])).nullish(),
  diagnostics: z
    .array(
      z.looseObject({
        severity: z.union([z.string(), z.number()]).nullish(),
        message: z.string().default(""),
        lean_tags: z.array(z.string()).nullish(),
      }),
    )
    .nullish(),
  timed_out: z.boolean().nullish(),
  proof_status: z.string().nullish(),
});
export type AttemptItem = z.output<typeof AttemptItem>;

/**
 * What an attempt came to. `closed` means that no goals are left and that Lean said nothing more: some
 * ways of running a snippet show a failure just so, so that it counts only when the whole file compiles.
 */
export type Verdict = "proved" | "closed" | "progress" | "no_progress" | "failed" | "timed_out";

export interface Outcome {
  readonly tactic: string;
  readonly verdict: Verdict;
  /** The state after it, where goals are left. */
  readonly state: string | null;
  readonly goals: number;
  /** What Lean said against it. */
  readonly message: string | null;
}

/** Reads what an attempt in this state came to. */
export function judge(item: AttemptItem, before: string): Outcome {
  const diagnostics = item.diagnostics ?? [];
  // That goals are left is no error of the tactic.
  const against = diagnostics.filter((each) => isError(each.severity) && !each.lean_tags?.includes("unsolvedGoals"));
  const state = stateOf(item.goals ?? []);
  const common = {
    tactic: item.snippet.trim(),
    state,
    goals: item.goals?.length ?? 0,
    message: against[0] ? cut(against[0].message, limits.fault_quote_chars_max) : null,
  };
  if (item.timed_out) return { ...common, verdict: "timed_out", state: null };
  if (against.length > 0 || item.proof_status?.startsWith("Error"))
    return { ...common, verdict: "failed", state: null };
  if (state !== null) return { ...common, verdict: state === before ? "no_progress" : "progress" };
  return { ...common, verdict: isConfirmed(item) ? "proved" : "closed" };
}

function isConfirmed({ diagnostics, proof_status }: AttemptItem): boolean {
  const all = diagnostics ?? [];
  if (all.some(({ message }) => /declaration uses .?sorry/.test(message))) return false;
  return proof_status === "Completed" || all.some(({ lean_tags }) => lean_tags?.includes("goalsAccomplished"));
}

/** Language servers count severities from 1 for errors. */
function isError(severity: string | number | null | undefined): boolean {
  return severity === 1 || (typeof severity === "string" && severity.toLowerCase() === "error");
}

function stateOf(goals: readonly unknown[]): string | null {
  if (goals.length === 0) return null;
  try {
    return normalState(goals, "all");
  } catch (error) {
    // "no goals" stands in the list of goals, in some versions.
    if (error instanceof Fault) return null;
    throw error;
  }
}

/** The first word of a tactic, under which its successes are counted: `simp only [h]` is a `simp`. */
export function headOf(tactic: string): string {
  return /^[·.\s(]*([^\s([{⟨,;:·]+)/u.exec(tactic)?.[1] ?? tactic.slice(0, 20);
}
