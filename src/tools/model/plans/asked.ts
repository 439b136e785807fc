import { isObject } from "../../../kernel/arguments.ts";
import { Fault } from "../../../kernel/fault.ts";
import type { Model } from "../items/model.ts";
import type { Store } from "../items/store.ts";
import type { AskedOptions, SolveOptions } from "../language.ts";
import { named_plan } from "../languages/options.ts";
import type { Keep } from "../languages/questions/question.ts";
import { byIndexNames } from "./paths.ts";

/**
 * Resolves the plans named in a call's options, including values in `why` that the call asks about. For `keep`, true or
 * "last" means the last solution of the given model, or else of the current model. Any other string names another model
 * or data, and an object contains values. Raises `invalid_argument` and `input_rejected`.
 */
export function withPlans(asked: AskedOptions, store: Store, model: Model | undefined): SolveOptions {
  const { keep, weights = {}, why: question, ...rest } = asked;
  const about = typeof question === "object" ? { why_not: question.not } : { why: question };
  const options = { ...rest, ...about };
  if (keep === undefined || keep === false || (isObject(keep) && Object.keys(keep).length === 0)) {
    if (Object.keys(weights).length === 0) return options;
    throw new Fault("invalid_argument", "weights requires keep: the plan to which the weights apply.", [
      "send keep: true for the last solution, or the values of a plan",
    ]);
  }
  if (isObject(keep) && !Object.hasOwn(keep, named_plan))
    return { ...options, kept: { values: keep, weights, is_earlier: false } };
  const data = options.data ?? {};
  const given = isObject(keep) ? String(keep[named_plan]) : undefined;
  // Language models write "last" to mean true, so it means true unless a model or data has this name.
  const name = given === "last" && !store.has(given) && !Object.hasOwn(data, given) ? undefined : given;
  if (name === undefined || store.has(name) || !Object.hasOwn(data, name)) {
    const source = name === undefined ? (model ?? store.at(undefined)) : otherModel(name, store);
    return { ...options, kept: { ...solutionOf(source), weights } };
  }
  const { [name]: values, ...others } = data;
  if (isObject(values) && !Array.isArray(values))
    return { ...options, data: others, kept: { values, weights, is_earlier: true } };
  throw new Fault(
    "invalid_argument",
    `The data ${JSON.stringify(name)} is not a plan: a plan consists of values by name.`,
    [
      'save a solution with get_solution, name "values" and save "plan.json", and pass that file in data_files',
      "or send the values themselves as keep",
    ],
  );
}

function otherModel(id: string, store: Store): Model {
  if (store.has(id)) return store.at(id);
  throw new Fault(
    "invalid_argument",
    `keep names ${JSON.stringify(id)}, but there is no model or data with that name.`,
    [
      "send keep: true for the last solution of the model",
      "or the id of a model with a solution, a name in data or data_files, or the values themselves",
    ],
  );
}

function solutionOf({ id, plan }: Model): Pick<Keep, "values" | "is_earlier"> {
  if (plan) return { values: byIndexNames(plan.values, plan.index_names ?? {}), is_earlier: true };
  throw new Fault("input_rejected", `The model "${id}" has no solution to keep.`, [
    "solve it before the edit, and send keep: true after it",
    "or send the values of the plan as keep",
  ]);
}
