import * as z from "zod/v4";
import { limits } from "../../../kernel/limits.ts";
import { cut } from "../../../kernel/text/cut.ts";
import {
  cutNote,
  fitPrinted,
  fitSolution,
  fitTexts,
  fitValue,
  fitValues,
  type Room,
  roomFor,
} from "../../../kernel/text/fit.ts";
import { IndexNames } from "../../../viewer/figures/tables.ts";
import { reasonShown } from "../../reason_shown.ts";
import { checker_output, checkerFields, checkerSentence } from "../checker/result.ts";
import {
  type Certificate,
  type Conflict,
  type Found,
  type Impossible,
  ItemLine,
  type Open,
  type Outcome,
  type SolveVerdict,
  type Values,
} from "../language.ts";
import { model_limits } from "../limits.ts";
import { changesSentence, kept_output, shownChanges } from "../plans/changes.ts";
import { row_output } from "../plans/rows.ts";
import { why_output, whyAnswer } from "../why/answer.ts";
import { account_output, accountFields, findingWarnings } from "./account.ts";
import { all_output, answerFields, answerSentence, answerWarnings } from "./all_answer.ts";
import { incumbents_output } from "./incumbents.ts";
import { statusOf, valuesOf } from "./status.ts";

const values = z.record(z.string(), z.unknown());

/**
 * The answer from `solve_model`: the fields used by the original MCP-Solver and its paper, and Verdict's own additions.
 */
export const solve_output = z.object({
  status: z.enum(["sat", "unsat", "unknown", "timeout"]),
  satisfiable: z.boolean().nullable(),
  model: values.nullable(),
  objective_value: z.unknown(),
  optimal: z.boolean().nullable(),
  claimed: z
    .enum(["unsat", "optimal"])
    .optional()
    .describe("What the program's process claims, and nobody confirmed: not a verdict."),
  confirmed: z.boolean().optional(),
  unchecked: z.array(z.string()).optional().describe("Not covered by `confirmed`."),
  confirmed_by: z.array(z.string()).optional(),
  unconfirmed: z.string().optional(),
  certificate: z
    .object({
      kind: z.literal("drat"),
      checked: z.boolean(),
      by: z.string().optional(),
      steps: z.int().optional(),
      rat_steps: z.int().optional(),
      file: z.string().optional(),
      reason: z.string().optional(),
    })
    .optional(),
  statistics: values,
  error: z.null(),
  success: z.literal(true),
  message: z.string(),
  values: values.nullable().describe("The same as model; null if model is long."),
  index_names: z.optional(IndexNames).describe("Names of the indices of arrays: a list for each dimension."),
  objective: z.unknown(),
  solve_time: z.number().describe("Seconds."),
  output: z.array(z.string()),
  reason: z.string().optional(),
  unsat_core: z.array(z.string()).optional(),
  unsat_items: z.array(ItemLine).optional(),
  solutions: z.array(values).optional(),
  solutions_found: z.int().optional().describe("By the program's own search, which ended in unsat."),
  objective_bound: z.number().optional(),
  incumbents: incumbents_output.optional().describe("Better solutions as they were found."),
  why: why_output.optional(),
  ...account_output,
  keep: kept_output.optional(),
  why_not: row_output.optional(),
  what_if: z.array(row_output).optional(),
  ...all_output,
  ...checker_output,
  warnings: z.array(z.string()),
  engine: z.string(),
});

export type SolveAnswer = z.output<typeof solve_output>;

const { unsat_items_max, unsat_item_chars_max } = model_limits;
const { answer_lines_chars_max, answer_values_chars_max } = limits;

/** The parts of an answer that depend on the kind of verdict. */
interface Parts {
  readonly satisfiable: boolean | null;
  readonly best?: Found["best"];
  /** Fields that occur only with this kind of verdict. */
  readonly fields: Pick<
    SolveAnswer,
    "reason" | "unsat_core" | "unsat_items" | "solutions" | "solutions_found" | "objective_bound" | "index_names"
  >;
  /** The parts of the answer that were truncated. */
  readonly cut: readonly string[];
}

function partsOf(verdict: SolveVerdict, room: Room): Parts {
  switch (verdict.kind) {
    case "sat":
      return solutionParts(verdict, room);
    case "unsat":
      return { satisfiable: false, ...conflictParts(verdict.core ?? {}, room) };
    case "undecided":
      return undecidedParts(verdict, room);
    default:
      return verdict satisfies never;
  }
}

function undecidedParts(verdict: Open, room: Room): Parts {
  const { fields, cut: cut_off } = conflictParts(verdict.claimed?.core ?? {}, room);
  const reason = cut(reasonShown(verdict), room(answer_lines_chars_max));
  return { satisfiable: null, fields: { reason, ...fields }, cut: cut_off };
}

