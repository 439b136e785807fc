import * as z from "zod/v4";
import { limits } from "../../kernel/limits.ts";
import { cut } from "../../kernel/text/cut.ts";
import type { Rendering } from "../../kernel/tool.ts";
import type { Outcome } from "./language.ts";
import { fitTexts, fitValue, fitValues } from "./solution/fit.ts";
import { remarks } from "./solution/remarks.ts";

const values = z.record(z.string(), z.unknown());

/** What `solve_model` answers: the fields of source 001 and of the paper together, and some of ours. */
export const solve_output = z.object({
  status: z.enum(["sat", "unsat", "unknown", "timeout"]),
  satisfiable: z.boolean().nullable(),
  model: values.nullable(),
  objective_value: z.unknown(),
  optimal: z.boolean().nullable(),
  confirmed: z.boolean().optional(),
  unchecked: z.array(z.string()).optional().describe("Values that the program computed; confirmed leaves them out."),
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
  warnings: z.array(z.string()),
  engine: z.string(),
});

export type SolveAnswer = z.output<typeof solve_output>;

const { answer_values_chars_max, answer_lines_chars_max, unsat_items_max, unsat_item_chars_max } = limits;

/** The answer for an outcome, cut to what one answer holds. */
export function solveAnswer(outcome: Outcome, timeout_ms: number, solve_time: number): SolveAnswer {
  const { status, reason, unsat_core, unsat_items, solutions, objective_bound } = outcome;
  const fitted = outcome.model && fitValues(outcome.model, answer_values_chars_max);
  const model = fitted?.values ?? null;
  const objective = fitValue(outcome.objective_value ?? null, answer_values_chars_max).value;
  return {
    status,
    satisfiable: status === "sat" ? true : status === "unsat" ? false : null,
    model,
    objective_value: objective,
    optimal: outcome.optimal,
    ...(outcome.confirmed !== undefined && { confirmed: outcome.confirmed }),
    ...(outcome.unchecked?.length && { unchecked: fitTexts(outcome.unchecked, answer_lines_chars_max) }),
    statistics: fitValues(outcome.statistics, answer_lines_chars_max).values,
    error: null,
    success: true,
    message: messageOf(outcome, timeout_ms),
    values: model,
    objective,
    solve_time,
    output: fitTexts(outcome.output, answer_lines_chars_max),
    ...(reason !== undefined && { reason: cut(reason, answer_lines_chars_max) }),
    ...(unsat_core && { unsat_core: fitTexts(unsat_core, answer_lines_chars_max) }),
    ...(unsat_items && { unsat_items: shownItems(unsat_items) }),
    ...(solutions && { solutions: fitSolutions(solutions, answer_values_chars_max) }),
    ...(objective_bound !== undefined && { objective_bound }),
    warnings: fitTexts(
      [...cutValues(fitted?.short), ...cutItems(unsat_items), ...cutSolutions(solutions), ...outcome.warnings],
      answer_lines_chars_max,
    ),
    engine: outcome.engine,
  };
}

/** As many solutions as fit, the first ones; of a first one that is too long, its beginning. */
function fitSolutions(all: NonNullable<Outcome["solutions"]>, chars_max: number): Record<string, unknown>[] {
  let room = chars_max;
  const fitting = all.findIndex((solution) => {
    room -= JSON.stringify(solution).length;
    return room < 0;
  });
  const [first] = all;
  if (fitting === 0 && first) return [fitValues(first, chars_max).values];
  return all.slice(0, fitting < 0 ? all.length : fitting).map((solution) => ({ ...solution }));
}

function cutSolutions(all: Outcome["solutions"]): string[] {
  const shown = all && fitSolutions(all, answer_values_chars_max).length;
  return all && shown !== undefined && shown < all.length ? [restOfSolutions(shown, all.length)] : [];
}

function restOfSolutions(shown: number, found: number): string {
  const first = shown === 1 ? "the first one is" : `the first ${shown} are`;
  return `${found} solutions were found; ${first} shown. get_solution with name "solutions" and from_index ${shown} shows more.`;
}

function shownItems(all: NonNullable<Outcome["unsat_items"]>): NonNullable<SolveAnswer["unsat_items"]> {
  return all.slice(0, unsat_items_max).map((place) => ({ ...place, text: cut(place.text, unsat_item_chars_max) }));
}

function cutItems(all: Outcome["unsat_items"]): string[] {
  if (!all || all.length <= unsat_items_max) return [];
  return [`The conflict has ${all.length} places; the first ${unsat_items_max} are shown.`];
}

