import type { Deadline } from "../../../../../kernel/deadline.ts";
import type { Items } from "../../../items/items.ts";
import type { Call } from "../belief/belief.ts";
import type { Model } from "../model.ts";
import type { Statement } from "../source/source.ts";

/** The call about another text: the same solver and data, and nothing is reported. */
export function partOf(call: Call, model: Model, deadline: Deadline, max_solutions?: number): Call {
  const { solver, data, data_kept } = call.context.options;
  return {
    ...call,
    model,
    context: { deadline, options: { solver, data, data_kept, max_solutions }, progress: () => {}, news: () => {} },
  };
}

/**
 * Replaces the solve item of a model by what `write` makes of the objective's text, which is empty for `satisfy`. Works
 * on items whose other text has the places of the model's. Undefined where the model has no solve item.
 */
export function withSolveItem(
  model: Model,
  write: (objective: string) => string,
): ((items: Items) => string[]) | undefined {
  const solve = model.statements.find(({ tokens }) => tokens[0]?.text === "solve");
  const goal = solve?.tokens.find(({ text }) => text === model.goal);
  if (!solve || !goal) return undefined;
  return (items) =>
    items.map((text, item) => {
      if (item !== solve.item) return text;
      const objective = text.slice(goal.start + goal.text.length, solve.end).replace(/;\s*$/, "");
      return `${text.slice(0, solve.start)}${write(objective)}${text.slice(solve.end)}`;
    });
}

/** What can be left out of a model: its constraints, and an objective that may have no value. */
export function removable({ statements, goal }: Model): Statement[] {
  return statements.filter(({ tokens }) => {
    if (tokens[0]?.text === "constraint") return true;
    const objective = tokens[0]?.text === "solve" ? tokens.findIndex(({ text }) => text === goal) : -1;
    return objective > 0 && tokens.slice(objective).some(({ text }) => partial.test(text));
  });
}

/** Operators, calls and accesses that need not have a value. */
const partial = /^(?:div|mod|let|[/^([])$/;
