import * as z from "zod/v4";
import { model_limits } from "../limits.ts";

/** The number of requested solutions, under the name that is usual in the language. */
export function count(name: string) {
  const error = `Parameter "${name}" must be a whole number from 1 to ${model_limits.solutions_max}.`;
  return z.int({ error }).min(1, { error }).max(model_limits.solutions_max, { error }).optional();
}
