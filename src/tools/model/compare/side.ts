import type { ToolContext } from "../../../kernel/tool.ts";
import { reasonShown } from "../../reason_shown.ts";
import type { Items } from "../items/items.ts";
import type { Found, Language, Outcome, SolveOptions, Values } from "../language.ts";
import { type AllAnswer, listedIn } from "../languages/questions/answer.ts";
import { model_limits } from "../limits.ts";
import { formOf, keyOf } from "./form.ts";

/** One of the two models. */
export interface Side {
  readonly language: Language;
  readonly items: Items;
  readonly options: Pick<SolveOptions, "data" | "data_kept">;
}

/** A solution of a model with an objective has its value. */
export interface Listed {
  readonly values: Values;
  readonly objective?: unknown;
  /** Whether it is an optimal solution; of a model without an objective each solution is one. */
  readonly is_best: boolean;
}

/** What is known of the solutions of a model. */
export interface Solutions {
  readonly best?: Found["best"];
  readonly rows: readonly Listed[];
  /** Whether there are no others that differ in these names. */
  readonly is_all: boolean;
  /** The names by which the solutions are told apart. */
  readonly over: readonly string[];
  /** Why not all solutions are listed. */
  readonly reason?: string | undefined;
  readonly warnings: readonly string[];
}

/** The solutions of one model, as many as the time allows; or that it has none, or why nothing is known. */
export async function solutionsOf(
  side: Side,
  context: ToolContext,
  share: number,
): Promise<Solutions | "none" | { readonly open: string }> {
  const deadline = context.deadline.atMost(context.deadline.left_ms * share);
  const part = { ...context, deadline };
  const first = await solved(side, {}, { ...part, deadline: deadline.atMost(deadline.left_ms * first_share) });
  const { verdict } = first;
  if (verdict.kind === "unsat")
    return verdict.under === undefined ? "none" : { open: `it is unsat only under ${verdict.under}` };
  if (verdict.kind === "undecided") return { open: reasonShown(verdict) };
  const { best } = verdict;
  if (best && best.proved !== true) return { open: "its optimum is not proved" };
  const number = model_limits.compared_max;
  const listing = await solved(side, best ? { k_best: number } : { diverse: number }, part);
  const warnings = [...new Set([...first.warnings, ...listing.warnings])];
  return { ...listed(listing.all_answer), ...(best && { best }), warnings };
}

/** The first solve has the smaller part of the time: the solutions that are listed come after it. */
const first_share = 0.4;

/** Solves a model with a question. */
export async function solved(
  { language, items, options }: Side,
  question: SolveOptions,
  { deadline, progress }: ToolContext,
): Promise<Outcome> {
  return language.solve(items, { deadline, progress, news: () => {}, options: { ...options, ...question } });
}

function listed(answer: AllAnswer | undefined): Omit<Solutions, "best" | "warnings"> {
  const rows = answer && listedIn(answer);
  if (!answer || !rows)
    return { rows: [], is_all: false, over: [], reason: answer?.reason ?? "it was not solved again" };
  const { over, reason } = answer;
  if (answer.kind === "diverse")
    return { over, reason, is_all: answer.is_all, rows: rows.map((values) => ({ values, is_best: true })) };
  if (answer.kind !== "k_best") return { over, reason, rows: [], is_all: false };
  // A rank that is not proved says nothing of what is better.
  const ranked = rows.map((values, i) => {
    const objective = answer.objectives[i];
    return { values, objective, is_best: i < answer.proved && isSame(objective, answer.objectives[0]) };
  });
  return { over, reason, rows: ranked, is_all: answer.is_all && answer.proved === rows.length };
}

/** Whether two objectives are the same: whole numbers exactly; decimals are known to some digits only. */
export function isSame(one: unknown, other: unknown): boolean {
  const keys = [one, other].map((each) => keyOf(formOf(each)));
  if (keys[0] === keys[1] || keys.every((key) => /^-?\d+$/.test(key))) return keys[0] === keys[1];
  return Math.abs(Number(one) - Number(other)) <= 1e-6 * Math.max(1, Math.abs(Number(one)));
}
