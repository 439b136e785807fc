import * as z from "zod/v4";
import { Fault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import type { Language, SolveOptions } from "./language.ts";

/** How many solutions are wanted, under the name that the language's own world gives it. */
function count(name: string) {
  const error = `Parameter "${name}" must be a whole number from 1 to ${limits.solutions_max}.`;
  return z.int({ error }).min(1, { error }).max(limits.solutions_max, { error }).optional();
}

/** The options as a client gives them; which language takes which stands in the guides. */
export const solve_options = {
  solver: z
    .string({ error: 'Parameter "solver" must be a text.' })
    .optional()
    .describe("minizinc: gecode, chuffed, highs, coin-bc…"),
  data: z
    .record(z.string(), z.unknown(), { error: 'Parameter "data" must be an object of values by name.' })
    .optional()
    .describe("minizinc: parameters by name."),
  all_solutions: z.boolean({ error: 'Parameter "all_solutions" must be true or false.' }).optional(),
  max_solutions: count("max_solutions").describe("minizinc."),
  max_models: count("max_models").describe("asp."),
  reasoning: z
    .enum(["models", "brave", "cautious"], { error: 'Parameter "reasoning" must be models, brave or cautious.' })
    .optional()
    .describe("asp."),
};

/** Raises `invalid_argument` for an option that means nothing in this language. */
export function expectTaken({ id, takes }: Language, options: SolveOptions): void {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const foreign = given.map(([name]) => name).filter((name) => !takes.some((taken) => taken === name));
  if (foreign.length === 0) return;
  throw new Fault("invalid_argument", `A model in ${id} is not solved with: ${foreign.join(", ")}.`, [
    takes.length > 0
      ? `leave them out; ${id} takes: ${takes.join(", ")}`
      : `leave them out; ${id} takes only timeout_ms`,
    `read verdict://guide/${id} for how to ask the same in ${id}`,
  ]);
}
