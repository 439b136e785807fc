import * as z from "zod/v4";
import { model_limits } from "../limits.ts";

/** The number of requested solutions, under the name that is usual in the language; `more` says what else there is. */
export function count(name: string, more = "") {
  const error = `Parameter "${name}" must be a whole number from 1 to ${model_limits.solutions_max}.${more}`;
  return z.int({ error }).min(1, { error }).max(model_limits.solutions_max, { error }).optional();
}

/** What asks for all solutions, where a number is asked for. */
export const or_all = " For all of them send all_solutions: true instead.";
