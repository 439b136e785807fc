import * as z from "zod/v4";
import { model_limits } from "../limits.ts";

/** How many solutions are wanted, under the name that the language's own world gives it. */
export function count(name: string) {
  const error = `Parameter "${name}" must be a whole number from 1 to ${model_limits.solutions_max}.`;
  return z.int({ error }).min(1, { error }).max(model_limits.solutions_max, { error }).optional();
}
