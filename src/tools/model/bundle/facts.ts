import { isDeepStrictEqual } from "node:util";
import * as z from "zod/v4";
import { bundle_limits } from "./limits.ts";

/** The fields that are compared in an answer of `solve` or `solve_smtlib`. */
const AnswerFacts = z.looseObject({
  status: z.string(),
  objective_value: z.unknown().optional(),
  objectives: z.array(z.object({ term: z.string(), value: z.string() })).optional(),
  optimal: z.boolean().nullish(),
  count: z.looseObject({ exact: z.boolean() }).optional(),
  model: z.record(z.string(), z.unknown()).nullish(),
  checker: z.looseObject({ status: z.string(), checked: z.int() }).optional(),
  objective_terms: z.array(z.looseObject({ cost: z.unknown() })).optional(),
  /** For `solve_smtlib`, a string that repeats the values. */
  output: z.union([z.array(z.string()), z.string()]).optional(),
});

export interface Facts {
  readonly status: string;
  /** Null if the model has no objective. */
  readonly objective: unknown;
  /** Whether the objective is proved optimal; null without an objective. */
  readonly optimal: boolean | null;
  /** The number of solutions, if it is exact. */
  readonly count?: unknown;
  /** The values of the solution, or of the first one. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** The checker's result, and the number of solutions that it checked. */
  readonly checker?: { readonly status: string; readonly checked: number };
  /** The components of the objective. */
  readonly terms?: readonly { readonly cost: unknown }[];
  /** The program's output. */
  readonly output?: readonly string[];
}

/** Extracts the facts of an answer. Raises a `ZodError` for any other form. */
export function factsOf(answer: unknown): Facts {
  const { status, objective_value, objectives, optimal, count, model, checker, ...others } = AnswerFacts.parse(answer);
  const { objective_terms: terms, output } = others;
  const objective = objectives ? objectives.map(({ value }) => value) : (objective_value ?? null);
  return {
    ...{ status, objective, optimal: optimal ?? null },
    ...(count?.exact && { count: { ...count } }),
    ...(model && status === "sat" && { values: model }),
    ...(checker && { checker: { status: checker.status, checked: checker.checked } }),
    ...(terms && { terms }),
    ...(Array.isArray(output) && { output }),
  };
}

/** Formats the facts as text: `sat, objective 17 (proved best)`. */
export function factsShown({ status, objective, optimal }: Facts): string {
  if (objective === null) return status;
  return `${status}, objective ${JSON.stringify(objective)}${optimal ? " (proved best)" : optimal === false ? " (not proved best)" : ""}`;
}

const decided = new Set(["sat", "unsat"]);

export interface Compared {
  /** Whether the comparison holds; null if it was not decided. */
  readonly holds: boolean | null;
  readonly message: string;
}

/**
 * Compares a recorded answer with the current one. Values are not compared here, since several solutions can be right.
 */
export function compared(was: Facts, now: Facts): Compared {
  const both = `recorded: ${factsShown(was)}; now: ${factsShown(now)}`;
  const open = (why: string): Compared => ({ holds: null, message: `Not decided: ${why} (${both}).` });
  const differs = (what: string): Compared => ({ holds: false, message: `It does not hold: ${what} (${both}).` });
  if (!decided.has(now.status))
    return open(decided.has(was.status) ? "the question was not decided again" : "neither then nor now");
  if (was.status !== now.status) return differs("the status differs");
  if (was.optimal === true && now.optimal !== true) return open("the optimum was not proved again");
  // If an answer was not proved optimal, the objectives can differ. `withValues` then compares them.
  const is_comparable = was.optimal !== false && now.optimal !== false;
  const has_objective = was.objective !== null && now.objective !== null;
  if ((is_comparable || !has_objective) && !isSame(was.objective, now.objective))
    return differs("the objective differs");
  if (was.count !== undefined && now.count === undefined) return open("the solutions were not counted again");
  if (was.count !== undefined && !isDeepStrictEqual(was.count, now.count))
    return differs("the number of solutions differs");
  if (now.values !== undefined && was.values === undefined) return open("the recorded answer has no values");
  if (was.values === undefined && !isSame(was.objective, now.objective))
    return open("the values with the recorded objective are not known");
  const of_now = factsShown(was) === factsShown(now) ? "" : `; now: ${factsShown(now)}`;
  return { holds: true, message: `It holds: ${factsShown(was)}, as recorded${of_now}.` };
}

/** The result for the recorded values: whether the model still allows them, and what its checker says. */
export interface Kept {
  /** Whether the model still allows the recorded values; null if this was not decided. */
  readonly is_possible: boolean | null;
  readonly why?: string;
  /** The best objective with these values. */
  readonly objective?: unknown;
  readonly checker?: Facts["checker"];
  /** The recorded values, with the missing ones added. */
  readonly completed?: unknown;
  /** Names of values that can't be compared, such as functions. */
  readonly not_compared?: readonly string[];
}

/** Returns the objective of the recorded values. */
function ownObjective(now: Facts, kept: Kept | undefined): unknown {
  return kept ? (kept.objective ?? null) : now.objective;
}

/** Whether a worse objective is needed for judging the recorded one, since the recorded values are optimal. */
export function needsWorse(was: Facts, now: Facts, kept: Kept | undefined): boolean {
  return was.optimal === false && now.optimal === true && isSame(ownObjective(now, kept), now.objective);
}

/**
 * Adds the comparison of the values. `kept` is undefined if the current answer has the same values; `worse` is the
 * objective of a non-optimal solution, if one is known.
 */