function claimOf(verdict: SolveVerdict): SolveAnswer["claimed"] {
  if (verdict.kind === "undecided") return verdict.claimed && "unsat";
  return verdict.kind === "sat" && verdict.best?.is_claimed ? "optimal" : undefined;
}

function solutionParts({ best, solutions, found, objective_bound, index_names }: Found, room: Room): Parts {
  const shown = solutions && fitSolutions(solutions, room(answer_values_chars_max));
  return {
    satisfiable: true,
    ...(best && { best }),
    fields: {
      ...(shown && { solutions: shown }),
      ...(found !== undefined && { solutions_found: found }),
      ...(objective_bound !== undefined && { objective_bound }),
      ...(index_names && fitValue(index_names, room(answer_lines_chars_max)).whole && { index_names }),
    },
    cut: shown && solutions && shown.length < solutions.length ? [restOfSolutions(shown.length, solutions.length)] : [],
  };
}

function conflictParts({ names, items }: Conflict, room: Room): Pick<Parts, "fields" | "cut"> {
  return {
    fields: {
      ...(names && { unsat_core: fitTexts(names, room(answer_lines_chars_max)) }),
      ...(items && { unsat_items: shownItems(items, room) }),
    },
    cut: cutItems(items, room),
  };
}

/** Builds the answer for an outcome, truncated to the available space. */
export function solveAnswer(
  outcome: Outcome,
  timeout_ms: number,
  solve_time: number,
  { whole = false }: { readonly whole?: boolean } = {},
): SolveAnswer {
  const { verdict } = outcome;
  const room = roomFor({ whole });
  const values_chars = room(answer_values_chars_max);
  const lines_chars = room(answer_lines_chars_max);
  const values = valuesOf(verdict);
  const fitted = values && fitSolution(values, values_chars);
  const model = fitted?.values ?? null;
  const { satisfiable, best, fields, cut: cut_off } = partsOf(verdict, room);
  const objective = fitValue(best?.value ?? null, values_chars).value;
  const claimed = claimOf(verdict);
  return {
    status: statusOf(verdict),
    satisfiable,
    model,
    objective_value: objective,
    optimal: outcome.kept ? (outcome.kept.least && best?.proved !== false) || null : (best?.proved ?? null),
    ...(claimed && { claimed }),
    ...(outcome.confirmed !== undefined && { confirmed: outcome.confirmed }),
    ...(outcome.unchecked?.length && { unchecked: fitTexts(outcome.unchecked, lines_chars) }),
    ...(outcome.confirmed_by && { confirmed_by: [...outcome.confirmed_by] }),
    ...(outcome.unconfirmed !== undefined && { unconfirmed: cut(outcome.unconfirmed, lines_chars) }),
    ...(outcome.certificate && { certificate: certificateShown(outcome.certificate) }),
    statistics: fitValues(outcome.statistics, lines_chars).values,
    error: null,
    success: true,
    message: `${messageOf(outcome, timeout_ms)}${changesSentence(outcome.kept)}${answerSentence(outcome.all_answer, best !== undefined)}${checkerSentence(outcome.checker)}`,
    values: whole || isShort(model) ? model : null,
    objective,
    solve_time,
    output: fitPrinted(outcome.output, lines_chars),
    ...fields,
    ...(outcome.why && { why: whyAnswer(outcome.why, room) }),
    ...accountFields(outcome, lines_chars),
    ...(outcome.why_not && { why_not: outcome.why_not }),
    ...(outcome.what_if && { what_if: [...outcome.what_if] }),
    ...(outcome.kept && { keep: shownChanges(outcome.kept, lines_chars) }),
    ...answerFields(outcome.all_answer, values_chars),
    ...checkerFields(outcome.checker, lines_chars),
    warnings: fitTexts(
      [
        ...(fitted ? cutNote(fitted, values_chars, `${rest_of_values}, with indices for parts`) : []),
        ...cut_off,
        ...answerWarnings(outcome.all_answer, values_chars),
        ...outcome.warnings,
        ...findingWarnings(outcome),
      ],
      lines_chars,
    ),
    engine: outcome.engine,
  };
}

function isShort(values: Values | null): boolean {
  return JSON.stringify(values).length <= model_limits.values_twice_chars_max;
}

function certificateShown({ is_refused: _, ...certificate }: Certificate): NonNullable<SolveAnswer["certificate"]> {
  return certificate;
}

/** Returns as many solutions as fit, starting with the first; if even the first is too long, returns its beginning. */
function fitSolutions(all: readonly Values[], chars_max: number): Record<string, unknown>[] {
  let room = chars_max;
  const fitting = all.findIndex((solution) => {
    room -= JSON.stringify(solution).length;
    return room < 0;
  });
  const [first] = all;
  if (fitting === 0 && first) return [fitValues(first, chars_max).values];
  return all.slice(0, fitting < 0 ? all.length : fitting).map((solution) => ({ ...solution }));
}

