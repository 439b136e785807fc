import * as z from "zod/v4";
import { Fault } from "../../../kernel/fault.ts";
import { cut } from "../../../kernel/text/cut.ts";
import type { ToolContext } from "../../../kernel/tool.ts";
import { fitValue, fitValues } from "../../fit.ts";
import { reasonShown } from "../../reason_shown.ts";
import { isChecker } from "../checker/item.ts";
import type { Items } from "../items/items.ts";
import { tidy } from "../items/tidy.ts";
import { ItemLine, type Language, lineShown, type Outcome, type SolveOptions } from "../language.ts";
import { model_limits } from "../limits.ts";
import { statusOf, valuesOf } from "../solution/status.ts";
import { brokenLines } from "./broken.ts";
import type { Case } from "./cases.ts";
import { changeLines, changesIn, changesSentence, kept_output, shownChanges } from "./changes.ts";

/** A model with its data, and a plan that is kept in each case. */
export interface Variants {
  readonly language: Language;
  readonly items: Items;
  readonly options: SolveOptions;
}

/** What comes out of one case; `name` is that of a case of `what_if`. */
export const row_output = z.object({
  name: z.string().optional(),
  status: z.enum(["sat", "unsat", "unknown", "timeout", "fault"]),
  message: z.string(),
  objective: z.unknown(),
  /** Whether the objective is proved to be the best one; null without one. */
  optimal: z.boolean().nullable(),
  /** The objective less that of the base; null where one of them is no number. */
  difference: z.number().nullable(),
  values: z.record(z.string(), z.unknown()).nullable(),
  broken: z.array(ItemLine.extend({ by: z.number().optional() })).optional(),
  keep: kept_output.optional(),
});
export type Row = z.output<typeof row_output>;

/** What the cases of a call come to, and the values of which it asks why not. Raises `cancelled`. */
export async function rowsOf(
  { language, items, options: { what_if = {}, why_not: set, ...options } }: Variants,
  { verdict }: Outcome,
  context: ToolContext,
): Promise<{ readonly what_if?: readonly Row[]; readonly why_not?: Row }> {
  const cases = Object.entries(what_if);
  const row = async (name: string, each: Case, kept: SolveOptions["kept"], left: number) => {
    context.progress(`solving the case ${name}`);
    const deadline = context.deadline.atMost(context.deadline.left_ms / left);
    const variants = { language, items, options: { ...options, kept } };
    return rowOf(await outcomeOf(variants, each, { ...context, progress: () => {}, deadline }), each, verdict);
  };
  const rows: Row[] = [];
  for (const [i, [name, each]] of cases.entries())
    rows.push({ name, ...(await row(name, each, options.kept, cases.length - i + (set ? 1 : 0))) });
  return {
    ...(rows.length > 0 && { what_if: rows }),
    ...(set && { why_not: await row("in question", { set }, undefined, 1) }),
  };
}

/** The time of the model itself, where a call has cases, too: an equal share. */
export function ownShare({ what_if = {}, why_not }: SolveOptions): number {
  return 1 / (1 + Object.keys(what_if).length + (why_not ? 1 : 0));
}

/** The outcome of a case, or the fault that it raises; `cancelled` is raised. */
async function outcomeOf(
  { language, items, options }: Variants,
  { set, data, without = [], add }: Case,
  { deadline, progress }: ToolContext,
): Promise<Outcome | Fault> {
  try {
    const { data: own, data_kept, kept, solver, reproducible } = options;
    const asked = {
      data: data ? { ...own, ...data } : own,
      ...{ data_kept, kept, solver, reproducible },
      ...(set && { plan: set, ...(language.takes.includes("why") && !kept && { why: true }) }),
    };
    const outcome = await language.solve(variant(language, items, without, [add ?? []].flat()), {
      ...{ deadline, progress, news: () => {} },
      options: asked,
    });
    return kept ? { ...outcome, kept: changesIn(outcome, kept) } : outcome;
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code !== "cancelled") return thrown;
    throw thrown;
  }
}

/** The items of a case; numbers and lines of the others stay. Raises `invalid_argument` and `input_rejected`. */
function variant(language: Language, items: Items, without: readonly number[], add: readonly string[]): Items {
  const wrong = without.find((index) => !Object.hasOwn(items, index));
  if (wrong !== undefined)
    throw new Fault("invalid_argument", `There is no item ${wrong}; the last one is ${items.length - 1}.`, [
      "number items from 0, as get_model shows them",
    ]);
  const left = items.map((text, index) => (without.includes(index) ? "" : text));
  const added = add.map((text) => tidy(text).item);
  if (added.length === 0) return left;
  const solving = language.solvingItem?.(left.map((text) => (isChecker(text) ? "" : text))) ?? -1;
  if (solving < 0) return [...left, ...added];
  // A constraint after the solve would have no effect.
  const before = left.slice(0, solving).findLastIndex((text) => !isChecker(text));
  if (before < 0)
    throw new Fault("input_rejected", "add has no place: the first item of this program solves already.", [
      "divide the program into items: declarations and constraints, then the solve",
      "or change data, or fix values with set",
    ]);
  return left.map((text, index) => (index === before ? [text, ...added].join("\n") : text));
}

