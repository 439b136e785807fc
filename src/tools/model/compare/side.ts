import { isDeeper, isObject, jsonIn } from "../../../kernel/arguments.ts";
import { limits } from "../../../kernel/limits.ts";
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

/** A solution, with its objective value if the model has an objective. */
export interface Listed {
  readonly values: Values;
  readonly objective?: unknown;
  /** Whether the solution is optimal. Without an objective, every solution is. */
  readonly is_best: boolean;
}

/** The known solutions of a model. */
export interface Solutions {
  readonly best?: Found["best"];
  readonly rows: readonly Listed[];
  /** Whether the list contains all solutions that differ in these names. */
  readonly is_all: boolean;
  /** The names by which solutions are distinguished. */
  readonly over: readonly string[];
  /**
   * Whether the values are those that the program prints. Its solver does not choose some of them, so it can't be asked
   * for others.
   */
  readonly is_printed?: true;
  /**
   * Names that the program prints and whose values its solver chooses. The two are known to agree only in the program's
   * own answer.
   */
  readonly taken?: readonly string[];
  /** Why the list of solutions is incomplete. */
  readonly reason?: string | undefined;
  readonly warnings: readonly string[];
}

/** A model's own answer. */
export interface Answered {
  readonly best?: Found["best"];
  readonly values: Values;
  /** The JSON object that the model's program printed. */
  readonly printed: Values;
  readonly warnings: readonly string[];
}

/** Returns the answer of one model, "none" if it has no solution, or why nothing is known. */
export async function answerOf(
  side: Side,
  context: ToolContext,
  share: number,
): Promise<Answered | "none" | { readonly open: string }> {
  const deadline = context.deadline.atMost(context.deadline.left_ms * share);
  const first = await solved(side, {}, { ...context, deadline });
  const { verdict } = first;
  if (verdict.kind === "unsat")
    return verdict.under === undefined ? "none" : { open: `it is unsat only under ${verdict.under}` };
  return verdict.kind === "undecided" ? { open: reasonShown(verdict) } : answered(first, verdict);
}

function answered({ output, warnings }: Outcome, { best, witness }: Found): Answered {
  const values = "values" in witness ? witness.values : {};
  return { ...(best && { best }), values, printed: printedIn(output), warnings };
}

/** Returns a model's solutions with the values of these names, as many as time allows. */
export async function solutionsOf(
  side: Side,
  first: Answered,
  names: readonly string[],
  context: ToolContext,
  share: number,
): Promise<{ readonly chosen: Solutions; readonly own: Answered; readonly is_cut: boolean }> {
  const { best, warnings } = first;
  const deadline = context.deadline.atMost(context.deadline.left_ms * share);
  const number = model_limits.compared_max;
  const question = { names, ...(best ? { k_best: number } : { diverse: number }) };
  const listing = await solved(side, question, { ...context, deadline });
  const { verdict } = listing;
  // A truncated list says nothing about the names, so those of the first answer are kept.
  const answer = verdict.kind === "sat" ? answered(listing, verdict) : first;
  const list = listed(listing.all_answer);
  const fill = side.language.valuesOfAtoms && filling(list, answer.values);
  const own = fill ? { ...answer, values: fill(answer.values) } : answer;
  const found = fill ? { ...list, rows: list.rows.map((row) => ({ ...row, values: fill(row.values) })) } : list;
  // Without a list, the names are those of the answer. Each question about a name tests whether a solver chooses its
  // value.
  const over = found.over.length > 0 ? found.over : names.filter((name) => Object.hasOwn(own.values, name));
  const all = [...new Set([...warnings, ...listing.warnings])];
  const chosen = { ...found, over, ...(best && { best }), warnings: all };
  return { own, chosen, is_cut: verdict.kind !== "sat" };
}

/** Returns a function that adds values for predicates without atoms in an answer: no rows, or false. */
function filling({ rows, over }: Pick<Solutions, "rows" | "over">, own: Values): (values: Values) => Values {
  const samples = [own, ...rows.map(({ values }) => values)];
  const absent = Object.fromEntries(
    over.map((name) => {
      const sample = samples.find((values) => Object.hasOwn(values, name))?.[name];
      return [name, typeof sample === "boolean" ? false : []];
    }),
  );
  return (values) => ({ ...absent, ...values });
}

/** Returns the JSON object in a program's output, without values whose numbers are rounded; empty if there is none. */
export function printedIn(output: readonly string[]): Values {
  const text = output.join("\n");
  const whole = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  const last = output.findLast((line) => line.startsWith("{")) ?? "";
  const values = objectIn(whole) ?? objectIn(last) ?? {};
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isRounded(value)));
}

/** Whether a value contains decimals, or integers too large for a JavaScript number. */
function isRounded(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(isRounded);
  return typeof value === "number" && !Number.isSafeInteger(value);
}

function objectIn(text: string): Values | undefined {
  const [value] = jsonIn(text);
  return isObject(value) && !isDeeper(value, limits.message_depth_max) ? value : undefined;
}

/** Solves a model with the options of a question. */
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
  // An unproved rank does not show which solution is better.
  const ranked = rows.map((values, i) => {
    const objective = answer.objectives[i];
    return { values, objective, is_best: i < answer.proved && isSame(objective, answer.objectives[0]) };
  });
  return { over, reason, rows: ranked, is_all: answer.is_all && answer.proved === rows.length };
}

/** Whether two objectives are equal: integers are compared exactly, decimals up to a tolerance. */
export function isSame(one: unknown, other: unknown): boolean {
  const keys = [one, other].map((each) => keyOf(formOf(each)));
  if (keys[0] === keys[1] || keys.every((key) => /^-?\d+$/.test(key))) return keys[0] === keys[1];
  return Math.abs(Number(one) - Number(other)) <= 1e-6 * Math.max(1, Math.abs(Number(one)));
}
