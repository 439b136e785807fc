import type { MiniZinc, TakePlace } from "../../../../engines/minizinc/index.ts";
import { type Answer, Reader, readInterface, readTypes, type Type } from "../../../../engines/minizinc/read.ts";
import { namesLarge } from "../../../../evidence/flatzinc/trust.ts";
import type { Asking } from "../../../../evidence/minizinc/asking.ts";
import { howItEnded } from "../../../../evidence/minizinc/decide.ts";
import {
  namesWithValue,
  openEnums,
  placesOf,
  plainParameters,
  variablesIn,
} from "../../../../evidence/minizinc/declarations.ts";
import { readingTask } from "../../../../evidence/minizinc/question.ts";
import { type SolveItem, type Statement, solveItemOf, statementsOf } from "../../../../evidence/minizinc/statements.ts";
import { endOf } from "../../../../evidence/minizinc/tokens.ts";
import { functionsFor, hasFreeVariables, truths } from "../../../../evidence/minizinc/truths.ts";
import type { Deadline } from "../../../../kernel/deadline.ts";
import { cancelled, notRead, type Position, readTooLong } from "../../../../kernel/fault.ts";
import { correct_and_solve } from "../../../../kernel/step.ts";
import { type Edit, edited } from "../../../../kernel/text/edits.ts";
import { Lines } from "../../../../kernel/text/lines.ts";
import { joined } from "../../items/item_lines.ts";
import type { Items } from "../../items/items.ts";
import type { SolveContext } from "../../language.ts";
import { model_limits } from "../../limits.ts";
import { crashFault, faultOf } from "./faults.ts";
import { remainderBehind } from "./slips.ts";
import { type Data, enumDefinitions, type Parameters } from "./source/data.ts";
import { globalsWithoutInclude, ownGlobals, refuseOwnBuiltIns } from "./source/globals.ts";
import { ended, remainderCure, SourceLines, withBarsJoined } from "./source/source.ts";
import { tablesIn, withColumns, withEnums } from "./source/tables.ts";

/** The items as they are passed to MiniZinc. */
export interface Model {
  readonly items: Items;
  readonly statements: readonly Statement[];
  readonly lines: SourceLines;
  /** The complete text, which prints all variables and ends with the parts that the items omit. */
  readonly source: string;
  /** The parts that the items omit: a solve item, or the include for global constraints. */
  readonly tail: string;
  /** The global constraints for which the include was added. */
  readonly globals: readonly string[];
  /** The goal of the solve item; undefined if there is no solve item. */
  readonly goal: SolveItem["goal"] | undefined;
}

/** The resources that a `solve_model` call uses. */
export interface Call extends Asking {
  readonly engine: Pick<MiniZinc, "build" | "check">;
  readonly takePlace: TakePlace;
  readonly model: Model;
  /** The data in MiniZinc's format, if it was already written. */
  readonly data?: readonly string[];
  readonly context: SolveContext;
}

/** Reads the items of a model. Raises `syntax_error` and `forbidden`. */
export function readModel(sources: Items): Model {
  const items = sources.map(withBarsJoined).map(ended);
  const statements = statementsOf(items);
  refuseOwnBuiltIns(statements);
  const goal = solveItemOf(statements)?.goal;
  const globals = globalsWithoutInclude(statements);
  const rewritten = hasFreeVariables(statements) ? [] : truths(statements);
  const tail = [
    ...(goal === undefined ? ["solve satisfy;\n"] : []),
    ...(globals.length > 0 ? ['include "globals.mzn";\n'] : []),
    functionsFor(rewritten, statements),
  ].join("");
  const insertions = [...annotations(statements), ...rewritten];
  const source = sourceOf(edited(items, insertions), tail);
  return { items, statements, lines: new SourceLines(items, insertions), source, tail, globals, goal };
}

/**
 * Annotations that make MiniZinc print variables defined by an equation; if one variable is annotated, all others must
 * be, too. A model with its own output annotations gets none.
 */
