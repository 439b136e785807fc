import { namesFloats } from "../../../../../evidence/flatzinc/trust.ts";
import type { Edit } from "../../../items/edits.ts";
import type { Outcome } from "../../../language.ts";
import { model_limits } from "../../../limits.ts";
import { explained, knownAmong } from "../../../why/outcome.ts";
import type { Call } from "../acceptance/acceptance.ts";
import { type Model, readModel } from "../model.ts";
import { anySolution, keeping, partOf, partsOf, placeOf, removable, type Solving, solveEdit } from "./part.ts";
import { relaxed } from "./relax.ts";

/** The outcome with its explanation, if the call asks for one, found by leaving out constraints. Raises `cancelled`. */
export async function explainedBy(call: Call, outcome: Outcome, solving: (call: Call) => Solving): Promise<Outcome> {
  const { model, context } = call;
  return explained(outcome, context, async (about) => {
    // A plan's values are never left out.
    const own = context.options.plan ? model.items.length - 1 : model.items.length;
    const all = removable(model).filter(({ item }) => item < own);
    // To explain an optimum, a constraint replaces the objective.
    const constraints = about === "optimum" ? all.filter(({ tokens }) => tokens[0]?.text === "constraint") : all;
    const better = about === "optimum" ? betterOnly(model, outcome, hasFloats(call)) : anySolution(model);
    if (better === undefined) return "why: the best value is not a number, so nothing is explained.";
    const data = await solving(call).dataFiles();
    const part = { ...call, data };
    const deadline = context.deadline.atMost(context.deadline.left_ms * model_limits.why_probe_share);
    const kept = await partsOf(constraints, { ...call, data, deadline });
    const parts = kept.map((part) => ({ place: placeOf(part.statement, [part], model.items) }));
    return {
      parts,
      monotone: true,
      known: knownAmong(parts, outcome.verdict),
      async ask(subset, deadline) {
        const some = subset.flatMap((index) => kept[index] ?? []);
        const items = keeping(model.items, kept, some, better);
        return { verdict: await solving(partOf(part, readModel(items), deadline)).decided() };
      },
      relax: (set, deadline) =>
        relaxed({
          ...{ model, all: kept, set: set.flatMap((index) => kept[index] ?? []), goal: better },
          solve: async (items) => solving(partOf(part, readModel(items), deadline)).finding(),
        }),
    };
  });
}

function hasFloats({ model, context }: Call): boolean {
  return [model.source, JSON.stringify(context.options.data ?? {})].some(namesFloats);
}

/**
 * For floats, a value counts as better only if it differs by more than this share, which is the precision of the known
 * optimum.
 */
const float_distance = 1e-6;

/**
 * Replaces the solve item by the constraint that the objective is better than the optimum. Undefined if the optimum is
 * not a number.
 */
function betterOnly(model: Model, { verdict }: Outcome, has_floats: boolean): Edit[] | undefined {
  const best: unknown = verdict.kind === "sat" ? verdict.best?.value : undefined;
  const is_number = typeof best === "number" || (typeof best === "string" && /^-?\d+$/.test(best));
  if (!is_number) return undefined;
  const sign = model.goal === "minimize" ? "<" : ">";
  const distance = has_floats ? Math.max(1, Math.abs(Number(best))) * float_distance : 0;
  const limit = distance === 0 ? `${best}` : `${best} ${sign === "<" ? "-" : "+"} ${distance.toFixed(12)}`;
  const edit = solveEdit(model, (objective) => `constraint (${objective}\n) ${sign} ${limit}; solve satisfy;`);
  return edit && [edit];
}
