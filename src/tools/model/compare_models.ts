import * as z from "zod/v4";
import { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import { fitValue, fitValues } from "../../kernel/text/fit.ts";
import { visibleLine } from "../../kernel/text/visible.ts";
import { timeout_ms } from "../../kernel/timeout.ts";
import { annotated, defineTool, type Tool, type ToolContext } from "../../kernel/tool.ts";
import { isModelId, itemNamed, model_id } from "./arguments.ts";
import { type Comparison, compared, type Difference } from "./compare/compare.ts";
import { candidates, inNames, printedOnce, withChosen, withOptional } from "./compare/names.ts";
import { probed } from "./compare/probe.ts";
import { type Answered, answerOf, type Side, type Solutions, solutionsOf } from "./compare/side.ts";
import { type Model, waitedTooLong } from "./items/model.ts";
import type { Store } from "./items/store.ts";
import { tidy } from "./items/tidy.ts";
import type { SolveOptions } from "./language.ts";
import { expectTaken, solve_options } from "./languages/options.ts";
import { model_limits } from "./limits.ts";
import { changeShown, changesOf } from "./plans/changes.ts";
import { fill, textsOf } from "./solve.ts";
import { withKept } from "./solve_model.ts";

const names_error = 'names must be an object such as {"name": "name in the other model"}.';

const input = z.strictObject({
  model: itemNamed("model").optional().describe("The other: its text, or model_id."),
  items: z.array(itemNamed("items")).optional(),
  language: z.string({ error: "language must be the name of a language: that of the other model." }).optional(),
  data: solve_options.data,
  data_files: solve_options.data_files,
  names: z
    .record(z.string(), z.string({ error: names_error }), { error: names_error })
    .optional()
    .describe("{name: name there}"),
  model_id,
  timeout_ms,
});
type Args = z.output<typeof input>;

const values = z.record(z.string(), z.unknown());
const of_both = z.object({ model: z.unknown(), other: z.unknown() });

const output = z.object({
  status: z.enum(["equal", "same_best", "allows_more", "excludes_more", "different", "no_difference_found", "unknown"]),
  message: z.string(),
  /** The compared names, with the corresponding names in the other model. */
  names: z.record(z.string(), z.string()),
  differences: z.array(
    z.object({
      /**
       * `solution`: the other model excludes this solution. `optimum`: the solution is optimal in only one of the
       * models.
       */
      kind: z.enum(["solution", "optimum"]),
      of: z.enum(["model", "other"]),
      values,
      objective: z.unknown(),
    }),
  ),
  /** The number of compared solutions of each model. */
  solutions: of_both,
  /** The best objective values. */
  objective: of_both.optional(),
  reason: z.string().optional(),
  warnings: z.array(z.string()),
});
type Output = z.output<typeof output>;

/** `compare_models`: checks whether two models, or a model before and after its last edits, have the same solutions. */
export function compareModels(store: Store): Tool {
  return defineTool({
    name: "compare_models",
    description:
      "Do two models, of any languages, have the same solutions? Without model: did the last edits change them?",
    annotations: annotated("Compare two models", "reads"),
    input,
    output,
    listed_output: ["status"],
    limit_ms: ({ timeout_ms }) => timeout_ms,
    question: "of_session",
    async run({ items = [], data = {}, ...named }, context) {
      // Clients that fill in every argument send empty values.
      const args = { ...named, ...(items.length > 0 && { items }), ...(Object.keys(data).length > 0 && { data }) };
      const model = store.at(args.model_id);
      const own = await sideOf(model, undefined);
      const other = await otherSide(store, model, args, context);
      const one = await answerOf(own, context, shares.own);
      const two = await answerOf(other, context, shares.other);
      const found = await answer(one, two, wordsFor(args), (both) => ofSolved([own, other], both, args, context));
      const notes = args.data ? [`Only the other model has this data: ${listed(Object.keys(data))}.`] : [];
      return { ...found, warnings: [...notes, ...found.warnings] };
    },
    render: ({ message, differences, names, warnings }) => [
      visibleLine(message),
      ...changedValues(differences, names).map(visibleLine),
      ...differences.map(({ kind, of, values, objective }) => {
        const shown_values = JSON.stringify(fitValue(values, model_limits.difference_chars_max).value);
        return visibleLine(
          `${kind} of ${of}: ${shown_values}${objective === null ? "" : `, objective ${JSON.stringify(objective)}`}`,
        );
      }),
      ...warnings.map(visibleLine),
    ],
  });
}

/** Lists where a solution of the other model differs from one of this model, in the names of this model. */
function changedValues(differences: Output["differences"], names: Output["names"]): string[] {
  const [own, other] = (["model", "other"] as const).map((side) => differences.find(({ of }) => of === side)?.values);
  if (!own || !other) return [];
  const renamed = Object.fromEntries(Object.entries(names).map(([name, there]) => [name, other[there]]));
  const changes = changesOf(own, renamed);
  const more = changes.length - model_limits.names_listed_max;
  return [
    ...(changes.length > 0 ? ["From model to other (places in lists count from 0):"] : []),
    ...changes.slice(0, model_limits.names_listed_max).map((each) => `  ${changeShown(each)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

/**
 * The share of the remaining time for each step: both answers, then both lists. Afterwards, solutions of one model are
 * tested in the other.
 */
const shares = { own: 0.2, other: 0.25, own_list: 0.25, other_list: 0.33 } as const;

/** What to call the two models: by their arguments, or "earlier" and "current". */
interface Words {
  readonly model: string;
  readonly other: string;
  /** Whether the other model is this model before its last edits. */
  readonly is_edit: boolean;
}

function wordsFor({ model, items, data }: Args): Words {
  if (model !== undefined || items !== undefined)
    return { model: "the model", other: "the other model", is_edit: false };
  return data === undefined
    ? { model: "the model now", other: "the model before the edits", is_edit: true }
    : { model: "the model", other: "the model with the other data", is_edit: false };
}

/** Returns a stored model, with other data in place of its own. Raises `input_rejected` for an empty one. */
async function sideOf(model: Model, data: SolveOptions["data"]): Promise<Side> {
  const now = await model.snapshot(new Deadline(model_limits.change_ms_max));
  if (now === "expired") throw waitedTooLong();
  expectTaken(model.language, { data });
  if (now.items.length > 0) return { language: model.language, items: now.items, options: withKept(model, { data }) };
  throw new Fault("input_rejected", `The model "${model.id}" is empty: there is nothing to compare.`, [
    "send the first model with solve, and the second one here as model",
    "give model_id if you meant another model",
  ]);
}

/**
 * Returns the other model: a text, another model of the session, the same model with other data, or an earlier state.
 * Raises `invalid_argument` and the faults of a text.
 */
async function otherSide(store: Store, model: Model, args: Args, context: ToolContext): Promise<Side> {
  const { model: text, items, language, data } = args;
  const name = text?.trim() ?? "";
  // A single name is a program in no language; with a dot it is a fact of an answer set.
  const is_id = store.has(name) || (isModelId(name) && !name.endsWith("."));
  if (is_id && items === undefined) return sideOf(store.at(name), data);
  if (text !== undefined || items !== undefined) {
    const texts = textsOf(text, items, undefined);
    const draft = store.draft(language, texts);
    expectTaken(draft.language, { data });
    const options = withKept(model, { data });
    await fill(store, draft, texts.map(tidy), { options, context });
    return { ...(await sideOf(draft, undefined)), options };
  }
  if (data !== undefined) return sideOf(model, data);
  const { earlier } = model;
  if (earlier) return { language: model.language, items: earlier.items, options: { data: earlier.data } };
  throw new Fault(
    "input_rejected",
    `The model "${model.id}" has no earlier state: it has not been edited since its first solve.`,
    ["send the other model as model", "or solve, edit, and call this tool again to see what the edit changed"],
  );
}

type Answer = Awaited<ReturnType<typeof answerOf>>;

async function answer(
  one: Answer,
  two: Answer,
  words: Words,
  ofBoth: (both: readonly [Answered, Answered]) => Promise<Output>,
): Promise<Output> {
  const nothing = { names: {}, differences: [], solutions: { model: countOf(one), other: countOf(two) }, warnings: [] };
  for (const [side, which] of [[one, words.model] as const, [two, words.other] as const])
    if (side !== "none" && "open" in side)
      return { ...nothing, status: "unknown", message: `Undecided: ${which} was not solved.`, reason: side.open };
  if (one === "none" && two === "none")
    return { ...nothing, status: "equal", message: "Equal: both models have no solution." };
  if (isSolved(one) && isSolved(two)) return ofBoth([one, two]);
  const has = isSolved(one) ? "model" : "other";
  const only = isSolved(one) ? one : two;
  const none = has === "model" ? words.other : words.model;
  const row = isSolved(only) && { values: only.values, objective: only.best?.value, is_best: false };
  return {
    ...nothing,
    status: "different",
    message: `Different: ${none} has no solution, but ${words[has]} has one.`,
    differences: row ? [shown({ kind: "solution", side: has === "model" ? 0 : 1, row })] : [],
  };
}

async function ofSolved(
  sides: readonly [Side, Side],
  answers: readonly [Answered, Answered],
  args: Args,
  context: ToolContext,
): Promise<Output> {
  const wanted = args.names && Object.entries(args.names);
  const possible = wanted ?? candidates(answers);
  const optional = wanted ? [] : printedOnce(answers);
  const named = ([0, 1] as const).map((side) => [...possible, ...optional].map((pair) => pair[side]));
  const one = await solutionsOf(sides[0], answers[0], named[0] ?? [], context, shares.own_list);
  const two = await solutionsOf(sides[1], answers[1], named[1] ?? [], context, shares.other_list);
  // An answer omits predicates without atoms.
  const has_atoms = sides.every(({ language }) => language.valuesOfAtoms);
  const known = wanted === undefined && has_atoms ? withChosen(possible, [one, two]) : possible;
  const named_both = inNames([one, two], known, wanted !== undefined);
  const [pairs] = named_both;
  const cut = [one, two].find(({ is_cut }) => is_cut);
  if (cut && possible.length > 0 && pairs.length === 0) return unlisted(cut.chosen);
  const more = withOptional([one, two], pairs, optional);
  const half = context.deadline.atMost(context.deadline.left_ms / 2);
  const with_more = more && (await comparisonOf(sides, more, { ...context, deadline: half }));
  const own = await comparisonOf(sides, named_both, context);
  if (!more || !with_more?.differences.length) return outputOf(own, named_both[1], wordsFor(args));
  const differences = joined(with_more.differences, own.differences);
  return outputOf({ ...with_more, differences }, more[1], wordsFor(args));
}

/** Compares the solutions in these names, and tests some of them in the other model if a list is incomplete. */
async function comparisonOf(
  sides: readonly [Side, Side],
  [pairs, both]: ReturnType<typeof inNames>,
  context: ToolContext,
): Promise<Comparison> {
  const listed = compared(both, pairs);
  const known_sides = new Set(deciding(listed.differences, both).map(({ side }) => side));
  const open_sides = listed.is_complete ? [] : ([0, 1] as const).filter((side) => !known_sides.has(side));
  const found = await probed(sides, both, pairs, context, open_sides);
  return { ...listed, differences: joined(found, listed.differences) };
}

/** Joins two lists, with one difference of each kind for each model. */
function joined(first: readonly Difference[], others: readonly Difference[]): readonly Difference[] {
  const isNew = ({ side, kind }: Difference) => !first.some((each) => each.side === side && each.kind === kind);
  return [...first, ...others.filter(isNew)];
}

/** Nothing is known about the names if the solver was not asked for them in time. */
function unlisted({ reason = "the time ran out" }: Solutions): Output {
  const nothing = { names: {}, differences: [], solutions: { model: 1, other: 1 }, warnings: [] };
  return { ...nothing, status: "unknown", message: "Undecided: a model was not solved again in time.", reason };
}

function outputOf(comparison: Comparison, both: readonly [Solutions, Solutions], words: Words): Output {
  const { pairs, differences, is_complete, hides_some } = comparison;
  const [one, two] = both;
  const objective = one.best && two.best && { model: one.best.value, other: two.best.value };
  const hidden = hides_some ? "solutions differ in names that are not compared" : undefined;
  const partial = one.reason ?? two.reason ?? hidden ?? "only some of the solutions were compared";
  const reason = is_complete ? undefined : partial;
  return {
    status: statusOf(comparison, both),
    message: messageOf(comparison, both, words),
    names: Object.fromEntries(pairs),
    differences: differences.map(shown),
    solutions: { model: one.rows.length, other: two.rows.length },
    ...(objective && { objective }),
    ...(reason !== undefined && { reason }),
    warnings: warningsOf(comparison, both, words),
  };
}

/**
 * Differences among optimal solutions are decisive; without an objective, every solution is optimal. Unless all optima
 * are proved, all solutions are treated alike.
 */
function deciding(differences: readonly Difference[], both: readonly [Solutions, Solutions]): readonly Difference[] {
  const are_ranked = both.every(({ best }) => best === undefined || best.proved === true);
  return are_ranked ? differences.filter(({ row }) => row.is_best) : differences;
}

function statusOf({ differences, is_complete }: Comparison, both: readonly [Solutions, Solutions]): Output["status"] {
  const sides = new Set(deciding(differences, both).map(({ side }) => side));
  if (sides.size === 2) return "different";
  if (sides.size === 1) return sides.has(0) ? "allows_more" : "excludes_more";
  if (differences.length > 0) return "same_best";
  return is_complete ? "equal" : "no_difference_found";
}

function messageOf(comparison: Comparison, both: readonly [Solutions, Solutions], words: Words): string {
  const { pairs, differences, is_complete } = comparison;
  const [one, two] = both;
  const named = listed(pairs.map(([name]) => name));
  if (differences.length > 0) {
    const listed = differences.map((each) => difference(each, words)).join("; ");
    const compared = is_complete ? "" : " that were compared";
    const is_same = statusOf(comparison, both) === "same_best";
    return `${words.is_edit ? listed.replace(/^n/, "N") : `Different: ${listed}`}.${is_same ? ` The best solutions${compared} are the same.` : ""}`;
  }
  return is_complete
    ? `${words.is_edit ? "No solution changes" : "Equal"}: both models have the same ${one.rows.length} solutions in ${named} (all were compared).`
    : `No difference was found in ${one.rows.length} and ${two.rows.length} solutions, in ${named}. That is not a proof.`;
}

function difference({ kind, side, row, other }: Difference, words: Words): string {
  const [has, lacks] = side === 0 ? [words.model, words.other] : [words.other, words.model];
  if (kind === "optimum")
    return `an optimal solution of ${has} is not optimal in ${lacks}, where its objective is ${String(other?.objective)}`;
  if (!words.is_edit) return `${has} allows a solution that ${lacks} excludes`;
  const values = fitValue(row.values, model_limits.difference_chars_max).value;
  return `${side === 0 ? "now allowed" : "now forbidden"}: ${JSON.stringify(values)}`;
}

function shown({ kind, side, row }: Difference): Output["differences"][number] {
  return {
    kind,
    of: side === 0 ? "model" : "other",
    values: fitValues(row.values, limits.answer_values_chars_max).values,
    objective: fitValue(row.objective ?? null, limits.answer_lines_chars_max).value,
  };
}

function warningsOf({ pairs }: Comparison, both: readonly [Solutions, Solutions], words: Words): string[] {
  return both.flatMap(({ over, warnings, taken = [] }, side) => {
    const which = side === 0 ? words.model : words.other;
    const rest = over.filter((name) => !pairs.some((pair) => pair[side === 0 ? 0 : 1] === name));
    return [
      ...(rest.length > 0 ? [`Not compared, of ${which}: ${listed(rest)}.`] : []),
      ...(taken.length > 0 ? [takenFor(which, taken)] : []),
      ...warnings.map((each) => `Of ${which}: ${each}`),
    ];
  });
}

function takenFor(which: string, taken: readonly string[]): string {
  const [name = ""] = taken;
  return `Of ${which}: the values printed as ${listed(taken)} equal the solver's in its own answer, and are assumed to equal them in all solutions. For a proof, call export_solution({"${name}": …}) instead of print.`;
}

function listed(names: readonly string[]): string {
  return names.slice(0, model_limits.names_listed_max).join(", ");
}

function isSolved(side: Answer): side is Answered {
  return side !== "none" && !("open" in side);
}

function countOf(side: Answer): number {
  return isSolved(side) ? 1 : 0;
}
