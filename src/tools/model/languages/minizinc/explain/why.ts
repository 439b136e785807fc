import { namesFloats } from "../../../../../engines/minizinc/flatzinc/trust.ts";
import type { Items } from "../../../items/items.ts";
import type { ItemLine, Outcome } from "../../../language.ts";
import { explained, knownAmong } from "../../../why/outcome.ts";
import type { Probed } from "../../../why/probe.ts";
import type { Call } from "../belief/belief.ts";
import { type Model, readModel } from "../model.ts";
import type { Statement } from "../source/source.ts";
import { placesOf, without } from "./conflict.ts";
import { partOf, removable, withSolveItem } from "./part.ts";

/** Decides a model as a call of its own does: with the doubts about its solvers, and with what removes them. */
export type Decide = (call: Call) => Promise<Probed["verdict"]>;

/** The outcome with its explanation, where the call asks for one: constraints are left out. Raises `cancelled`. */
export async function explainedBy(call: Call, outcome: Outcome, decide: Decide): Promise<Outcome> {
  const { model, context } = call;
  return explained(outcome, context, (about) => {
    const all = removable(model);
    // The optimum is explained by a constraint in place of the objective.
    const constraints = about === "optimum" ? all.filter(({ tokens }) => tokens[0]?.text === "constraint") : all;
    const place = (statement: Statement): ItemLine[] => placesOf([statement], model.items);
    const parts = constraints.flatMap((statement) => place(statement).map((each) => ({ place: each })));
    const better = about === "optimum" ? betterOnly(model, outcome, hasFloats(call)) : (items: Items) => items;
    if (better === undefined) return "why: the best value is not a number, so nothing is explained.";
    return {
      parts,
      monotone: true,
      known: knownAmong(parts, outcome.verdict),
      async ask(subset, deadline) {
        const set = new Set(subset);
        const removed = constraints.filter((_, index) => !set.has(index));
        const part = readModel(better(without(model.items, removed)));
        return { verdict: await decide(partOf(call, part, deadline)) };
      },
    };
  });
}

function hasFloats({ model, context }: Call): boolean {
  return [model.source, JSON.stringify(context.options.data ?? {})].some(namesFloats);
}

/** Of floats, a value counts as better only past this share of it: the best one is known to so many digits. */
const float_distance = 1e-6;

/**
 * Replaces the solve item by the constraint that the objective is better than the best one. Undefined where the best
 * one is not a number.
 */
function betterOnly(model: Model, { verdict }: Outcome, has_floats: boolean): ((items: Items) => string[]) | undefined {
  const best: unknown = verdict.kind === "sat" ? verdict.best?.value : undefined;
  const is_number = typeof best === "number" || (typeof best === "string" && /^-?\d+$/.test(best));
  if (!is_number) return undefined;
  const sign = model.goal === "minimize" ? "<" : ">";
  const distance = has_floats ? Math.max(1, Math.abs(Number(best))) * float_distance : 0;
  const limit = distance === 0 ? `${best}` : `${best} ${sign === "<" ? "-" : "+"} ${distance.toFixed(12)}`;
  return withSolveItem(model, (objective) => `constraint (${objective}\n) ${sign} ${limit}; solve satisfy;`);
}
