import * as z from "zod/v4";
import { usesSorry } from "../../engines/lean_repl/read.ts";
import { normalState, saysNoGoals, unwrapped } from "../../engines/tactic/state.ts";
import { Fault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import { cut } from "../../kernel/text/cut.ts";
import { unless } from "../../kernel/unless.ts";
import { lean_limits } from "./limits.ts";

const items_error = "items must be the list that lean_multi_attempt returned: each has snippet, goals and diagnostics.";
const items_many = `items can have at most ${lean_limits.items_max} attempts.`;

/**
 * The argument for the answer of `lean_multi_attempt`, or for its items. Its listing is short, because the contents are
 * parsed later.
 */
export const items = z.union([z.array(z.looseObject({})), z.looseObject({})], { error: items_error });

/** Reads the items. Raises `invalid_input` for items of another form. */
export function readItems(value: unknown): AttemptItem[] {
  const list = unwrapped(value);
  if (!Array.isArray(list) || !list.every(hasSnippet)) throw new Fault("invalid_input", items_error, items_steps);
  if (list.length > lean_limits.items_max) throw new Fault("invalid_input", items_many, items_steps);
  const read = z.array(AttemptItem).safeParse(list);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw otherItems(`${issue?.path.join(".")}: ${issue?.message}`);
  }
  // An item without any of these fields would look like an item that leaves no goals.
  const silent = read.data.findIndex(({ goals, diagnostics, timed_out }) => !goals && !diagnostics && !timed_out);
  if (silent >= 0) throw otherItems(`${silent}: it has no goals, no diagnostics and no timed_out`);
  return read.data;
}

const hasSnippet = (item: unknown) => z.looseObject({ snippet: z.string() }).safeParse(item).success;

const items_steps = [
  "send its items unchanged, with snippet, goals and diagnostics",
  `send at most ${lean_limits.items_max} of them at a time`,
];

function otherItems(why: string): Fault {
  return new Fault("invalid_input", `items are not those of lean_multi_attempt: ${why}.`, items_steps);
}

/** One item of `lean_multi_attempt`. */
const AttemptItem = z.looseObject({
  snippet: z.string(),
  goals: z.array(z.union([z.string(), z.looseObject({})]).nullable()).nullish(),
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
 * The outcome of an attempt. `closed` means that no goals are left and that Lean printed nothing more. Some ways of
 * running a snippet show a failure in the same way, so `closed` counts as a proof only when the whole file compiles.
 */
type Verdict =
  | { readonly verdict: "proved" | "closed"; readonly state: null; readonly message: null }
  /** The state after the attempt; null if its goals can't be read. */
  | { readonly verdict: "progress"; readonly state: string | null; readonly message: null }
  | { readonly verdict: "no_progress"; readonly state: string; readonly message: null }
  /** Lean's error message. */
  | { readonly verdict: "failed"; readonly state: null; readonly message: string }
  | { readonly verdict: "timed_out"; readonly state: null; readonly message: string | null };

export type Outcome = Verdict & { readonly tactic: string; readonly goals: number };

/** Reads the outcome of an attempt in this state. */
export function judge(item: AttemptItem, before: string): Outcome {
  const goals = (item.goals ?? []).filter((goal) => goal !== null && !isNoGoal(goal));
  return { tactic: item.snippet.trim(), goals: goals.length, ...verdictOn(item, goals, before) };
}

function verdictOn(item: AttemptItem, goals: readonly unknown[], before: string): Verdict {
  const message = objection(item, goals.length);
  if (item.timed_out) return { verdict: "timed_out", state: null, message };
  if (message !== null) return { verdict: "failed", state: null, message };
  if (goals.length === 0) return { verdict: isConfirmed(item) ? "proved" : "closed", state: null, message };
  const state = stateOf(goals);
  return state === before ? { verdict: "no_progress", state, message } : { verdict: "progress", state, message };
}

/**
 * Returns the evidence against an attempt, in Lean's words. Remaining goals do not count as evidence, unless they are
 * not shown.
 */
function objection({ diagnostics, proof_status: status }: AttemptItem, goals: number): string | null {
  const lean_messages = diagnostics ?? [];
  const error = lean_messages.find(
    ({ severity, lean_tags }) => isError(severity) && !(goals > 0 && lean_tags?.includes("unsolvedGoals")),
  );
  const hole = lean_messages.find(({ message }) => usesSorry(message));
  const open = status?.startsWith("Error") || (goals === 0 && status?.startsWith("Incomplete")) ? status : undefined;
  const words = error ? error.message || "an error" : (open ?? (goals === 0 ? hole?.message : undefined));
  return words === undefined ? null : cut(words, limits.fault_quote_chars_max);
}

function isConfirmed({ diagnostics, proof_status }: AttemptItem): boolean {
  return (
    proof_status === "Completed" ||
    (diagnostics ?? []).some(({ lean_tags }) => lean_tags?.includes("goalsAccomplished"))
  );
}

/** Whether a severity means an error. Language servers number severities from 1, which is an error. */
function isError(severity: string | number | null | undefined): boolean {
  return severity === 1 || (typeof severity === "string" && severity.toLowerCase() === "error");
}

/** Whether a text says that no goals are left. A goal that can't be parsed still counts as a goal. */
function isNoGoal(goal: unknown): boolean {
  return unless(Fault, () => saysNoGoals(goal)) ?? false;
}

/** Returns the state with these goals; null if they can't be parsed, because a search can't continue from them. */
function stateOf(goals: readonly unknown[]): string | null {
  return unless(Fault, () => normalState(goals, "all")) ?? null;
}

/** Returns the first word of a tactic, under which its successes are counted: `simp only [h]` counts as `simp`. */
export function headOf(tactic: string): string {
  return /^[·.\s(]*([^\s([{⟨,;:·]+)/u.exec(tactic)?.[1] ?? tactic.slice(0, 20);
}
