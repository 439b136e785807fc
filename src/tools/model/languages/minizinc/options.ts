import * as z from "zod/v4";
import { count, or_all } from "../count.ts";

const data_error = ({ input }: { input?: unknown }) =>
  `Parameter "data" must be an object of values by name, such as {"n": 3, "cost": [4, 2, 7]}.${
    typeof input === "string" && /^\s*\w+\s*=/.test(input)
      ? " This text is in MiniZinc's own form: send it as an item."
      : ""
  }`;

/** The options of `solve_model` for a MiniZinc model. */
export const minizinc_options = {
  solver: z.string({ error: 'Parameter "solver" must be a string.' }).optional(),
  data: z.record(z.string(), z.unknown(), { error: data_error }).optional(),
  all_solutions: z.boolean({ error: 'Parameter "all_solutions" must be true or false.' }).optional(),
  max_solutions: count("max_solutions", or_all),
};
