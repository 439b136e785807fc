import type { ItemLine } from "../../../language.ts";
import { model_limits } from "../../../limits.ts";
import { decide, doubtOf } from "../belief/decide.ts";
import { type Model, sourceOf } from "../model.ts";
import type { Question, Reply } from "../question.ts";
import type { Statement } from "../source/source.ts";
import { removable } from "./part.ts";

/** Constraints that can't hold together. */
export interface Conflict {
  readonly constraints: readonly Statement[];
  /** Whether each of them is needed for the conflict. */
  readonly smallest: boolean;
}

/** So few are best taken away one by one. */
const few = 8;

/**
 * Removes constraints while the others still conflict: first many at once, then fewer. The remaining set was answered
 * unsat itself, by the last question or by the first one. If an answer is undecided, the constraints stay, so limits
 * make the set larger and never wrong.
 */
export async function narrow(
  all: readonly Statement[],
  conflicts: (constraints: readonly Statement[]) => Promise<boolean>,
  timeLeft: () => boolean,
): Promise<Conflict> {
  let conflicting = all;
  const first_size = all.length <= few ? 1 : Math.ceil(all.length / 2);
  for (let size = first_size; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < conflicting.length; ) {
      if (!timeLeft()) return { constraints: conflicting, smallest: false };
      const fewer = conflicting.toSpliced(at, size);
      if (await conflicts(fewer)) conflicting = fewer;
      else at += size;
    }
  }
  return { constraints: conflicting, smallest: timeLeft() };
}

/** The text without these statements; every offset stays the same. Without an objective, any solution is the goal. */
export function without(items: readonly string[], removed: readonly Statement[]): string[] {
  return items.map((text, item) =>
    removed
      .filter((statement) => statement.item === item)
      .reduce((rest, { start, end, tokens }) => {
        const left = tokens[0]?.text === "solve" ? "solve satisfy;" : "";
        return rest.slice(0, start) + left + blank(rest.slice(start + left.length, end)) + rest.slice(end);
      }, text),
  );
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}

/** The positions of the constraints, as an answer shows them. */
export function placesOf(constraints: readonly Statement[], items: readonly string[]): ItemLine[] {
  return constraints.map(({ item, line, start, end }) => {
    const text = (items[item] ?? "").slice(start, end).replaceAll(/\s+/g, " ");
    return { item, line, text };
  });
}

/** How the search for a conflict asks the solver, and its time limit. */
export interface Probing {
  readonly ask: (question: Question) => Promise<Reply>;
  /** How much of the call's time is left. */
  readonly left_ms: () => number;
  /** The solver that found no solution. */
  readonly solver: string;
  /** Whether exact arithmetic confirms that there is no solution. */
  readonly confirm: (question: Question) => Promise<boolean>;
}

/** The constraints that can't hold together, as few of them as the time of the call allows. */
export async function findConflict(
  model: Model,
  question: Question,
  { ask, left_ms, solver, confirm }: Probing,
): Promise<{ items?: ItemLine[]; warnings: string[] }> {
  const { items, tail } = model;
  const all = removable(model);
  if (all.length === 0) return { warnings: ["There is no constraint: the declarations alone are unsatisfiable."] };
  const left = () => left_ms() - model_limits.minizinc_last_word_ms;
  let rests_on_doubt = false;
  const questionOf = (subset: readonly Statement[], time_ms: number) => {
    const removed = all.filter((statement) => !subset.includes(statement));
    return { source: sourceOf(without(items, removed), tail), data: question.data, solver, time_ms };
  };
  const conflicts = async (subset: readonly Statement[]) => {
    const share = left() * model_limits.minizinc_conflict_probe_share;
    const time_ms = Math.min(Math.max(model_limits.minizinc_conflict_probe_ms, share), left());
    if (time_ms <= 0) return false;
    const verdict = verdictOf(await ask(questionOf(subset, time_ms)));
    rests_on_doubt ||= verdict === "doubtful";
    return verdict !== "no";
  };
  const { constraints, smallest } = await narrow(all, conflicts, () => left() > 0);
  if (rests_on_doubt && !(await confirm(questionOf(constraints, left()))))
    return {
      warnings: [
        "The conflicting constraints could not be confirmed; to find them, delete items one by one and solve again.",
      ],
    };
  if (constraints.length === 0)
    return { warnings: ["The declarations alone are unsatisfiable, without any constraint."] };
  if (!smallest && constraints.length === all.length && all.length > 1)
    return {
      warnings: [no_time("to find the conflicting constraints; to find them, delete items one by one and solve again")],
    };
  const warnings = smallest
    ? []
    : [no_time("to make the set of conflicting constraints minimal: some of them may not be needed for the conflict")];
  return { items: placesOf(constraints, items), warnings };
}

function no_time(what: string): string {
  return `There was no time left ${what}. Or raise timeout_ms.`;
}

/** Whether a run answered unsat, and its solver's claim is accepted; a fault or a limit counts as no. */
function verdictOf(reply: Reply): "unsat" | "doubtful" | "no" {
  const { ending } = reply.end;
  if (reply.answer.errors.length > 0 || ending.kind !== "exited" || ending.code !== 0 || reply.solutions_seen > 0)
    return "no";
  const decision = decide(reply);
  if (decision.kind === "unsat") return "unsat";
  return doubtOf(decision).length > 0 ? "doubtful" : "no";
}