function restOfSolutions(shown: number, count: number): string {
  const first = shown === 1 ? "the first one is" : `the first ${shown} are`;
  return `${count} solutions were found; ${first} shown. get_solution with name "solutions" and from_index ${shown} shows more.`;
}

function shownItems(all: NonNullable<Conflict["items"]>, room: Room): NonNullable<SolveAnswer["unsat_items"]> {
  return all.slice(0, room(unsat_items_max)).map(({ cases, ...place }) => ({
    ...place,
    text: cut(place.text, room(unsat_item_chars_max)),
    ...(cases && { cases: cases.slice(0, room(unsat_items_max)) }),
  }));
}

function cutItems(all: Conflict["items"], room: Room): string[] {
  const places = room(unsat_items_max);
  if (!all || all.length <= places) return [];
  return [`The conflict has ${all.length} lines; the first ${places} are shown.`];
}

/** How to read the values that an answer omits. */
export const rest_of_values = 'get_solution with name "values" shows all';

/** States the answer in one sentence that claims only what was decided. */
function messageOf({ verdict, unchecked = [], or_elsewhere = "" }: Outcome, timeout_ms: number): string {
  switch (verdict.kind) {
    case "sat":
      return foundWords(verdict, unchecked);
    case "unsat":
      return impossibleWords(verdict, unchecked);
    case "undecided":
      if (verdict.claimed) return claimedWords(verdict.reason);
      return statusOf(verdict) === "timeout"
        ? `The time limit of ${timeout_ms} ms was reached; this is not a verdict. Raise timeout_ms, or simplify the model${or_elsewhere}.`
        : `Undecided (${reasonShown(verdict)}): neither satisfiable nor unsatisfiable was proved; this is not a verdict.`;
    default:
      return verdict satisfies never;
  }
}

function claimedWords(reason: string): string {
  const longer = /\btime\b/.test(reason) ? " Raise timeout_ms to give the second process more time." : "";
  return `Undecided: the program's process claims unsat, but nothing confirmed it; this is not a verdict. ${reason}${longer}`;
}

function foundWords(
  { witness, best, of_all, solutions, found, objective_bound }: Found,
  unchecked: readonly string[],
): string {
  if ("not_shown" in witness) return `Satisfiable; ${witness.not_shown}.`;
  if (of_all !== undefined) return `Satisfiable; ${of_all}.`;
  return `Satisfiable${whoseValues(witness.values, unchecked)}${bestWords(best, unchecked)}.${countOf(solutions)}${searchWords(found, best, objective_bound)}`;
}

function impossibleWords({ under, stated }: Impossible, unchecked: readonly string[]): string {
  if (under !== undefined) return `Unsatisfiable under ${under}; without them there may be a solution.`;
  const whose = stated && unchecked.length > 0 ? whoseValues(stated, unchecked) : "";
  return `Unsatisfiable: no values satisfy all constraints${whose}.`;
}

function countOf(solutions: Found["solutions"]): string {
  if (!solutions) return "";
  return solutions.length === 1 ? " 1 solution was found." : ` ${solutions.length} solutions were found.`;
}

/** Describes the result of a program's own search that ended with an unsat. */
function searchWords(found: number | undefined, best: Found["best"], bound: number | undefined): string {
  if (found === undefined) return "";
  const count = found === 1 ? "1 solution" : `${found} solutions`;
  const wanted = best?.proved === false && bound !== undefined ? `one beyond ${bound}` : "a better one";
  return best
    ? ` The program found ${count}; its last check, for ${wanted}, was unsat.`
    : ` The program found ${count}; its last check, with the constraints that it added to exclude ${found === 1 ? "it" : "them"}, was unsat: no others satisfy these.`;
}

/** States where the values come from: a solver or the program. */
function whoseValues(values: Values, unchecked: readonly string[]): string {
  const computed = unchecked.filter((name) => name in values);
  if (computed.length === 0) return ", with these values";
  if (computed.length >= Object.keys(values).length)
    return "; the program exports these values, which no solver checked";
  const names = computed.slice(0, model_limits.names_listed_max).join(", ");
  const more = computed.length > model_limits.names_listed_max ? " and others" : "";
  return `, with these values (the program computed ${names}${more}, which no solver checked)`;
}

function bestWords(best: Found["best"], unchecked: readonly string[]): string {
  if (best?.value === null || best?.value === undefined) return "";
  if (unchecked.includes("objective_value")) return "; the objective is a number that the program computed";
  if (best.is_claimed)
    return "; the program's process claims that no others have a better objective, but that is not confirmed";
  if (best.proved && unchecked.length > 0) return "; no solution has a better objective";
  if (best.proved && best.among !== undefined) return `, and no others ${best.among} have a better objective`;
  return best.proved ? ", and no others have a better objective" : "; others can have a better objective";
}
