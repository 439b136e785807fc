import { Fault } from "../../../kernel/fault.ts";
import type { Language, SolveOptions } from "../language.ts";
import { asp_options } from "./asp/options.ts";
import { minizinc_options } from "./minizinc/options.ts";
import { question_options } from "./questions/options.ts";

/** The options of `solve` and `solve_model` besides the time limit: each language has its own, and some are shared. */
export const solve_options = { ...minizinc_options, ...asp_options, ...question_options };

const { solver, data, max_solutions, max_models, reasoning, check, count, backbone, k_best, diverse, why } =
  solve_options;

/** The same with their meaning, for the tool whose listing describes them: the other one refers to it. */
export const described_options = {
  ...solve_options,
  solver: solver.describe("minizinc: gecode, chuffed, highs, coin-bc…; cpmpy: ortools, z3, exact…"),
  data: data.describe("minizinc: parameters by name."),
  max_solutions: max_solutions.describe("minizinc, cpmpy, ortools."),
  max_models: max_models.describe("asp."),
  reasoning: reasoning.describe("asp."),
  check: check.describe("Confirm by a second engine."),
  count: count.describe("Count solutions exactly."),
  backbone: backbone.describe("Values same in all solutions."),
  k_best: k_best.describe("Best solutions."),
  diverse: diverse.describe("Solutions far apart."),
  why: why.describe("Why unsat, or why not better."),
};

/** Raises `invalid_argument` for an option that means nothing in this language; false and an empty object ask for nothing. */
export function expectTaken({ id, takes }: Language, options: SolveOptions): void {
  const given = Object.entries(options).filter(
    ([, value]) => value !== undefined && value !== false && !isEmpty(value),
  );
  const foreign = given.map(([name]) => name).filter((name) => !takes.some((taken) => taken === name));
  if (foreign.length === 0) return;
  throw new Fault("invalid_argument", `A model in ${id} does not have these options: ${foreign.join(", ")}.`, [
    takes.length > 0
      ? `leave them out; ${id} accepts: ${takes.join(", ")}`
      : `leave them out; ${id} accepts only timeout_ms`,
    ...(foreign.includes("check")
      ? [`no second engine reads ${id}: state the model in minizinc to have it checked`]
      : []),
    `read verdict://guide/${id} for how to ask this in ${id}`,
  ]);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
