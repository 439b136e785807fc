import * as z from "zod/v4";
import { Fault } from "../../../kernel/fault.ts";
import { cut } from "../../../kernel/text/cut.ts";
import { fitValue, fitValues } from "../../../kernel/text/fit.ts";
import type { ToolContext } from "../../../kernel/tool.ts";
import { reasonShown } from "../../reason_shown.ts";
import { isChecker } from "../checker/item.ts";
import type { Items } from "../items/items.ts";
import { tidy } from "../items/tidy.ts";
import { ItemLine, type Language, lineShown, type Outcome, type SolveOptions } from "../language.ts";
import { model_limits } from "../limits.ts";
import { statusOf, valuesOf } from "../solution/status.ts";
import { brokenLines, declarationOf } from "./broken.ts";
import type { Case } from "./cases.ts";
import { changeLines, changesIn, changesSentence, kept_output, shownChanges } from "./changes.ts";

/** A model with its data, and the plan that is kept in each case. */
export interface Variants {
  readonly language: Language;
  readonly items: Items;
  readonly options: SolveOptions;
}

/** The result of one case; `name` is set for a `what_if` case. */
export const row_output = z.object({
  name: z.string().optional(),
  status: z.enum(["sat", "unsat", "unknown", "timeout", "fault"]),
  message: z.string(),
  objective: z.unknown(),
  /** Whether the objective is proved optimal; null if there is no objective. */
  optimal: z.boolean().nullable(),
  /** The case's objective minus the model's own; null if either is not a number. */
  difference: z.number().nullable(),
  values: z.record(z.string(), z.unknown()).nullable(),
  broken: z.array(ItemLine.extend({ by: z.number().optional() })).optional(),
  keep: kept_output.optional(),
});
export type Row = z.output<typeof row_output>;

/** Returns the results of a call's cases, and of the values for which it asks `why_not`. Raises `cancelled`. */
export async function rowsOf(
  { language, items, options: { what_if = {}, why_not: set, ...options } }: Variants,
  { verdict }: Outcome,
  context: ToolContext,
): Promise<{ readonly what_if?: readonly Row[]; readonly why_not?: Row }> {
  const cases = Object.entries(what_if);
  const hint = options.reproducible ? undefined : (valuesOf(verdict) ?? options.hint);
  const row = async (name: string, each: Case, kept: SolveOptions["kept"], left: number) => {
    context.progress(`solving the case ${name}`);
    const deadline = context.deadline.atMost(context.deadline.left_ms / left);
    const variants = { language, items, options: { ...options, kept, hint } };
    const quiet = { ...context, progress: () => {}, deadline };
    const done = await outcomeOf(variants, each, quiet);
    return { ...rowOf(done, each, verdict), ...(await declaring(variants, each, done, quiet)) };
  };
  const rows: Row[] = [];
  for (const [i, [name, each]] of cases.entries())
    rows.push({ name, ...(await row(name, each, options.kept, cases.length - i + (set ? 1 : 0))) });
  return {
    ...(rows.length > 0 && { what_if: rows }),
    ...(set && { why_not: await row("in question", { set }, undefined, 1) }),
  };
}

/** Returns the share of the time for the model itself in a call with cases; each case gets an equal share. */
export function ownShare({ what_if = {}, why_not }: SolveOptions): number {
  return 1 / (1 + Object.keys(what_if).length + (why_not ? 1 : 0));
}

/** A solved case, and how to map its lines to the model's lines. */
interface Done extends Pick<Variant, "placeOf"> {
  readonly outcome: Outcome;
}

/** Returns the outcome of a case, or the fault that it raises. Raises `cancelled`. */
async function outcomeOf(
  { language, items, options }: Variants,
  each: Case,
  { deadline, progress }: ToolContext,
): Promise<Done | Fault> {
  try {
    const { set, data } = each;
    const { items: varied, placeOf } = variantOf(language, items, each);
    const { data: own, data_kept, kept, solver, reproducible, hint } = options;
    const asked = {
      ...(data ? { data: { ...own, ...data }, case_data: Object.keys(data) } : { data: own }),
      ...{ data_kept, kept, solver, reproducible, hint },
      ...(set && { plan: set, ...(language.takes.includes("why") && !kept && { why: true }) }),
    };
    const outcome = await language.solve(varied, {
      ...{ deadline, progress, news: () => {} },
      options: asked,
    });
    return { outcome: kept ? { ...outcome, kept: changesIn(outcome, kept) } : outcome, placeOf };
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code !== "cancelled") return thrown;
    throw thrown;
  }
}

/** Whether the declarations alone exclude the values of a case. */
function isDeclared(done: Done | Fault): boolean {
  return (
    !(done instanceof Fault) &&
    done.outcome.verdict.kind === "unsat" &&
    brokenLines(done.outcome.why).is_declared === true
  );
}

