import { Fault } from "../../../kernel/fault.ts";
import type { Language, SolveOptions } from "../language.ts";
import { asp_options } from "./asp/options.ts";
import { minizinc_options } from "./minizinc/options.ts";

/** The options of `solve_model` besides the time limit: each language describes its own. */
export const solve_options = { ...minizinc_options, ...asp_options };

/** Raises `invalid_argument` for an option that means nothing in this language. */
export function expectTaken({ id, takes }: Language, options: SolveOptions): void {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const foreign = given.map(([name]) => name).filter((name) => !takes.some((taken) => taken === name));
  if (foreign.length === 0) return;
  throw new Fault("invalid_argument", `A model in ${id} does not have these options: ${foreign.join(", ")}.`, [
    takes.length > 0
      ? `leave them out; ${id} accepts: ${takes.join(", ")}`
      : `leave them out; ${id} accepts only timeout_ms`,
    `read verdict://guide/${id} for how to ask this in ${id}`,
  ]);
}
