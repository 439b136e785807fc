import type { Deadline } from "../../../../../kernel/deadline.ts";
import type { Edit } from "../../../items/edits.ts";
import type { Probed } from "../../../why/probe.ts";
import type { Call, Finding } from "../acceptance/acceptance.ts";
import type { Model } from "../model.ts";
import { type Statement, solveItemOf } from "../source/source.ts";
import { endOf } from "../source/tokens.ts";

/** A separate call, with the doubts about its solvers and the means to remove them. */
export interface Solving {
  decided(): Promise<Probed["verdict"]>;
  dataFiles(): Promise<readonly string[]>;
  finding(): Promise<Finding | undefined>;
}

/** The call for another text, with the same solver, workers and data, but without reports. */
export function partOf(
  call: Call,
  model: Model,
  deadline: Deadline,
  others: Pick<Call["context"]["options"], "solver" | "max_solutions"> = {},
): Call {
  const { solver, data, data_kept, reproducible } = call.context.options;
  return {
    ...call,
    model,
    context: {
      deadline,
      options: { solver, data, data_kept, reproducible, ...others },
      progress: () => {},
      news: () => {},
    },
  };
}

/**
 * Replaces a model's solve item by the result of `write` for the objective's text, which is empty for `satisfy`.
 * Undefined if the model has no solve item.
 */
export function solveEdit({ items, statements }: Model, write: (objective: string) => string): Edit | undefined {
  const { statement, word } = solveItemOf(statements) ?? {};
  if (!statement || !word) return undefined;
  const { item, start, end } = statement;
  const objective = (items[item] ?? "").slice(endOf(word), end).replace(/;\s*$/, "");
  return { item, start, end, text: write(objective) };
}

/** Asks for any solution instead of the best one; the objective must still have a value. */
export function anySolution(model: Model): Edit[] {
  const edit = solveEdit(model, (objective) => `constraint (${objective}\n) = (${objective}\n); solve satisfy;`);
  return edit && model.goal !== "satisfy" ? [edit] : [];
}

/** The removable statements of a model: its constraints, and an objective that may be undefined. */
export function removable({ statements }: Model): Statement[] {
  const solve = solveItemOf(statements);
  const may_be_undefined = solve?.objective.some(({ text }) => partial.test(text));
  return statements.filter(
    (each) => each.tokens[0]?.text === "constraint" || (may_be_undefined && each === solve?.statement),
  );
}

/** Operators, calls and accesses that can be undefined. */
const partial = /^(?:div|mod|let|[/^([])$/;