function cutValues(short: readonly string[] = []): string[] {
  if (short.length === 0) return [];
  const names = short.slice(0, limits.names_listed_max).join(", ");
  const more = short.length > limits.names_listed_max ? `, and ${short.length - limits.names_listed_max} more` : "";
  return [`Too long for one answer, cut or left out: ${names}${more}. get_solution reads them, with indices by parts.`];
}

/** The answer in one sentence that claims nothing that was not decided. */
function messageOf({ status, model, reason, ...outcome }: Outcome, timeout_ms: number): string {
  switch (status) {
    case "sat":
      return model
        ? `Satisfiable${valuesOf(model, outcome.unchecked)}${bestOf(outcome)}.${countOf(outcome.solutions)}`
        : "Satisfiable; no values were exported.";
    case "unsat":
      return outcome.under === undefined
        ? `Unsatisfiable: no values meet all constraints${model && outcome.unchecked?.length ? valuesOf(model, outcome.unchecked) : ""}.`
        : `Unsatisfiable under ${outcome.under}; without them there may be a solution.`;
    case "unknown":
      return `Undecided${reason === undefined ? "" : ` (${reason})`}: neither satisfiable nor unsatisfiable was shown; this is not a verdict.`;
    case "timeout":
      return `The time limit of ${timeout_ms} ms was reached; this is not a verdict. Raise timeout_ms, or make the model easier.`;
  }
}

function countOf(solutions: Outcome["solutions"]): string {
  if (!solutions) return "";
  return solutions.length === 1 ? " 1 solution was found." : ` ${solutions.length} solutions were found.`;
}

/** Whose the values are: a solver's, or the program's own. */
function valuesOf(model: NonNullable<Outcome["model"]>, unchecked: Outcome["unchecked"] = []): string {
  const computed = unchecked.filter((name) => name in model);
  if (computed.length === 0) return ", with these values";
  if (computed.length >= Object.keys(model).length)
    return "; the program exports these values, which no solver checked";
  const names = computed.slice(0, limits.names_listed_max).join(", ");
  const more = computed.length > limits.names_listed_max ? " and others" : "";
  return `, with these values (the program computed ${names}${more}, which no solver checked)`;
}

function bestOf({ objective_value, optimal, unchecked }: Pick<Outcome, "objective_value" | "optimal" | "unchecked">) {
  if (objective_value === null || objective_value === undefined) return "";
  if (unchecked?.includes("objective_value")) return "; the objective is a number of the program's own";
  if (optimal && unchecked?.length) return "; no solution has a better objective";
  return optimal ? ", and no others have a better objective" : "; others may have a better objective";
}

/** The answer for reading; lines of the program begin with a bar, so that none can be taken for ours. */
export function renderSolve(answer: SolveAnswer): Rendering {
  const { status, message, unsat_core, unsat_items = [], output, solutions = [] } = answer;
  const lines = [
    status,
    message,
    ...(solutions.length > 1 ? linesOf(solutions) : assignments(answer.model ?? {})),
    ...(answer.objective === null ? [] : [`objective: ${JSON.stringify(answer.objective)}`]),
    ...(unsat_core ? [`unsat core: ${unsat_core.join(", ")}`] : []),
    ...unsat_items.map(({ item, line, text }) => `item ${item}, line ${line}: ${text}`),
    ...(output.length > 0 ? ["output:", ...output.map(barred)] : []),
  ];
  return [lines.join("\n"), ...remarks(answer.warnings)];
}

function assignments(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
}

/** Each solution on a line with its number, as many as an answer should have. */
function linesOf(solutions: NonNullable<SolveAnswer["solutions"]>): string[] {
  const all = solutions.map((solution, i) => `solution ${i}: ${lineOf(solution)}`);
  let left = limits.solutions_text_chars_max;
  const end = all.findIndex((line, i) => {
    left -= line.length;
    return left < 0 && i > 0;
  });
  if (end < 0) return all.map((line) => cut(line, answer_values_chars_max));
  const next = `… get_solution with name "solutions" and from_index ${end} shows more`;
  return [...all.slice(0, end).map((line) => cut(line, answer_values_chars_max)), next];
}

/** An answer set is read by its atoms, any other solution by its values. */
function lineOf(solution: Readonly<Record<string, unknown>>): string {
  const atoms: unknown = solution["atoms"];
  const is_answer_set = Array.isArray(atoms) && atoms.every((atom) => typeof atom === "string");
  return is_answer_set ? atoms.join(" ") : assignments(solution).join(", ");
}

function barred(line: string): string {
  return line.replaceAll(/^/gm, "| ");
}
