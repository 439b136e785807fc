import { edited } from "../../../items/edits.ts";
import type { ItemLine } from "../../../language.ts";
import { model_limits } from "../../../limits.ts";
import { byStatement, type Narrowed, narrow, narrowCases } from "../../../why/parts.ts";
import { decide, doubtOf } from "../acceptance/decide.ts";
import { type Model, sourceOf } from "../model.ts";
import type { Question, Reply } from "../question.ts";
import { type Statement, statementsOf } from "../source/source.ts";
import { truths } from "../source/truths.ts";
import { keeping, type Part, placeOf } from "./cases.ts";
import { anySolution, removable } from "./part.ts";

/** How the search for a conflict queries the solver, and its time limit. */
export interface Probing {
  readonly ask: (question: Question) => Promise<Reply>;
  /** The remaining time of the call. */
  readonly left_ms: () => number;
  /** The solver that found that there is no solution. */
  readonly solver: string;
  /** Whether exact arithmetic confirms that there is no solution. */
  readonly confirm: (question: Question) => Promise<boolean>;
  /** The cases of these statements. */
  readonly casesOf: (statements: readonly Statement[]) => Promise<readonly Part[]>;
}

/** A small set of constraints, and of their cases, that conflict; as small as the call's time allows. */
export async function findConflict(
  model: Model,
  question: Question,
  { ask, left_ms, solver, confirm, casesOf }: Probing,
): Promise<{ items?: ItemLine[]; warnings: string[] }> {
  const all = removable(model).map((statement): Part => ({ statement }));
  if (all.length === 0) return { warnings: ["There is no constraint: the declarations alone are unsatisfiable."] };
  const left = () => left_ms() - model_limits.minizinc_last_word_ms;
  const goal = anySolution(model);
  let rests_on_doubt = false;
  const questionOf = (kept: readonly Part[], among: readonly Part[], time_ms: number): Question => {
    const items = keeping(model.items, among, kept, goal);
    const rewritten = edited(items, truths(statementsOf(items)));
    const source = sourceOf(model.tail.includes("_by_verdict") ? rewritten : items, model.tail);
    return { source, data: question.data, solver, time_ms };
  };
  const probe = async (kept: readonly Part[], among: readonly Part[]) => {
    const share = left() * model_limits.minizinc_conflict_probe_share;
    const time_ms = Math.min(Math.max(model_limits.minizinc_conflict_probe_ms, share), left());
    if (time_ms <= 0) return "open";
    const verdict = verdictOf(await ask(questionOf(kept, among, time_ms)));
    rests_on_doubt ||= verdict === "doubtful";
    return verdict === "no" ? "open" : "unsat";
  };
  const lines = await narrow(all, { monotone: true, hasTime: () => left() > 0, probe });
  if (!lines.smallest && lines.parts.length === all.length && all.length > 1)
    return {
      warnings: [no_time("to find the conflicting constraints; to find them, delete items one by one and solve again")],
    };
  const end_ms = left() - Math.max(model_limits.minizinc_cases_ms, left() * model_limits.minizinc_cases_share);
  const parts = lines.smallest ? await casesOf(lines.parts.map(({ statement }) => statement)) : lines.parts;
  const cases = await narrowCases(lines, parts, {
    monotone: true,
    hasTime: () => left() > Math.max(0, end_ms),
    probe,
  });
  const isConfirmed = async ({ parts, all: among }: Narrowed<Part>) =>
    !rests_on_doubt || (await confirm(questionOf(parts, among, left())));
  const found = (await isConfirmed(cases)) ? cases : (await isConfirmed(lines)) ? lines : undefined;
  if (!found)
    return {
      warnings: [
        "The conflicting constraints could not be confirmed; to find them, delete items one by one and solve again.",
      ],
    };
  if (found.parts.length === 0)
    return { warnings: ["The declarations alone are unsatisfiable, without any constraint."] };
  const items = [...byStatement(found.parts)].map(([statement, own]) => placeOf(statement, own, model.items));
  const warnings = found.smallest
    ? []
    : [no_time("to make the set of conflicting constraints minimal: some of them may not be needed for the conflict")];
  return { items, warnings };
}

function no_time(what: string): string {
  return `There was no time left ${what}. Or raise timeout_ms.`;
}

/** Whether a run answered unsat, and whether its claim is accepted; a fault or a limit counts as "no". */
function verdictOf(reply: Reply): "unsat" | "doubtful" | "no" {
  const { ending } = reply.end;
  if (reply.answer.errors.length > 0 || ending.kind !== "exited" || ending.code !== 0 || reply.solutions_seen > 0)
    return "no";
  const decision = decide(reply);
  if (decision.kind === "unsat") return "unsat";
  return doubtOf(decision).length > 0 ? "doubtful" : "no";
}
