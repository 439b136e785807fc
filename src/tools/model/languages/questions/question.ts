import { Fault } from "../../../../kernel/fault.ts";
import type { SolveOptions, Values } from "../../language.ts";
import { model_limits } from "../../limits.ts";

/** A question about all solutions of a model. */
export interface Question {
  readonly kind: "count" | "backbone" | "k_best" | "diverse" | "plan";
  /** The number of requested solutions, or the maximum number of solutions to count one by one. */
  readonly limit: number;
  /** Whether the call also asks for confirmation by a second engine. */
  readonly check?: true;
  /** For a question about a plan: the values that a solution must have. */
  readonly plan?: Values;
  /** The values that a solution should keep as far as possible. */
  readonly keep?: Keep;
}

/** A plan that should change as little as possible. */
export interface Keep {
  readonly values: Values;
  /**
   * The costs of changes, by path or by entity name. By default, a change costs 1, and a change of the objective itself
   * costs 0.
   */
  readonly weights: Readonly<Record<string, number>>;
  /** Whether the plan is an earlier solution; if so, names that no longer occur in the model are ignored. */
  readonly is_earlier: boolean;
}

/** Options of which a call can use only one, since each of them defines the question. */
const what_is_asked = [
  ...(["count", "backbone", "k_best", "diverse", "why"] as const),
  ...(["all_solutions", "max_solutions", "max_models", "reasoning", "check"] as const),
];

/** Returns the question that these options ask, if any. Raises `invalid_argument` if they ask two questions. */
export function questionOf(options: SolveOptions): Question | undefined {
  const { count, backbone, k_best, diverse, check, plan, kept: keep } = options;
  const questions = [
    ...what_is_asked.filter((name) => options[name] !== undefined && options[name] !== false),
    ...(options.why_not ? (["why"] as const) : []),
  ];
  if (keep && questions.length > 0) throw severalAsked(["keep", ...questions]);
  if (plan || keep) return { kind: "plan", limit: 1, plan: plan ?? {}, ...(keep && { keep }) };
  const asked = count
    ? ({ kind: "count", limit: model_limits.counted_max } as const)
    : backbone
      ? ({ kind: "backbone", limit: 1 } as const)
      : k_best !== undefined
        ? ({ kind: "k_best", limit: k_best } as const)
        : diverse !== undefined
          ? ({ kind: "diverse", limit: diverse } as const)
          : undefined;
  const alone = questions.filter((name) => name !== "check");
  if (asked === undefined || alone.length < 2) return asked && { ...asked, ...(check && { check }) };
  throw severalAsked(alone);
}

function severalAsked(questions: readonly string[]): Fault {
  return new Fault("invalid_argument", `One call answers one of these questions: ${questions.join(", ")}.`, [
    `send ${questions[0]} alone, and the others in further calls: the model is kept`,
    "k_best, diverse and all_solutions each return a list of solutions",
  ]);
}

/** Checks that a ranking has an objective. Raises `invalid_argument`. */
export function expectObjective({ kind }: Question, has_objective: boolean): void {
  if (kind !== "k_best" || has_objective) return;
  throw new Fault("invalid_argument", "k_best needs an objective, and this model has none.", [
    "add an objective to the model: what to minimise or to maximise",
    "or send diverse for several solutions of a model without one",
  ]);
}