/** An outcome as a row; `base` is the objective of the model itself. */
function rowOf(outcome: Outcome | Fault, { set = {} }: Case, base: Outcome["verdict"] | undefined): Row {
  if (outcome instanceof Fault)
    return { ...nothing, status: "fault", message: cut(outcome.message, model_limits.case_text_chars_max) };
  const { verdict, all_answer, why, kept, checker } = outcome;
  const ignored =
    all_answer?.left_out.filter((name) => Object.keys(set).some((each) => each.split(/[[(]/, 1)[0] === name)) ?? [];
  if (ignored.length > 0)
    return { ...nothing, message: `Undecided: ${ignored.join(", ")} can't be fixed, since no solver chooses it.` };
  const status = statusOf(verdict);
  if (verdict.kind === "undecided") return { ...nothing, status, message: `Undecided: ${reasonShown(verdict)}.` };
  if (verdict.kind === "unsat" && verdict.under !== undefined)
    return { ...nothing, message: `Undecided: unsatisfiable only under ${verdict.under}.` };
  if (verdict.kind === "unsat") {
    const { broken, proof } = why ? brokenLines(why) : { broken: verdict.core?.items ?? [], proof: "" };
    return { ...nothing, status, message: `No solution.${proof}`, broken: shownLines(broken) };
  }
  const { best } = verdict;
  const values = valuesOf(verdict);
  const chars_max = model_limits.case_text_chars_max;
  const violated =
    checker?.status === "violated" ? ` It breaks rules of the checker: ${checker.violations.join("; ")}.` : "";
  const words = best
    ? best.proved === true
      ? "Optimal"
      : "Others can have a better objective"
    : "There is a solution";
  return {
    ...nothing,
    status,
    message: cut(`${words}.${changesSentence(kept)}${violated}`, chars_max),
    objective: fitValue(best?.value ?? null, chars_max).value,
    optimal: best ? best.proved === true : null,
    difference: differenceOf(best?.value, base?.kind === "sat" ? base.best?.value : undefined),
    values: values && fitValues(values, chars_max).values,
    ...(kept && { keep: shownChanges(kept, chars_max) }),
  };
}

const nothing = {
  status: "unknown",
  objective: null,
  optimal: null,
  difference: null,
  values: null,
} as const;

function shownLines<Line extends ItemLine>(lines: readonly Line[]): Line[] {
  return lines
    .slice(0, model_limits.case_lines_max)
    .map((line) => ({ ...line, text: cut(line.text, model_limits.case_text_chars_max) }));
}

function differenceOf(one: unknown, base: unknown): number | null {
  const is_number = [one, base].every((each) => typeof each === "number" && Number.isFinite(each));
  return is_number ? Number((Number(one) - Number(base)).toPrecision(15)) : null;
}

/** A table of cases as lines, each with what forbids it or what it changes. */
export function tableLines(rows: readonly Row[]): string[] {
  return rows.flatMap((row) => {
    const { name = "", status, objective, difference, message } = row;
    const signed = difference === null ? "" : ` (${difference < 0 ? "" : "+"}${difference})`;
    const value = objective === null ? "" : `, objective ${JSON.stringify(objective)}${signed}`;
    return [`what if ${JSON.stringify(name)}: ${status}${value}. ${message}`, ...rowLines(row)];
  });
}

/** Why the values in question are not possible, or what they cost, as lines. */
export function whyNotLines(row: Row): string[] {
  const { status, difference, optimal, message, values } = row;
  const cost = difference === null || difference === 0 ? "" : `, and changes the objective by ${difference}`;
  const no_loss = difference === 0 ? " at no loss" : "";
  const proof = difference !== null && optimal !== true ? "; not proved to be the best" : "";
  const words =
    status === "sat" ? `possible${no_loss}${cost}${proof}: ${JSON.stringify(values)}` : `${status}. ${message}`;
  return [`why not: ${words}`, ...rowLines(row)];
}

function rowLines({ broken = [], keep }: Row): string[] {
  return [
    ...broken.map((line) => `forbidden by ${lineShown(line)}${line.by === undefined ? "" : ` (give ${line.by})`}`),
    ...changeLines(keep),
  ];
}
