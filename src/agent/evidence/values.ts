import * as z from "zod/v4";
import type { CallRecord } from "./calls.ts";
import { asRecord, type JsonRecord } from "./json.ts";

/** A value of the answer: its name in the question's terms, and its path in the tool's answer. */
export const value_reference = z.object({
  name: z.string().min(1).max(200).describe("The name in the words of the question."),
  from: z
    .string()
    .min(1)
    .max(500)
    .describe('Its place in the last answer: the name of a value, with indices, such as "start[2]", or "objective".'),
});

export type ValueReference = z.output<typeof value_reference>;

/** The values found, and the references that could not be resolved. */
export interface Resolved {
  readonly values: JsonRecord;
  readonly missing: readonly ValueReference[];
}

/**
 * Takes an answer's values from a tool's structured answer: the language model only specifies paths, and never writes a
 * value itself. Without references, the answer contains all of the tool's values.
 */
export function resolveValues(references: readonly ValueReference[], record: CallRecord): Resolved {
  if (references.length === 0) return { values: allValues(record), missing: [] };
  const resolved = references.map((reference) => ({ reference, value: valueAt(reference.from, record) }));
  const present = resolved.filter(({ value }) => value !== undefined);
  return {
    values: Object.fromEntries(present.map(({ reference, value }) => [reference.name, value])),
    missing: resolved.filter(({ value }) => value === undefined).map(({ reference }) => reference),
  };
}

/** All values in a solver's answer, in a form that JSON can represent; empty if there are none. */
export function allValues(record: CallRecord): JsonRecord {
  const values = solverValues(record);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inJson(value, record)]));
}

/** The names that a reference can start with. */
export function namesIn(record: CallRecord): readonly string[] {
  return [...new Set([...Object.keys(allValues(record)), ...Object.keys(answerFields(record))])];
}

/**
 * The fields that can hold one of the answer's values. Other fields hold bounds, times or text printed by the model's
 * own program; the language model could make up a value in such text.
 */
const answer_fields: ReadonlySet<string> = new Set([
  ...["values", "model", "objective", "objective_value", "objectives"],
  ...["solutions", "count", "backbone", "k_best", "diverse", "unsat_items", "unsat_core"],
  ...["counterexamples", "triggering_inputs", "distinguishing_input"],
  ...["branches", "total_branches", "reachable_branches", "dead_code_lines", "cyclomatic_complexity"],
]);

/** A program can export values along with an `unsat` or an `unknown`; these are not a solution. */
const fields_with_values: ReadonlySet<string> = new Set(["values", "model", "objective", "objective_value"]);

function answerFields({ structured }: CallRecord): JsonRecord {
  const has_none = ["unsat", "unknown"].includes(String(structured["status"]));
  const fields = Object.entries(structured).filter(
    ([name]) => answer_fields.has(name) && !(has_none && fields_with_values.has(name)),
  );
  return Object.fromEntries(fields);
}

function solverValues(record: CallRecord): JsonRecord {
  const fields = answerFields(record);
  return asRecord(fields["values"] ?? fields["model"]);
}

/**
 * The value at a path such as `start[2].end` or `at["Ann"]`, looked up first in the values, then in the fields of the
 * answer.
 */
function valueAt(path: string, record: CallRecord): unknown {
  const values = solverValues(record);
  // A solver's variable name can itself look like a path.
  if (Object.hasOwn(values, path)) return inJson(values[path], record);
  const steps = stepsOf(path);
  if (!steps) return undefined;
  const value = [values, answerFields(record)].map((root) => follow(root, steps)).find((value) => value !== undefined);
  return inJson(value, record);
}

type Step = string | number;

function stepsOf(path: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  const step = /(?:^|\.)([^.[\]"]+)|\[(-?\d+)\]|\["([^"]*)"\]/gy;
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    if (!match) return undefined;
    const [, name, index, key] = match;
    steps.push(index === undefined ? (name ?? key ?? "") : Number(index));
  }
  return steps.length === 0 ? undefined : steps;
}

function follow(root: unknown, steps: readonly Step[]): unknown {
  let at = root;
  for (const step of steps) {
    if (Array.isArray(at)) at = typeof step === "number" ? at[step] : undefined;
    else at = Object.hasOwn(asRecord(at), step) ? asRecord(at)[step] : undefined;
  }
  return at;
}

/** Converts SMT-LIB numerals and truth values to JSON values; a value that JSON cannot represent stays a string. */
function inJson(value: unknown, { tool }: CallRecord): unknown {
  if (tool !== "solve_smtlib" || typeof value !== "string") return value;
  if (value === "true" || value === "false") return value === "true";
  const number = /^(\d+)(?:\.0)?$|^\(- (\d+)(?:\.0)?\)$/.exec(value);
  if (!number) return value;
  const read = number[1] === undefined ? -Number(number[2]) : Number(number[1]);
  return Number.isSafeInteger(read) ? read : value;
}
