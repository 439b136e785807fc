import { isDeepStrictEqual } from "node:util";
import * as z from "zod/v4";

/** What is compared of an answer, of `solve` or of `solve_smtlib`. */
const Told = z.looseObject({
  status: z.string(),
  objective_value: z.unknown().optional(),
  objectives: z.array(z.object({ term: z.string(), value: z.string() })).optional(),
  optimal: z.boolean().nullish(),
  count: z.looseObject({ exact: z.boolean() }).optional(),
});

export interface Facts {
  readonly status: string;
  /** Null where there is none. */
  readonly objective: unknown;
  /** Whether it is proved to be the best one; null without an objective. */
  readonly optimal: boolean | null;
  /** The number of solutions, if it is exact. */
  readonly count?: unknown;
}

/** The facts of an answer. Raises a `ZodError` for another form. */
export function factsOf(answer: unknown): Facts {
  const { status, objective_value, objectives, optimal, count } = Told.parse(answer);
  const objective = objectives ? objectives.map(({ value }) => value) : (objective_value ?? null);
  return { status, objective, optimal: optimal ?? null, ...(count?.exact && { count: { ...count } }) };
}

/** The facts in words: `sat, objective 17 (proved best)`. */
export function factsShown({ status, objective, optimal }: Facts): string {
  if (objective === null) return status;
  return `${status}, objective ${JSON.stringify(objective)}${optimal ? " (proved best)" : optimal === false ? " (not proved best)" : ""}`;
}

const decided = new Set(["sat", "unsat"]);

export interface Compared {
  /** Null where it was not decided. */
  readonly holds: boolean | null;
  readonly message: string;
}

/** Whether a recorded answer holds beside the answer of now. Values are not compared: several solutions can be right. */
export function compared(was: Facts, now: Facts): Compared {
  const both = `recorded: ${factsShown(was)}; now: ${factsShown(now)}`;
  const open = (why: string): Compared => ({ holds: null, message: `Not decided: ${why} (${both}).` });
  const differs = (what: string): Compared => ({ holds: false, message: `It does not hold: ${what} (${both}).` });
  if (!decided.has(now.status))
    return open(decided.has(was.status) ? "the question was not decided again" : "neither then nor now");
  if (was.status !== now.status) return differs("the status differs");
  if (was.optimal === true && now.optimal !== true) return open("the optimum was not proved again");
  if (was.optimal !== false && now.optimal !== false && !isSame(was.objective, now.objective))
    return differs("the objective differs");
  if (was.count !== undefined && now.count === undefined) return open("the solutions were not counted again");
  if (was.count !== undefined && !isDeepStrictEqual(was.count, now.count))
    return differs("the number of solutions differs");
  return { holds: true, message: `It holds: ${factsShown(now)}, as recorded. Values are not compared.` };
}

/** Rounded numbers of two runs differ in their last digits. */
const relative_tolerance = 1e-9;

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== "number" || typeof other !== "number" || (Number.isInteger(one) && Number.isInteger(other)))
    return isDeepStrictEqual(one, other);
  return Math.abs(one - other) <= relative_tolerance * Math.max(1, Math.abs(one), Math.abs(other));
}
