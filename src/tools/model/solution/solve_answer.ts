import * as z from "zod/v4";
import { limits } from "../../../kernel/limits.ts";
import { cut } from "../../../kernel/text/cut.ts";
import type { Rendering } from "../../../kernel/tool.ts";
import { reasonShown } from "../../reason_shown.ts";
import type { Certificate, Conflict, Found, Impossible, Outcome, SolveVerdict, Values } from "../language.ts";
import { model_limits } from "../limits.ts";
import { why_output, whyAnswer, whyLines } from "../why/answer.ts";
import { all_output, answerFields, answerLines, answerSentence, answerWarnings } from "./all_answer.ts";
import { fitTexts, fitValue, fitValues } from "./fit.ts";
import { incumbents_output } from "./incumbents.ts";
import { remarks } from "./remarks.ts";

const values = z.record(z.string(), z.unknown());

/**
 * The answer of `solve_model`: the fields of the original MCP-Solver and of its paper together, and some of Verdict's.
 */
export const solve_output = z.object({
  status: z.enum(["sat", "unsat", "unknown", "timeout"]),
  satisfiable: z.boolean().nullable(),
  model: values.nullable(),
  objective_value: z.unknown(),
  optimal: z.boolean().nullable(),
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
  values: values.nullable(),
  objective: z.unknown(),
  solve_time: z.number().describe("Seconds."),
  output: z.array(z.string()),
  reason: z.string().optional(),
  unsat_core: z.array(z.string()).optional(),
  unsat_items: z.array(z.object({ item: z.int(), line: z.int(), text: z.string() })).optional(),
  solutions: z.array(values).optional(),
  objective_bound: z.number().optional(),
  incumbents: incumbents_output.optional().describe("Better solutions as they were found."),
  why: why_output.optional(),
  ...all_output,
  warnings: z.array(z.string()),
  engine: z.string(),
});

export type SolveAnswer = z.output<typeof solve_output>;

const { answer_values_chars_max, unsat_items_max, unsat_item_chars_max } = model_limits;
const { answer_lines_chars_max } = limits;

/** The word for a verdict: a time limit has its own. */
export function statusOf(verdict: SolveVerdict): SolveAnswer["status"] {
  if (verdict.kind !== "undecided") return verdict.kind;
  return verdict.cause === "time" || verdict.cut_by === "time" ? "timeout" : "unknown";
}

/** The values of a solution, or those that the program exports with another verdict; null if there are none. */
export function valuesOf(verdict: SolveVerdict): Values | null {
  if (verdict.kind !== "sat") return verdict.stated ?? null;
  return "values" in verdict.witness ? verdict.witness.values : null;
}

/** The fields of one kind of verdict. */
interface Parts {
  readonly satisfiable: boolean | null;
  readonly best?: Found["best"];
  /** Fields of the answer that other kinds do not have. */
  readonly fields: Pick<SolveAnswer, "reason" | "unsat_core" | "unsat_items" | "solutions" | "objective_bound">;
  /** The parts that were cut off. */
  readonly cut: readonly string[];
}

function partsOf(verdict: SolveVerdict): Parts {
  switch (verdict.kind) {
    case "sat":
      return solutionParts(verdict);
    case "unsat":
      return { satisfiable: false, ...conflictParts(verdict.core ?? {}) };
    case "undecided":
      return { satisfiable: null, fields: { reason: cut(reasonShown(verdict), answer_lines_chars_max) }, cut: [] };
    default:
      return verdict satisfies never;
  }
}

function solutionParts({ best, solutions, objective_bound }: Found): Parts {
  return {
    satisfiable: true,
    ...(best && { best }),
    fields: {
      ...(solutions && { solutions: fitSolutions(solutions, answer_values_chars_max) }),
      ...(objective_bound !== undefined && { objective_bound }),
    },
    cut: cutSolutions(solutions),
  };
}

function conflictParts({ names, items }: Conflict): Pick<Parts, "fields" | "cut"> {
  return {
    fields: {
      ...(names && { unsat_core: fitTexts(names, answer_lines_chars_max) }),
      ...(items && { unsat_items: shownItems(items) }),
    },
    cut: cutItems(items),
  };
}

