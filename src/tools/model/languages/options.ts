import * as z from "zod/v4";
import { Fault } from "../../../kernel/fault.ts";
import { data_files } from "../data/files.ts";
import type { AskedOptions, Language } from "../language.ts";
import { model_limits } from "../limits.ts";
import { what_if } from "../plans/cases.ts";
import { type ShownLanguage, shown_languages } from "./shown.ts";

const values = z.record(z.string(), z.unknown());
const why_error = 'Parameter "why" must be true, or values in question such as {"not": {"shift[Anna,Fri]": 0}}.';

/**
 * The key for a plan that is given by name; its value names the model or data with the plan's values. The listing omits
 * this form, but it is accepted.
 */
export const named_plan = "";

const keep_error =
  'Parameter "keep" must be true (the last solution), the name of a model or of data, or values by name such as {"x": [1, 0]}.';
const weight_max = 1_000_000;
const weights_error = `Parameter "weights" must have whole numbers from 0 to ${weight_max} by name, such as {"shift[Anna]": 5}.`;
const weight = z
  .int({ error: weights_error })
  .min(0, { error: weights_error })
  .max(weight_max, { error: weights_error });

/** Says how to ask for all solutions instead of a number of them. */
const or_all = " For all of them send all_solutions: true instead.";

/** The options of `solve` and `solve_model` other than the time limit; each language supports some of them. */
export const solve_options = {
  // Options for models in MiniZinc and some other languages.
  solver: z.string({ error: 'Parameter "solver" must be a string.' }).optional(),
  data: z.record(z.string(), z.unknown(), { error: dataError }).optional(),
  data_files,
  all_solutions: yesOrNo("all_solutions"),
  max_solutions: howMany("max_solutions", or_all),
  // Options for answer sets.
  max_models: howMany("max_models", or_all),
  reasoning: z
    .enum(["models", "brave", "cautious"], { error: 'Parameter "reasoning" must be models, brave or cautious.' })
    .optional(),
  // Options that ask for more than a single solution, with the same meaning in every language that supports them.
  check: yesOrNo("check"),
  count: yesOrNo("count"),
  backbone: yesOrNo("backbone"),
  k_best: howMany("k_best"),
  diverse: howMany("diverse"),
  why: z
    .union([z.boolean(), values.pipe(z.strictObject({ not: values }, { error: why_error }))], { error: why_error })
    .optional(),
  keep: z
    .preprocess(
      (given) => (given === "true" ? true : typeof given === "string" ? { [named_plan]: given } : given),
      z.union([z.boolean(), values], { error: keep_error }),
    )
    .optional(),
  weights: z
    .record(z.string(), z.unknown(), { error: weights_error })
    .pipe(z.record(z.string(), weight, { error: weights_error }))
    .optional(),
  what_if: what_if.optional(),
  reproducible: yesOrNo("reproducible"),
};

function yesOrNo(name: string) {
  return z.boolean({ error: `Parameter "${name}" must be true or false.` }).optional();
}

/** An option for the number of requested solutions, under the language's usual name; `more` mentions alternatives. */
function howMany(name: string, more = "") {
  const error = `Parameter "${name}" must be a whole number from 1 to ${model_limits.solutions_max}.${more}`;
  return z.int({ error }).min(1, { error }).max(model_limits.solutions_max, { error }).optional();
}

function dataError({ input }: { readonly input?: unknown }): string {
  const is_text = typeof input === "string" && /^\s*\w+\s*=/.test(input);
  const instead = is_text ? " This is MiniZinc code: send it as an item." : "";
  return `Parameter "data" must be an object of values by name, such as {"n": 3, "cost": [4, 2, 7]}.${instead}`;
}

const {
  solver,
  data,
  max_solutions,
  max_models,
  reasoning,
  check,
  count,
  backbone,
  k_best,
  diverse,
  why,
  keep,
  what_if: cases,
  reproducible,
} = solve_options;

/** Lists the languages in which this option asks for more solutions. */
const askedBy = (option: ShownLanguage["more"]) =>
  `${Object.keys(shown_languages)
    .filter((id) => shown_languages[id]?.more === option)
    .join(", ")}.`;

/** The options with descriptions, for the tool whose listing describes them; the other tool's listing refers to it. */
export const described_options = {
  ...solve_options,
  solver: solver.describe("minizinc: cp-sat, gecode, chuffed, highs…; cpmpy: ortools, z3, exact…"),
  data: data.describe("Values by name."),
  data_files: solve_options.data_files.describe("Paths of CSV, XLSX or JSON, or {path, name, sheet, range}."),
  max_solutions: max_solutions.describe(askedBy("max_solutions")),
  max_models: max_models.describe(askedBy("max_models")),
  reasoning: reasoning.describe("asp."),
  check: check.describe("Confirm by a second engine."),
  count: count.describe("Count solutions exactly."),
  backbone: backbone.describe("Values same in all solutions."),
  k_best: k_best.describe("Best solutions."),
  diverse: diverse.describe("Solutions far apart."),
  why: why.describe("Why unsat, or not better; or why {not: values}."),
  keep: keep.describe("Plan to change least: its values, or true: last solution."),
  what_if: cases.describe("{case: {set: values, data, without: [items], add: item}}"),
  reproducible: reproducible.describe("One worker: the same answer each time."),
};

/**
 * Checks that a language supports the given options; false and an empty object count as not given. Raises
 * `invalid_argument` for an unsupported option.
 */
export function expectTaken({ id, takes }: Pick<Language, "id" | "takes">, options: AskedOptions): void {
  const set = Object.entries(options).filter(([, value]) => value !== undefined && value !== false && !isEmpty(value));
  const foreign = set.map(([name]) => name).filter((name) => !takes.some((taken) => taken === name));
  if (foreign.length === 0) return;
  throw new Fault("invalid_argument", `A model in ${id} does not accept these options: ${foreign.join(", ")}.`, [
    takes.length > 0
      ? `leave them out; ${id} accepts: ${takes.join(", ")}`
      : `omit them; ${id} accepts only timeout_ms`,
    ...foreign.flatMap((name) => insteadOf(name, takes)),
    {
      call: `read verdict://guide/${id} to see how to ask this in ${id}`,
      shell: "`verdict help solve` lists the flags",
    },
  ]);
}

/**
 * How to ask the same question without an unsupported option: by an option that the language supports, or in another
 * way.
 */
const instead: Partial<Record<string, readonly { readonly by?: keyof AskedOptions; readonly step: string }[]>> = {
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
  solver: [
    {
      step: "only minizinc and cpmpy accept a solver name; in other languages the items choose the solver, or there is only one",
    },
  ],
};

function insteadOf(name: string, takes: Language["takes"]): string[] {
  const alternative = instead[name]?.find(({ by }) => by === undefined || takes.includes(by));
  return alternative ? [alternative.step] : [];
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