function annotations(statements: readonly Statement[]): Edit[] {
  const declared = variablesIn(statements);
  const chosen = statements.some(({ tokens }) =>
    tokens.some(
      ({ text }, i) => /^(?:add_to_output|output|output_only|no_output)$/.test(text) && tokens[i - 1]?.text === "::",
    ),
  );
  const valued = namesWithValue(statements);
  if (chosen || !declared.some(({ name }) => valued.has(name.text))) return [];
  return declared.map(({ statement: { item }, name }) => {
    const end = endOf(name);
    return { item, start: end, end, text: " :: add_to_output" };
  });
}

/** Joins the items into one text, followed by `tail`, which contains the parts that they omit. */
export function sourceOf(items: Items, tail: string): string {
  return `${joined(items)}\n${tail}`;
}

/** Describes the parts that were added to the model for a call. */
export function additions({ goal, globals, statements }: Model): string[] {
  return [
    ...ownGlobals(statements),
    ...(goal === undefined ? ["The model has no solve item: `solve satisfy;` was added for this call."] : []),
    ...(globals.length > 0 ? [includeNote(globals)] : []),
  ];
}

/** Returns a note if the model has goals that gecode, chuffed, highs and coin-bc silently ignore. */
export function ignoredGoals({ statements }: Model): string[] {
  const has_goals = statements.some(({ tokens }) => tokens.some(({ text }) => text === "goal_hierarchy"));
  return has_goals
    ? [
        "goal_hierarchy is ignored by the solvers here: the values satisfy the constraints, but are not optimal. Write `solve minimize` with the first goal, fix its best value with a constraint, then minimise the next goal.",
      ]
    : [];
}

/** Describes the additions that an item needs so that MiniZinc can parse it. */
export function additionsTo(item: number, sources: Items, { items, statements, globals }: Model): string[] {
  const needs = globals.some((name) =>
    statements.some((statement) => statement.item === item && statement.tokens.some(({ text }) => text === name)),
  );
  return [
    ...(items[item]?.length === sources[item]?.length
      ? []
      : ["A semicolon was added after the last statement of the item."]),
    ...(needs ? [includeNote(globals)] : []),
    ...statements
      .filter((statement) => statement.item === item)
      .flatMap((statement) => lostParts(statement, items[item] ?? "")),
  ];
}

/** Finds comments within a statement that look as if they were meant as code, as in `x % 2 = 0`. */
function lostParts({ tokens }: Statement, text: string): string[] {
  return tokens.flatMap((_, at) => {
    const comment = remainderBehind(text, tokens, at);
    return comment === undefined ? [] : [remainderCure(comment)];
  });
}

function includeNote(globals: readonly string[]): string {
  const names = globals.slice(0, model_limits.names_listed_max).join(", ");
  return `\`include "globals.mzn";\` was added, which ${names} need${globals.length === 1 ? "s" : ""}.`;
}

/**
 * Returns the first position in the items of a number that this solver can't compute with, or of a variable that can
 * have such a value.
 */
export function placeOfDoubt(
  { items, statements }: Model,
  doubt: readonly string[],
  solver: string,
): Position | undefined {
  const names = new Set(doubt.map((each) => /^(\w+) (?:has no bounds|is too large)$/.exec(each)?.[1]));
  for (const { item, tokens } of statements) {
    const token = tokens.find(({ kind, text }) =>
      kind === "number" ? namesLarge(text, solver) : kind === "word" && names.has(text),
    );
    if (token) return { item, ...new Lines(items[item] ?? "").at(token.start) };
  }
  return undefined;
}

/** MiniZinc's messages about a model that was only parsed. */
export interface Reading {
  readonly answer: Answer;
  readonly lines: readonly string[];
}

/** The input for parsing: a model, and the data that defines its enums. */
export interface Read {
  readonly model: Model;
  readonly data: Data | undefined;
}