/** The answer for an outcome, cut to the size of one answer. */
export function solveAnswer(outcome: Outcome, timeout_ms: number, solve_time: number): SolveAnswer {
  const { verdict } = outcome;
  const values = valuesOf(verdict);
  const fitted = values && fitValues(values, answer_values_chars_max);
  const model = fitted?.values ?? null;
  const { satisfiable, best, fields, cut: cut_off } = partsOf(verdict);
  const objective = fitValue(best?.value ?? null, answer_values_chars_max).value;
  return {
    status: statusOf(verdict),
    satisfiable,
    model,
    objective_value: objective,
    optimal: best?.proved ?? null,
    ...(outcome.confirmed !== undefined && { confirmed: outcome.confirmed }),
    ...(outcome.unchecked?.length && { unchecked: fitTexts(outcome.unchecked, answer_lines_chars_max) }),
    ...(outcome.confirmed_by && { confirmed_by: [...outcome.confirmed_by] }),
    ...(outcome.unconfirmed !== undefined && { unconfirmed: cut(outcome.unconfirmed, answer_lines_chars_max) }),
    ...(outcome.certificate && { certificate: certificateShown(outcome.certificate) }),
    statistics: fitValues(outcome.statistics, answer_lines_chars_max).values,
    error: null,
    success: true,
    message: `${messageOf(outcome, timeout_ms)}${answerSentence(outcome.all_answer, best !== undefined)}`,
    values: model,
    objective,
    solve_time,
    output: fitTexts(outcome.output, answer_lines_chars_max),
    ...fields,
    ...(outcome.why && { why: whyAnswer(outcome.why) }),
    ...answerFields(outcome.all_answer),
    warnings: fitTexts(
      [...cutValues(fitted?.short), ...cut_off, ...answerWarnings(outcome.all_answer), ...outcome.warnings],
      answer_lines_chars_max,
    ),
    engine: outcome.engine,
  };
}

function certificateShown({ is_refused: _, ...certificate }: Certificate): NonNullable<SolveAnswer["certificate"]> {
  return certificate;
}

/** As many solutions as fit, the first ones; if even the first one is too long, its beginning. */
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

function cutSolutions(all: Found["solutions"]): string[] {
  const shown = all && fitSolutions(all, answer_values_chars_max).length;
  return all && shown !== undefined && shown < all.length ? [restOfSolutions(shown, all.length)] : [];
}

function restOfSolutions(shown: number, count: number): string {
  const first = shown === 1 ? "the first one is" : `the first ${shown} are`;
  return `${count} solutions were found; ${first} shown. get_solution with name "solutions" and from_index ${shown} shows more.`;
}

function shownItems(all: NonNullable<Conflict["items"]>): NonNullable<SolveAnswer["unsat_items"]> {
  return all.slice(0, unsat_items_max).map((place) => ({ ...place, text: cut(place.text, unsat_item_chars_max) }));
}

function cutItems(all: Conflict["items"]): string[] {
  if (!all || all.length <= unsat_items_max) return [];
  return [`The conflict has ${all.length} places; the first ${unsat_items_max} are shown.`];
}

function cutValues(short: readonly string[] = []): string[] {
  if (short.length === 0) return [];
  const names = short.slice(0, model_limits.names_listed_max).join(", ");
  const more =
    short.length > model_limits.names_listed_max ? `, and ${short.length - model_limits.names_listed_max} more` : "";
  return [
    `Too long for one answer, shortened or left out: ${names}${more}. Read them with get_solution, using indices for parts.`,
  ];
}

/** The answer in one sentence that claims nothing that was not decided. */
function messageOf({ verdict, unchecked = [], engine }: Outcome, timeout_ms: number): string {
  switch (verdict.kind) {
    case "sat":
      return foundWords(verdict, unchecked);
    case "unsat":
      return impossibleWords(verdict, unchecked);
    case "undecided":
      return statusOf(verdict) === "timeout"
        ? `The time limit of ${timeout_ms} ms was reached; this is not a verdict. Raise timeout_ms, or make the model easier${elsewhere(engine)}.`
        : `Undecided (${reasonShown(verdict)}): neither satisfiable nor unsatisfiable was proved; this is not a verdict.`;
    default:
      return verdict satisfies never;
  }
}

