import * as z from "zod/v4";
import { count } from "../count.ts";

/** The options of `solve_model` for a MiniZinc model. */
export const minizinc_options = {
  solver: z.string({ error: 'Parameter "solver" must be a string.' }).optional(),
  data: z
    .record(z.string(), z.unknown(), { error: 'Parameter "data" must be an object of values by name.' })
    .optional(),
  all_solutions: z.boolean({ error: 'Parameter "all_solutions" must be true or false.' }).optional(),
  max_solutions: count("max_solutions"),
};
