import type { Deadline } from "../../../kernel/deadline.ts";
import { Fault } from "../../../kernel/fault.ts";
import { type Model, type Solution, waitedTooLong } from "../items/model.ts";
import { bundleOf, type Files, namesOf } from "./make.ts";

/**
 * Makes a bundle of the last question about a model and its answer. Raises `input_rejected` for a model that has
 * changed since, and for an answer that depends on an earlier plan.
 */
export async function bundleOfModel(model: Model, solution: Solution, deadline: Deadline): Promise<Files> {
  const now = await model.snapshot(deadline);
  if (now === "expired") throw waitedTooLong();
  const { language, data } = model;
  const { about, stored } = solution;
  if (!about || now.revision !== solution.revision)
    throw refused("The model has changed since it was solved", "call solve_model again, then save it");
  if (about.options["kept"] !== undefined)
    throw refused(
      "The answer depends on an earlier plan (keep), which a bundle can't store",
      "solve without keep, then save it",
    );
  const { items } = now;
  const { options, answer } = about;
  const filed = { items, names: namesOf(language.id, items), engine: String(answer["engine"]) };
  const plain = await language.plain({ ...filed, options: { ...options, ...(data && { data }) } }, deadline);
  const values = stored && "values" in stored ? stored.values : null;
  const whole = { ...answer, model: values };
  const files = { sources: [], certificate: {} };
  return bundleOf({ tool: "solve", language: language.id, items, data, options, answer: whole, plain, ...files });
}

function refused(what: string, step: string): Fault {
  return new Fault("input_rejected", `${what}: no bundle was written.`, [step, "or save the values as .json"]);
}
