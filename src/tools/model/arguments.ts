import * as z from "zod/v4";
import { isObject } from "../../kernel/arguments.ts";
import { limits } from "../../kernel/limits.ts";
import { receivedValue } from "../../kernel/text/cut.ts";
import { View } from "../../viewer/view.ts";

const model_id_form = new RegExp(`^[\\w.-]{1,${limits.id_chars_max}}$`);

/** Whether a text has the form of a model's id. */
export const isModelId = (text: string): boolean => model_id_form.test(text);
const model_id_error = (issue: { input?: unknown }) =>
  `model_id must be a name of 1 to ${limits.id_chars_max} letters, digits, ".", "_" or "-". ${receivedValue(issue)} Leave it out for the current model.`;

/** The argument that identifies a model. A client with one model at a time never needs it. */
export const model_id = z.string({ error: model_id_error }).refine(isModelId, { error: model_id_error }).optional();

const view_error = 'view must be an object with a kind, such as {"kind": "gantt", "start": "s", "duration": "d"}.';

/**
 * The meaning of the values, for the pages that draw them. The kinds and fields are not listed; a fault names a wrong
 * one.
 */
export const view = z.record(z.string(), z.unknown(), { error: view_error }).pipe(View).optional();

/** Makes an argument for the index of an item. Here it is only a number; the model checks its range. */
export function indexNamed(name: string) {
  const error = (issue: { input?: unknown }) =>
    `${name} must be a whole number, counted from 0; get_model shows which ones are valid. ${receivedValue(issue)}`;
  return z.number({ error }).meta({ type: "integer" });
}
export const index = indexNamed("index");

/** Makes an argument for an item, under the tool's parameter name. */
export function itemNamed(name: string) {
  const error = (issue: { input?: unknown }) =>
    `${name} must be a string: code of the model's language. ${receivedValue(issue)}`;
  // A file in place of an item may be sent as an object, although the listing shows only a string.
  return z.preprocess((given) => (isObject(given) ? JSON.stringify(given) : given), z.string({ error }));
}
