import * as z from "zod/v4";
import { isObject } from "../../kernel/arguments.ts";
import { Fault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import { fitTexts, fitValue } from "../../kernel/text/fit.ts";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import { indexNamed, model_id } from "./arguments.ts";
import { bundleOfModel } from "./bundle/of_model.ts";
import { isZip, writeZip } from "./bundle/write.ts";
import type { Roots } from "./data/roots.ts";
import { freeTarget, saveValues } from "./data/save.ts";
import type { Model, Solution } from "./items/model.ts";
import { lastSolution } from "./items/model.ts";
import type { Store } from "./items/store.ts";
import { model_limits } from "./limits.ts";
import { remarks } from "./solution/remarks.ts";
import { stepsAsText, valueAt } from "./solution/value_at.ts";

const error = 'indices must be a list of integers and strings, for instance [0, "a"].';
const step = z.union([z.number().meta({ type: "integer" }), z.string()], { error });

const input = z.strictObject({
  name: z.string({ error: "name must be a string: the name of a value of the last solution." }),
  indices: z.array(step, { error }).default([]).describe("Path into lists (from 0) and objects."),
  from_index: indexNamed("from_index").optional().describe("First element to show."),
  save: z
    .string({ error: "save must be a path: the file to write." })
    .optional()
    .describe("File to write: .csv, .xlsx, .json, .html, .ics; .zip: a bundle for rerun."),
  overwrite: z.boolean({ error: "overwrite must be true or false." }).optional(),
  model_id,
});

const output = z.object({
  status: z.literal("ok"),
  name: z.string(),
  indices: z.array(step),
  value: z.unknown(),
  /** The file that was written. */
  saved: z.string().optional(),
  warnings: z.array(z.string()).optional(),
});

/** `get_solution`: returns one value of the last solution, or part of that value. */
export function getSolution(store: Store, places: Roots): Tool {
  return defineTool({
    name: "get_solution",
    description: 'A value of the last solve_model, or a part of it. Name "values" or "solutions": all of them.',
    annotations: annotated("Show a value of the solution", "adds"),
    input,
    output,
    listed_output: ["status"],
    limit_ms: () => model_limits.change_ms_max,
    question: "of_session",
    async run({ name, indices, from_index = 0, save, overwrite = false, model_id }, { deadline }) {
      const model = store.at(model_id);
      const solution = lastSolution(model);
      if (save !== undefined && isZip(save)) {
        await freeTarget(save, { ...places, overwrite });
        await writeZip(save, await bundleOfModel(model, solution, deadline), { ...places, overwrite });
        return { status: "ok" as const, name, indices, value: solution.about?.answer["message"], saved: save };
      }
      const selected = partFrom(valueAt(valuesOf(solution), name, indices), from_index);
      if (save !== undefined) {
        const named = name === "values" && indices.length === 0 && isObject(selected) ? selected : { [name]: selected };
        await saveValues(save, named, indexNamesOf(solution), { ...places, overwrite });
      }
      const { value, whole } = fitValue(selected, limits.answer_chars_max);
      const warnings = [
        ...(whole ? [] : [restOf(value, selected, from_index)]),
        ...outdated(model, solution),
        ...broken(solution),
      ];
      const said = { ...(save !== undefined && { saved: save }), ...(warnings.length > 0 && { warnings }) };
      return { status: "ok" as const, name, indices, value, ...said };
    },
    render: ({ name, indices, value, saved, warnings }) => [
      `${stepsAsText(name, indices)} = ${JSON.stringify(value)}`,
      ...(saved === undefined ? [] : [`Saved as ${saved}.`]),
      ...remarks(warnings),
    ],
  });
}

function indexNamesOf({ stored }: Solution) {
  return stored && "values" in stored ? stored.index_names : undefined;
}

/** Returns the elements of a list or an object from this index onwards. Raises `invalid_argument`. */
function partFrom(value: unknown, from_index: number): unknown {
  if (from_index === 0) return value;
  const size = sizeOf(value);
  if (Number.isInteger(from_index) && from_index > 0 && from_index < size) {
    if (Array.isArray(value)) return value.slice(from_index);
    return Object.fromEntries(Object.entries(Object(value)).slice(from_index));
  }
  const what = typeof value === "object" ? `has ${size} elements` : "has no elements";
  throw new Fault("invalid_argument", `from_index is ${from_index}, and the value ${what}.`, [
    size > 0 ? `give 0 to ${size - 1}` : "leave from_index out",
    "call get_solution without from_index to see the beginning",
  ]);
}

/** The number of elements in a list or object; 0 for a single value. */
function sizeOf(value: unknown): number {
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}

/** Says what was omitted from a value that is too long for one answer, and how to read the rest. */
function restOf(shown: unknown, all: unknown, from_index: number): string {
  if (sizeOf(shown) === sizeOf(all))
    return "The value is too long for one answer: this is its beginning. Pass indices to read its parts.";
  const next = from_index + sizeOf(shown);
  return `Elements ${from_index} to ${next - 1} of ${from_index + sizeOf(all)} are shown; from_index ${next} shows more.`;
}

function valuesOf({ status, stored }: Solution): Readonly<Record<string, unknown>> {
  if (stored && "values" in stored) {
    const { values, solutions } = stored;
    return { ...values, ...{ values, ...(solutions && { solutions }) }, ...values };
  }
  if (stored) {
    const why = `The values had ${stored.dropped_chars} characters and were not stored; the limit is ${model_limits.solution_chars_max}.`;
    throw new Fault("input_rejected", why, ["export fewer or smaller values", "call solve_model again"]);
  }
  throw new Fault("input_rejected", `The last solve_model answered ${status} and returned no values.`, [
    stepAfter(status),
    "call solve_model again",
  ]);
}

function stepAfter(status: Solution["status"]): string {
  if (status === "sat") return "export the values that you want to see";
  if (status === "unsat") return "change the model so that it has a solution";
  return "nothing was decided: raise timeout_ms, or simplify the model";
}

function outdated({ revision }: Model, solution: Solution): string[] {
  if (revision === solution.revision) return [];
  return ["The model has changed since this solution was found; solve_model finds a new one."];
}

/** The violations found by the checker. */
function broken({ stored }: Solution): string[] {
  const { violations = [] } = stored && "values" in stored ? stored : {};
  if (violations.length === 0) return [];
  const shown = fitTexts(violations, model_limits.fault_output_chars_max).join("; ");
  return [`The values violate rules of the checker: ${shown}`];
}