/** Has MiniZinc parse the model. Raises `engine_failed`, and `busy` or `input_rejected` if parsing takes too long. */
export async function reading(
  engine: Pick<MiniZinc, "build" | "check">,
  { model, data }: Read,
  deadline: Deadline,
  args: readonly string[],
): Promise<Reading> {
  const definitions = enumDefinitions(openEnums(model.statements), data);
  const source = [model.source, ...definitions.values()].join("\n");
  const reader = new Reader(0);
  const lines: string[] = [];
  const bounded = deadline.atMost(model_limits.minizinc_check_ms_max);
  const task = readingTask(source, args);
  const end = await engine.check(task, bounded, (line) => {
    lines.push(line);
    reader.take(line);
  });
  if (end === "expired") throw notRead("MiniZinc");
  const { ending } = end;
  const answer = reader.answer();
  if (answer.errors.length > 0 || (ending.kind === "exited" && ending.code === 0)) return { answer, lines };
  if (ending.kind === "stopped" && (ending.why === "cancelled" || ending.why === "closed")) throw cancelled();
  if (ending.kind === "stopped" && ending.why === "deadline") throw readTooLong("MiniZinc", source.length, smaller);
  throw crashFault(end.stderr, howItEnded(end), "compiler");
}

/** Returns the parameters whose values come from data. Raises the same faults as `reading`. */
export async function parametersOf(
  engine: Pick<MiniZinc, "build" | "check">,
  read: Read,
  deadline: Deadline,
): Promise<Parameters> {
  const { model, data } = read;
  const known = plainParameters(model.statements);
  if (known)
    return { types: known, enums: new Set(), places: placesOf(Object.keys(known), model.statements, model.items) };
  const { answer, lines } = await reading(engine, read, deadline, ["--model-interface-only", "--model-types-only"]);
  const [error] = answer.errors;
  if (error) throw faultOf(error, model.lines, [correct_and_solve]);
  const enums = openEnums(model.statements);
  // MiniZinc does not list an enum with a definition among the parameters without a value.
  const defined = [...enumDefinitions(enums, data).keys()].map((name) => [name, enum_type] as const);
  const types = { ...Object.fromEntries(defined), ...readInterface(lines) };
  return { types, enums: new Set(enums), places: placesOf(Object.keys(types), model.statements, model.items) };
}

const enum_type: Type = { type: "int", set: true, optional: false, dim: 0, dims: [] };

/**
 * The data, with parameters derived from its tables: enum members, columns, and numbers of rows. Raises as
 * `parametersOf` does.
 */
export async function dataFor(
  engine: MiniZinc,
  model: Model,
  { options: { data }, deadline }: Pick<SolveContext, "options" | "deadline">,
): Promise<{ readonly data: SolveContext["options"]["data"]; readonly notes: readonly string[] }> {
  const tables = tablesIn(data ?? {});
  if (data === undefined || tables.size === 0) return { data, notes: [] };
  const known = withEnums(data, openEnums(model.statements));
  const { types } = await parametersOf(engine, { model, data: known }, deadline);
  const shaped = withColumns(known, types);
  const is_used = Object.keys(shaped).length > Object.keys(data).length - tables.size;
  const [name = "", rows = []] = [...tables][0] ?? [];
  const [column = ""] = Object.keys(rows[0] ?? {});
  const unused = `No parameter uses the tables: declare, for example, \`int: n_${name};\` and \`array[1..n_${name}] of int: ${name}_${column};\`.`;
  return { data: shaped, notes: is_used ? [] : [unused] };
}

/** Returns the types of all variables and parameters in a model. Raises the same faults as `reading`. */
export async function typesOf(
  engine: Pick<MiniZinc, "build" | "check">,
  read: Read,
  deadline: Deadline,
): Promise<Readonly<Record<string, Type>>> {
  const { lines } = await reading(engine, read, deadline, ["--model-interface-only", "--model-types-only"]);
  return readTypes(lines);
}

const smaller = "make the model smaller: use loops instead of written-out constraints, and pass large tables as data";
