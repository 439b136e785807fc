import * as z from "zod/v4";
import { readResult } from "../../../../engines/python/talk.ts";
import { named_values } from "../../../../kernel/named.ts";
import { undecided } from "../../../../kernel/verdict.ts";
import { reasonShown } from "../../../reason_shown.ts";
import { notBegun, type Outcome, type Values } from "../../language.ts";
import type { Question } from "./question.ts";

const scope = {
  /** The names of the values by which solutions are distinguished. */
  over: z.array(z.string()),
  /** The names of values that the solver does not choose, or that can't be compared. */
  left_out: z.array(z.string()).default([]),
  /** The reason why the answer is incomplete. */
  reason: z.string().optional(),
};
const solutions = z.array(named_values);

/** The number of solutions; a lower bound if it is not exact. */
const Count = z.object({ ...scope, number: z.string(), exact: z.boolean(), method: z.string() });

/** Values that all solutions share, values that differ, and undecided values, each by its path. */
const Backbone = z.object({
  ...scope,
  fixed: z.array(z.tuple([z.string(), z.unknown()])),
  free: z.array(z.string()),
  undecided: z.array(z.string()),
});

/** The best solutions, starting with the best one. */
const Best = z.object({
  ...scope,
  solutions,
  objectives: z.array(z.unknown()),
  /** How many of the first solutions are proved to be the best, in this order. */
  proved: z.number(),
  /** Whether no other solutions exist. */
  is_all: z.boolean(),
  /** Whether unlisted solutions have the same objective as the last one; null if unknown. */
  has_tie: z.boolean().nullable(),
});

/** Solutions that are far apart; each solution but the first has its smallest distance to the earlier ones. */
const Diverse = z.object({
  ...scope,
  solutions,
  distances: z.array(z.number()),
  /** For each solution, whether it was proved to be the farthest from the earlier ones. */
  farthest: z.array(z.boolean()),
  is_all: z.boolean(),
});

/** Whether a solution with a plan's values exists; `left_out` names the values that were not compared. */
const Planned = z.object({
  ...scope,
  possible: z.boolean(),
  /** The completed plan and its objective; the best completion, if that is proved. */
  values: named_values.optional(),
  objective: z.unknown().optional(),
  proved: z.boolean().optional(),
  /** The model's best known objective, and whether it is proved optimal. */
  best: z.object({ value: z.unknown(), proved: z.boolean() }).optional(),
  /** The cost of changes to values that should be kept, and a lower bound on that cost. */
  changes: z
    .object({
      cost: z.number(),
      bound: z.number(),
      /** For answer sets: the atoms that hold now but not in the plan, and those that hold only in the plan. */
      atoms: z.array(z.object({ at: z.string(), holds: z.boolean() })).optional(),
    })
    .optional(),
  /** The index names for each array, in a language that has index names. */
  index_names: z.record(z.string(), z.array(z.array(z.string()))).optional(),
});
type Planned = z.output<typeof Planned>;

const Unanswered = z.object(scope);

type Tagged<Kind extends Question["kind"], Shape extends z.ZodObject> = { readonly kind: Kind } & z.output<Shape>;

/** An engine's answer about all solutions. */
export type AllAnswer =
  | Tagged<"count", typeof Count>
  | Tagged<"backbone", typeof Backbone>
  | Tagged<"k_best", typeof Best>
  | Tagged<"diverse", typeof Diverse>
  | Tagged<"plan", typeof Planned>
  | ({ readonly kind: "nothing"; readonly asked: Question["kind"] } & z.output<typeof Unanswered>);

/** Parses a process's answer to a question. Raises `engine_failed`. */
export function readAnswer({ kind }: Question, answer: unknown): AllAnswer {
  const forms = { count: Count, backbone: Backbone, k_best: Best, diverse: Diverse, plan: Planned } as const;
  if (!forms[kind].safeParse(answer).success)
    return { kind: "nothing", asked: kind, ...readResult(Unanswered, answer) };
  switch (kind) {
    case "count":
      return { kind, ...readResult(Count, answer) };
    case "backbone":
      return { kind, ...readResult(Backbone, answer) };
    case "k_best":
      return { kind, ...readResult(Best, answer) };
    case "diverse":
      return { kind, ...readResult(Diverse, answer) };
    case "plan":
      return { kind, ...readResult(Planned, answer) };
    default:
      return kind satisfies never;
  }
}

/** Says why a question has no answer. */
export function noAnswer({ kind }: Question, reason: string): AllAnswer {
  return { kind: "nothing", asked: kind, over: [], left_out: [], reason };
}

/** Returns the solutions that an answer lists, if any. */
export function listedIn(answer: AllAnswer): readonly Values[] | undefined {
  return answer.kind === "k_best" || answer.kind === "diverse" ? answer.solutions : undefined;
}

/** Answers a question about a plan, for a language that solves the model with the plan as additional constraints. */
export function planAnswer(
  { verdict }: Outcome,
  over: readonly string[],
  left_out: readonly string[],
  more: Pick<Planned, "changes" | "index_names"> = {},
): AllAnswer {
  const scope = { over: [...over], left_out: [...left_out] };
  if (verdict.kind === "unsat") return { kind: "plan", ...scope, possible: false };
  if (verdict.kind === "undecided") return { ...scope, kind: "nothing", asked: "plan", reason: reasonShown(verdict) };
  const { witness, best } = verdict;
  const objective = best && { objective: best.value, proved: best.proved === true };
  return {
    kind: "plan",
    ...scope,
    possible: true,
    ...("values" in witness && { values: { ...witness.values } }),
    ...objective,
    ...more,
  };
}

/** Returns the outcome for a question about a plan in which nothing can be compared. */
export function notCompared(engine: string, reason: string, left_out: readonly string[] = []): Outcome {
  const all_answer = { ...noAnswer({ kind: "plan", limit: 1 }, reason), left_out: [...left_out] };
  return { ...notBegun(engine, reason), verdict: undecided("incomplete", reason), all_answer };
}
