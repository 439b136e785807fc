import { Fault } from "../../../kernel/fault.ts";
import type { Language, SolveOptions } from "../language.ts";
import { asp_options } from "./asp/options.ts";
import { minizinc_options } from "./minizinc/options.ts";
import { question_options } from "./questions/options.ts";
import { type ShownLanguage, shown_languages } from "./shown.ts";

/** The options of `solve` and `solve_model` besides the time limit: each language has its own, and some are shared. */
export const solve_options = { ...minizinc_options, ...asp_options, ...question_options };

const { solver, data, max_solutions, max_models, reasoning, check, count, backbone, k_best, diverse, why } =
  solve_options;

/** The languages that are asked for more solutions by this option. */
const askedBy = (option: ShownLanguage["more"]) =>
  `${Object.keys(shown_languages)
    .filter((id) => shown_languages[id]?.more === option)
    .join(", ")}.`;

/** The same with their meaning, for the tool whose listing describes them: the other one refers to it. */
export const described_options = {
  ...solve_options,
  solver: solver.describe("minizinc: gecode, chuffed, highs, coin-bc…; cpmpy: ortools, z3, exact…"),
  data: data.describe("minizinc: parameters by name."),
  max_solutions: max_solutions.describe(askedBy("max_solutions")),
  max_models: max_models.describe(askedBy("max_models")),
  reasoning: reasoning.describe("asp."),
  check: check.describe("Confirm by a second engine."),
  count: count.describe("Count solutions exactly."),
  backbone: backbone.describe("Values same in all solutions."),
  k_best: k_best.describe("Best solutions."),
  diverse: diverse.describe("Solutions far apart."),
  why: why.describe("Why unsat, or why not better."),
};

/** Raises `invalid_argument` for an option that means nothing in this language; false and an empty object ask for nothing. */
export function expectTaken({ id, takes }: Pick<Language, "id" | "takes">, options: SolveOptions): void {
  const set = Object.entries(options).filter(([, value]) => value !== undefined && value !== false && !isEmpty(value));
  const foreign = set.map(([name]) => name).filter((name) => !takes.some((taken) => taken === name));
  if (foreign.length === 0) return;
  throw new Fault("invalid_argument", `A model in ${id} does not have these options: ${foreign.join(", ")}.`, [
    takes.length > 0
      ? `leave them out; ${id} accepts: ${takes.join(", ")}`
      : `leave them out; ${id} accepts only timeout_ms`,
    ...foreign.flatMap((name) => insteadOf(name, takes)),
    { call: `read verdict://guide/${id} for how to ask this in ${id}`, shell: "`verdict help solve` lists the flags" },
  ]);
}

/** How to ask for the same without an option: by another one that the language takes, or in another way. */
const instead: Partial<Record<string, readonly { readonly by?: keyof SolveOptions; readonly step: string }[]>> = {
  all_solutions: [
    { by: "diverse", step: "ask for some solutions with diverse (a number), and for their exact number with count" },
  ],
  max_solutions: [
    { by: "max_models", step: "ask for several answer sets with max_models" },
    { by: "diverse", step: "ask for several solutions with diverse (a number)" },
  ],
  max_models: [
    { by: "max_solutions", step: "ask for several solutions with max_solutions" },
    { by: "diverse", step: "ask for several solutions with diverse (a number)" },
  ],
  reasoning: [{ by: "backbone", step: "ask for what holds in all solutions with backbone" }],
  data: [{ step: "write the values into an item, as constants of the program" }],
  solver: [{ step: "only minizinc and cpmpy take a solver by name; elsewhere the items choose it, or there is one" }],
};

function insteadOf(name: string, takes: Language["takes"]): string[] {
  const alternative = instead[name]?.find(({ by }) => by === undefined || takes.includes(by));
  return alternative ? [alternative.step] : [];
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
