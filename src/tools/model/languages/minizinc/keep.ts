import { optimises } from "../../../../evidence/minizinc/asking.ts";
import { edited } from "../../../../kernel/text/edits.ts";
import type { Found, Outcome } from "../../language.ts";
import { model_limits } from "../../limits.ts";
import { few_changes } from "../questions/ask.ts";
import { partOf, solveEdit } from "./explain/part.ts";
import type { Call } from "./model.ts";
import { type Model, readModel } from "./model.ts";
import { changes_name } from "./plan.ts";

/** The outcome with the fewest changes found to a plan, the cost of these changes, and a lower bound on that cost. */
export interface KeptOutcome {
  readonly outcome: Outcome;
  readonly changes?: { readonly cost: number; readonly bound: number };
}

/**
 * Solves a model that contains the variable from `keepItem` twice: first for the fewest changes, then for the model's
 * own objective with that number of changes. Raises the same faults as solving.
 */
export async function keeping(call: Call, outcomeOf: (call: Call) => Promise<Outcome>): Promise<KeptOutcome> {
  const { model, context } = call;
  const has_goal = optimises(model);
  const share = context.deadline.left_ms * (has_goal ? model_limits.keep_first_share : 1);
  const first = await outcomeOf(partOf(call, fewestOf(model), context.deadline.atMost(share)));
  if (first.verdict.kind !== "sat") return { outcome: first };
  const { best, objective_bound = 0, ...found } = withoutChanges(first.verdict);
  const cost = Number(best?.value);
  const changes = {
    cost,
    bound: best?.proved === true ? cost : Math.max(0, Math.min(cost - 1, Math.ceil(objective_bound))),
  };
  if (!has_goal) return { outcome: { ...first, verdict: found }, changes };
  const bounded = readModel([...model.items, `constraint ${changes_name} <= ${cost};`]);
  const second = await outcomeOf(partOf(call, bounded, context.deadline));
  const { verdict } = second;
  if (verdict.kind !== "sat")
    return { outcome: { ...first, verdict: { ...found, best: { value: null, proved: false } } }, changes };
  const own = withoutChanges(verdict);
  const among = own.best && { best: { ...own.best, among: few_changes } };
  return { outcome: { ...second, verdict: { ...own, ...among } }, changes };
}

/** Makes the fewest changes the model's goal; its own objective must still have a value. */
function fewestOf(model: Model): Model {
  const edit = solveEdit(model, (objective) => {
    const value = objective.trim() === "" ? "" : `constraint (${objective}\n) = (${objective}\n); `;
    return `${value}solve minimize ${changes_name};`;
  });
  return readModel(edit ? edited(model.items, [edit]) : [...model.items, `solve minimize ${changes_name};`]);
}

function withoutChanges(found: Found): Found {
  const { witness } = found;
  if (!("values" in witness)) return found;
  const { [changes_name]: _, ...values } = witness.values;
  return { ...found, witness: { values } };
}