/** The lines that exclude the values of a case, if these are declarations: each name is asked about alone. */
async function declaring(
  variants: Variants,
  { set = {} }: Case,
  done: Done | Fault,
  context: ToolContext,
): Promise<Pick<Row, "broken">> {
  if (!isDeclared(done)) return {};
  const names = Object.keys(set).slice(0, declared_max);
  const lines: ItemLine[] = [];
  for (const name of names) {
    const is_own = names.length === 1 || isDeclared(await outcomeOf(variants, { set: { [name]: set[name] } }, context));
    const line = is_own ? declarationOf(variants.language, variants.items, name) : undefined;
    if (line && !lines.some(({ item, line: known }) => item === line.item && known === line.line)) lines.push(line);
  }
  return { broken: shownLines(lines) };
}

const declared_max = 8;

/**
 * The items of a case, and how to map their lines to the model's lines. An added constraint becomes an item after the
 * last one.
 */
interface Variant {
  readonly items: Items;
  readonly placeOf: <Line extends ItemLine>(line: Line) => Line;
}

/** Builds the items of a case. Raises `invalid_argument`. */
function variantOf(language: Language, items: Items, { without = [], add }: Case): Variant {
  const wrong = without.find((index) => !Object.hasOwn(items, index));
  if (wrong !== undefined)
    throw new Fault("invalid_argument", `There is no item ${wrong}; the last one is ${items.length - 1}.`, [
      "number items from 0, as get_model shows them",
    ]);
  const left = items.map((text, index) => (without.includes(index) ? "" : text));
  const added = [add ?? []].flat().map((text) => tidy(text).item);
  const solving = language.solvingPlace?.(left.map((text) => (isChecker(text) ? "" : text)));
  if (added.length === 0 || !solving) return { items: [...left, ...added], placeOf: (line) => line };
  // Additions go before the line that solves, since a constraint after it would have no effect.
  const lines = added.flatMap((text) => text.split("\n"));
  const text = (left[solving.item] ?? "")
    .split("\n")
    .toSpliced(solving.line - 1, 0, ...lines)
    .join("\n");
  const placeOf = <Line extends ItemLine>(place: Line): Line => {
    const after = place.line - solving.line;
    if (place.item !== solving.item || after < 0) return place;
    return after < lines.length
      ? { ...place, item: items.length, line: after + 1 }
      : { ...place, line: place.line - lines.length };
  };
  return { items: left.with(solving.item, text), placeOf };
}

/** Converts an outcome to a row; `base` is the verdict on the model itself. */
function rowOf(done: Done | Fault, { set = {} }: Case, base: Outcome["verdict"] | undefined): Row {
  if (done instanceof Fault) {
    const status = about_the_case.has(done.code) ? "fault" : "unknown";
    return {
      ...nothing,
      status,
      message: cut(`${done.message} Try: ${done.remedy}`, model_limits.case_text_chars_max),
    };
  }
  const { outcome, placeOf } = done;
  const { verdict, all_answer, why, kept, checker } = outcome;
  const ignored =
    all_answer?.left_out.filter((name) => Object.keys(set).some((each) => each.split(/[[(]/, 1)[0] === name)) ?? [];
  if (ignored.length > 0)
    return {
      ...nothing,
      message: `Undecided: ${ignored.join(", ")} can't be fixed, since the solver does not choose it.`,
    };
  const status = statusOf(verdict);
  if (verdict.kind === "undecided")
    return { ...nothing, status, message: `Undecided: ${reasonShown(verdict).replace(/\.$/, "")}.` };
  if (verdict.kind === "unsat" && verdict.under !== undefined)
    return { ...nothing, message: `Undecided: unsatisfiable only under ${verdict.under}.` };
  if (verdict.kind === "unsat") {
    const { broken, proof } = why ? brokenLines(why) : { broken: verdict.core?.items ?? [], proof: "" };
    return { ...nothing, status, message: `No solution.${proof}`, broken: shownLines(broken).map(placeOf) };
  }
  const { best } = verdict;
  const values = valuesOf(verdict);
  const chars_max = model_limits.case_text_chars_max;
  const violated =
    checker?.status === "violated" ? ` It violates rules of the checker: ${checker.violations.join("; ")}.` : "";
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

/** Faults that are caused by the case itself; other faults leave the case undecided. */
const about_the_case: ReadonlySet<string> = new Set([
  "invalid_argument",
  "syntax_error",
  "input_rejected",
  "forbidden",
]);

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

/** Formats the cases as a table, with one line per case that says what forbids it or what it changes. */
export function tableLines(rows: readonly Row[]): string[] {
  return rows.flatMap((row) => {
    const { name = "", status, objective, difference, message } = row;
    const signed = difference === null ? "" : ` (${difference < 0 ? "" : "+"}${difference})`;
    const value = objective === null ? "" : `, objective ${JSON.stringify(objective)}${signed}`;
    return [`what if ${JSON.stringify(name)}: ${status}${value}. ${message}`, ...rowLines(row)];
  });
}

/** Formats as lines why the values in question are impossible, or what they cost. */
export function whyNotLines(row: Row): string[] {
  const { status, difference, optimal, message, values } = row;
  const cost = difference === null || difference === 0 ? "" : `, and changes the objective by ${difference}`;
  const no_loss = difference === 0 ? " at no loss" : "";
  const proof = difference !== null && optimal !== true ? "; not proved optimal" : "";
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
