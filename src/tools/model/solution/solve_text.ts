import { limits } from "../../../kernel/limits.ts";
import { fitLines, fitListing, isZero } from "../../../kernel/text/fit.ts";
import { visibleLine, visibleName } from "../../../kernel/text/visible.ts";
import type { Rendering } from "../../../kernel/tool.ts";
import { gridLines } from "../../../viewer/drawings/lines.ts";
import { tablesOf } from "../../../viewer/figures/tables.ts";
import { checkerStatus } from "../checker/result.ts";
import { lineShown } from "../language.ts";
import { changeLines } from "../plans/changes.ts";
import { tableLines, whyNotLines } from "../plans/rows.ts";
import { whyLines } from "../why/answer.ts";
import { accountLines } from "./account.ts";
import { answerLines } from "./all_answer.ts";
import { remarks } from "./remarks.ts";
import { rest_of_values, type SolveAnswer } from "./solve_answer.ts";

/**
 * Formats the answer as text. The program's output comes first, with a bar before each line, so that it can't be
 * mistaken for Verdict's own text.
 */
export function renderSolve(answer: SolveAnswer): Rendering {
  const { status, message, unsat_core, unsat_items = [], output, solutions = [] } = answer;
  const printed = output.length > 0 ? ["output:", ...output.flatMap(barred)] : [];
  const values = solutions.length > 1 ? linesOf(solutions) : valueLines(answer.model ?? {}, answer.index_names);
  const lines = [
    `${status}${checkerStatus(answer.checker?.status)}`,
    message,
    ...(answer.violations ?? []).map((text) => `violation: ${visibleName(text)}`),
    ...printed,
    ...(printed.length > 0 && values.length > 0 ? ["values:"] : []),
    ...values,
    ...(answer.objective === null ? [] : [`objective: ${JSON.stringify(answer.objective)}`]),
    ...accountLines(answer),
    ...changeLines(answer.keep),
    ...(answer.why_not ? whyNotLines(answer.why_not) : []),
    ...tableLines(answer.what_if ?? []),
    ...answerLines(answer),
    ...(unsat_core ? [`unsat core: ${unsat_core.map(visibleName).join(", ")}`] : []),
    ...unsat_items.map(lineShown),
    ...(answer.why ? whyLines(answer.why) : []),
  ];
  const second = answer.confirmed_by
    ? [`confirmed by ${answer.confirmed_by.join(", ")}`]
    : answer.unconfirmed
      ? [`unconfirmed: ${answer.unconfirmed}`]
      : [];
  const proof = answer.certificate ? [certificateLine(answer.certificate)] : [];
  // Text from the model is part of many lines, but can't look like another line.
  return [[...lines, ...second, ...proof].map(visibleLine).join("\n"), ...remarks(warningsOfText(answer, lines))];
}

function certificateLine({ checked, by, steps, file, reason }: NonNullable<SolveAnswer["certificate"]>): string {
  if (!checked) return `certificate: none was checked (${reason ?? "no reason"})`;
  const files = file === undefined ? "" : `, saved as ${file}.drat and ${file}.cnf`;
  return `certificate: DRAT proof of ${by ?? "a solver"}, ${steps ?? 0} steps, checked${files}`;
}

/**
 * Returns the warnings for the text. If the text shows fewer solutions than the structured answer, the warning about
 * more solutions is omitted, since the text itself says how to get more.
 */
function warningsOfText({ warnings, solutions = [] }: SolveAnswer, lines: readonly string[]): string[] {
  const shows_fewer = lines.some((line) => line.startsWith(more_solutions));
  const rest = `from_index ${solutions.length} shows more.`;
  return shows_fewer ? warnings.filter((warning) => !warning.endsWith(rest)) : warnings;
}

function assignments(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).map(([name, value]) => `${visibleName(name)} = ${JSON.stringify(value)}`);
}

/** How the line after the last solution in the text starts. */
const more_solutions = '… get_solution with name "solutions"';

/** Formats the solutions as numbered lines, as many as an answer's text should contain. */
function linesOf(solutions: NonNullable<SolveAnswer["solutions"]>): string[] {
  const all = solutions.map((solution, i) => `solution ${i}: ${lineOf(solution)}`);
  const shown = fitLines(all.map(visibleLine), limits.values_text_chars_max);
  return shown.length === all.length
    ? shown
    : [...shown, `${more_solutions} and from_index ${shown.length} shows more`];
}

/** Formats the values of one solution as lines and tables. */
function valueLines(values: Readonly<Record<string, unknown>>, index_names: SolveAnswer["index_names"]): string[] {
  const tables = tablesOf(values, index_names);
  const in_tables = new Set(tables.flatMap(({ uses }) => uses));
  const others = Object.entries(values).filter(([name]) => !in_tables.has(name));
  const rows = tables.flatMap(gridLines);
  const lines = [...assignments(Object.fromEntries(others)).map(visibleLine), ...rows.map(visibleName)];
  const { shown, left_out } = fitListing(
    lines,
    others.map(([, value]) => isZero(value)),
    rows.length > 0 ? "lines" : "values",
  );
  // A truncated value has a remark on a separate line.
  const each = shown.flatMap((line) => line.split("\n"));
  return left_out === undefined ? each : [...each, `… not shown: ${left_out}; ${rest_of_values}`];
}

/** Formats a solution on one line: an answer set by its atoms, any other solution by its values. */
function lineOf(solution: Readonly<Record<string, unknown>>): string {
  const atoms: unknown = solution["atoms"];
  const is_answer_set = Array.isArray(atoms) && atoms.every((atom) => typeof atom === "string");
  return is_answer_set ? atoms.join(" ") : assignments(solution).join(", ");
}

function barred(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => `| ${line}`);
}
