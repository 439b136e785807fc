import { asp_options } from "./asp/options.ts";
import { minizinc_options } from "./minizinc/options.ts";

/** What `solve_model` takes besides the time limit: each language describes its own options. */
export const solve_options = { ...minizinc_options, ...asp_options };
