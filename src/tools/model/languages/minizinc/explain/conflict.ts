import { evidence_limits } from "../../../../../evidence/limits.ts";
import type { Statement } from "../../../../../evidence/minizinc/statements.ts";
import type { Items } from "../../../items/items.ts";
import type { ItemLine } from "../../../language.ts";
import { model_limits } from "../../../limits.ts";
import { byStatement, type Narrowed, narrow, narrowCases } from "../../../why/parts.ts";
import type { Model } from "../model.ts";
import { anySolution, keeping, type Part, placeOf, removable } from "./part.ts";

/** How the search for a conflict decides parts of the model, and its time limit. */
export interface Probing {
  /** Whether a solver finds no solution of these items; "doubted" if its claim alone is not accepted. */
  readonly claimed: (items: Items, time_ms: number) => Promise<"unsat" | "doubted" | "open">;
  /** Whether it is proved that these items have no solution. */
  readonly confirmed: (items: Items) => Promise<boolean>;
  /** The time that the call has left. */
  readonly left_ms: () => number;
  /** Splits the given statements into their cases. */
  readonly casesOf: (statements: readonly Statement[]) => Promise<readonly Part[]>;
}

/** Finds a set of conflicting constraints, or cases of them, that is as small as the call's time allows. */
export async function findConflict(
  model: Model,
  { claimed, confirmed, left_ms, casesOf }: Probing,
): Promise<{ items?: ItemLine[]; warnings: string[] }> {
  const all = removable(model).map((statement): Part => ({ statement }));
  if (all.length === 0) return { warnings: ["There is no constraint: the declarations alone are unsatisfiable."] };
  const left = () => left_ms() - evidence_limits.minizinc_last_word_ms;
  const goal = anySolution(model);
  let rests_on_doubt = false;
  const probe = async (kept: readonly Part[], among: readonly Part[]) => {
    const share = left() * model_limits.minizinc_conflict_probe_share;
    const time_ms = Math.min(Math.max(model_limits.minizinc_conflict_probe_ms, share), left());
    const claim = time_ms > 0 ? await claimed(keeping(model.items, among, kept, goal), time_ms) : "open";
    rests_on_doubt ||= claim === "doubted";
    return claim === "open" ? "open" : "unsat";
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
  // A proof takes longer than a claim, so only the result is proved.
  const isConfirmed = async ({ parts, all: among }: Narrowed<Part>) =>
    !rests_on_doubt || (await confirmed(keeping(model.items, among, parts, goal)));
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