/** Another solver to try. Z3 is slow with counting, sums and schedules, where other solvers are quick. */
function elsewhere(engine: string): string {
  return /^z3\b/.test(engine)
    ? ", or state it in language minizinc with solver highs (counting, sums) or in language cpmpy (schedules, routes)"
    : "";
}

function foundWords({ witness, best, of_all, solutions }: Found, unchecked: readonly string[]): string {
  if ("not_shown" in witness) return `Satisfiable; ${witness.not_shown}.`;
  if (of_all !== undefined) return `Satisfiable; ${of_all}.`;
  return `Satisfiable${whoseValues(witness.values, unchecked)}${bestWords(best, unchecked)}.${countOf(solutions)}`;
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

/** The origin of the values: a solver, or the program. */
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
  if (best.proved && unchecked.length > 0) return "; no solution has a better objective";
  return best.proved ? ", and no others have a better objective" : "; others can have a better objective";
}

/** The answer as text; lines of the program begin with a bar, so that they can't be mistaken for Verdict's own. */
export function renderSolve(answer: SolveAnswer): Rendering {
  const { status, message, unsat_core, unsat_items = [], output, solutions = [] } = answer;
  const lines = [
    status,
    message,
    ...(solutions.length > 1 ? linesOf(solutions) : assignments(answer.model ?? {})),
    ...(answer.objective === null ? [] : [`objective: ${JSON.stringify(answer.objective)}`]),
    ...answerLines(answer),
    ...(unsat_core ? [`unsat core: ${unsat_core.join(", ")}`] : []),
    ...unsat_items.map(({ item, line, text }) => `item ${item}, line ${line}: ${text}`),
    ...(answer.why ? whyLines(answer.why) : []),
    ...(output.length > 0 ? ["output:", ...output.map(barred)] : []),
  ];
  const second = answer.confirmed_by
    ? [`confirmed by ${answer.confirmed_by.join(", ")}`]
    : answer.unconfirmed
      ? [`unconfirmed: ${answer.unconfirmed}`]
      : [];
  const proof = answer.certificate ? [certificateLine(answer.certificate)] : [];
  return [[...lines, ...second, ...proof].join("\n"), ...remarks(warningsOfText(answer, lines))];
}

function certificateLine({ checked, by, steps, file, reason }: NonNullable<SolveAnswer["certificate"]>): string {
  if (!checked) return `certificate: none that was checked (${reason ?? "no reason"})`;
  const files = file === undefined ? "" : `, kept as ${file}.drat and ${file}.cnf`;
  return `certificate: DRAT proof of ${by ?? "a solver"}, ${steps ?? 0} steps, checked${files}`;
}

/** The warnings, but where the text shows fewer solutions than the structured answer: then it says itself what comes next. */
function warningsOfText({ warnings, solutions = [] }: SolveAnswer, lines: readonly string[]): string[] {
  const shows_fewer = lines.some((line) => line.startsWith(more_solutions));
  const rest = `from_index ${solutions.length} shows more.`;
  return shows_fewer ? warnings.filter((warning) => !warning.endsWith(rest)) : warnings;
}

function assignments(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
}

/** Begins the line after the last solution of the text. */
const more_solutions = '… get_solution with name "solutions"';

/** Each solution on a line with its number, as many as an answer should have. */
function linesOf(solutions: NonNullable<SolveAnswer["solutions"]>): string[] {
  const all = solutions.map((solution, i) => `solution ${i}: ${lineOf(solution)}`);
  let left = model_limits.solutions_text_chars_max;
  const end = all.findIndex((line, i) => {
    left -= line.length;
    return left < 0 && i > 0;
  });
  if (end < 0) return all.map((line) => cut(line, answer_values_chars_max));
  const next = `${more_solutions} and from_index ${end} shows more`;
  return [...all.slice(0, end).map((line) => cut(line, answer_values_chars_max)), next];
}

/** An answer set is shown by its atoms, any other solution by its values. */
function lineOf(solution: Readonly<Record<string, unknown>>): string {
  const atoms: unknown = solution["atoms"];
  const is_answer_set = Array.isArray(atoms) && atoms.every((atom) => typeof atom === "string");
  return is_answer_set ? atoms.join(" ") : assignments(solution).join(", ");
}

function barred(line: string): string {
  return line.replaceAll(/^/gm, "| ");
}
