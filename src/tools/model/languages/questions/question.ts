import { Fault } from "../../../../kernel/fault.ts";
import type { SolveOptions, Values } from "../../language.ts";
import { model_limits } from "../../limits.ts";

/** A question about all solutions of a model. */
export interface Question {
  readonly kind: "count" | "backbone" | "k_best" | "diverse" | "plan";
  /** How many solutions are wanted, or counted one by one at most. */
  readonly limit: number;
  /** Whether the call asks for a second engine, too. */
  readonly check?: true;
  /** Of a question about a plan: the values that a solution is to have. */
  readonly plan?: Values;
}

/** Options that each decide what is asked: one of them at a time. */
const what_is_asked = [
  ...(["count", "backbone", "k_best", "diverse", "why"] as const),
  ...(["all_solutions", "max_solutions", "max_models", "reasoning"] as const),
];

/** The question of these options, if they have one. Raises `invalid_argument` if they ask two things. */
export function questionOf(options: SolveOptions): Question | undefined {
  const { count, backbone, k_best, diverse, check, plan } = options;
  if (plan) return { kind: "plan", limit: 1, plan };
  const asked = count
    ? ({ kind: "count", limit: model_limits.counted_max } as const)
    : backbone
      ? ({ kind: "backbone", limit: 1 } as const)
      : k_best !== undefined
        ? ({ kind: "k_best", limit: k_best } as const)
        : diverse !== undefined
          ? ({ kind: "diverse", limit: diverse } as const)
          : undefined;
  const questions = what_is_asked.filter((name) => options[name] !== undefined && options[name] !== false);
  if (asked === undefined || questions.length < 2) return asked && { ...asked, ...(check && { check }) };
  throw new Fault("invalid_argument", `One call answers one of these questions: ${questions.join(", ")}.`, [
    `send ${questions[0]} alone, and the others in further calls: the model is kept`,
    "k_best, diverse and all_solutions each give a list of solutions",
  ]);
}

/** Raises `invalid_argument` for a ranking of a model that ranks nothing. */
export function expectObjective({ kind }: Question, has_objective: boolean): void {
  if (kind !== "k_best" || has_objective) return;
  throw new Fault("invalid_argument", "k_best needs an objective, and this model has none.", [
    "add an objective to the model: what to minimise or to maximise",
    "or send diverse for several solutions of a model without one",
  ]);
}