export function withValues(
  whole: Compared,
  was: Facts,
  now: Facts,
  { kept, worse }: { readonly kept?: Kept | undefined; readonly worse?: unknown },
): Compared {
  const differs = (what: string): Compared => ({ holds: false, message: `It does not hold: ${what}.` });
  const open = (what: string): Compared => ({ holds: null, message: `Not decided: ${what}.` });
  if (kept?.is_possible === false) return differs("the model does not allow the recorded values");
  if (kept?.is_possible === null)
    return open(
      `${factsShown(now)} was found now, with other values, and the recorded values were not checked: ${kept.why}`,
    );
  const { shown_max } = bundle_limits;
  const objective = ownObjective(now, kept);
  const is_other = !isSame(was.objective, objective);
  const both = `the recorded values have the objective ${JSON.stringify(objective)}, not ${JSON.stringify(was.objective)}`;
  if (is_other && was.optimal === true) return differs(both);
  const isBetter = is_other ? ordering(worse ?? objective, now) : undefined;
  if (isBetter?.(was.objective, now.objective)) return differs(`${both}, which is better than the optimum`);
  // A worse objective claims less than the values show: parts that the answer does not show may have been worse.
  const is_surpassed = isBetter?.(objective, was.objective) === true;
  if (is_other && !is_surpassed) return open(`${both}, and it is not known which of the two is better`);
  const missing = kept ? leftOpen(was.values, kept.completed, Object.keys(now.values ?? {})) : [];
  if (missing.length > 0)
    return open(
      `the recorded answer lacks the value of ${missing.slice(0, shown_max).join(", ")}, but the new answer has it`,
    );
  const checker = kept ? kept.checker : now.checker;
  const is_same_question = was.checker !== undefined && (!kept || was.checker.checked === 1);
  if (is_same_question && was.checker?.status !== checker?.status) {
    const both = `recorded: ${was.checker?.status}; now: ${checker?.status ?? "not run"}`;
    const is_open = checker?.status !== "passed" && checker?.status !== "violated";
    return is_open
      ? open(`the checker did not check the values (${both})`)
      : differs(`the checker's result differs (${both})`);
  }
  if (was.terms && !addsUp(was.terms, was.objective))
    return differs("the recorded terms of the objective do not add up to it");
  if (!kept && was.terms && now.terms && !isDeepStrictEqual(was.terms, now.terms))
    return differs("the terms of the objective are different");
  if (!kept && was.output && !isDeepStrictEqual(untimed(was.output), untimed(now.output ?? [])))
    return open("the program now printed something else, with the same values");
  const { not_compared: skipped = [] } = kept ?? {};
  const but =
    skipped.length > 0 ? `, apart from ${skipped.slice(0, shown_max).join(", ")}, which can't be compared` : "";
  const values = kept
    ? `Other values were found; the recorded ones are a solution too${but}.`
    : "The values are the same.";
  const surpassed = is_surpassed ? ` The recorded values have the better objective ${JSON.stringify(objective)}.` : "";
  const checked = is_same_question ? ` Checker: ${was.checker?.status}, as recorded.` : "";
  return { ...whole, message: `${whole.message} ${values}${surpassed}${checked}` };
}

/**
 * Returns the names whose values, or parts of them, occur only in the completed plan. A null counts as missing unless
 * the completed value is also null.
 */
function leftOpen(values: Facts["values"], completed: unknown, names: readonly string[]): readonly string[] {
  const whole = z.record(z.string(), z.unknown()).safeParse(completed).data ?? {};
  const isOpen = (was: unknown, now: unknown): boolean => {
    if (was === undefined || was === null) return now !== undefined && now !== null;
    if (typeof was !== "object" || typeof now !== "object" || now === null) return false;
    const parts = new Map(Object.entries(was));
    return Object.entries(now).some(([key, each]) => isOpen(parts.get(key), each));
  };
  const given = new Map(Object.entries(values ?? {}));
  return names.filter((name) => isOpen(given.get(name), Object.hasOwn(whole, name) ? whole[name] : undefined));
}

/**
 * How to tell whether one objective is better than another: by a solution that is worse than the optimum. Undefined if
 * none is known.
 */
function ordering(of_solution: unknown, { objective: optimum, optimal }: Facts) {
  if (optimal !== true || typeof of_solution !== "number" || typeof optimum !== "number") return undefined;
  if (isSame(of_solution, optimum)) return undefined;
  const sign = of_solution > optimum ? 1 : -1;
  return (one: unknown, other: unknown): boolean =>
    typeof one === "number" && typeof other === "number" && !isSame(one, other) && (other - one) * sign > 0;
}

/** Whether terms add up to an objective. With several levels, all levels are added together. */
function addsUp(terms: NonNullable<Facts["terms"]>, objective: unknown): boolean {
  const sum = (values: readonly unknown[]) => values.reduce<number>((all, each) => all + Number(each), 0);
  return isSame(sum(terms.map(({ cost }) => cost)), sum([objective].flat()));
}

/** Masks decimals in printed lines, since they may be times. */
function untimed(lines: readonly string[]): string[] {
  return lines.map((line) => line.replaceAll(/\d+\.\d+(?:e[-+]?\d+)?/g, "#"));
}

/** The tolerance for comparing rounded numbers, whose last digits differ between runs. */
const relative_tolerance = 1e-9;

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== "number" || typeof other !== "number" || (Number.isInteger(one) && Number.isInteger(other)))
    return isDeepStrictEqual(one, other);
  return Math.abs(one - other) <= relative_tolerance * Math.max(1, Math.abs(one), Math.abs(other));
}
