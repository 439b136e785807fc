import * as z from "zod/v4";
import { cut } from "../../../kernel/text/cut.ts";
import { fitTexts } from "../../../kernel/text/fit.ts";
import type { Found, Outcome, SolveVerdict, Values } from "../language.ts";
import { model_limits } from "../limits.ts";
import type { Mutant } from "./mutants.ts";
import type { Said } from "./run.ts";

/** The result of a checker on the values of an answer. */
export interface CheckerResult {
  /** `failed`: the checker did not check all values, and found no violation in those that it checked. */
  readonly status: "passed" | "violated" | "failed";
  /** The violations in the first answers. If there are several answers, each violation begins with "solution 2: ". */
  readonly violations: readonly string[];
  /** The number of answers that violate a rule, and the number of checked answers. */
  readonly violated: number;
  readonly checked: number;
  /** Why the checker failed, with the line. */
  readonly reason?: string;
  /**
   * The number of changed answers on which the checker was tested, and how many of these it rejected. Set only if it
   * passed.
   */
  readonly mutants?: Noticed;
}

export interface Noticed {
  readonly tried: number;
  readonly noticed: number;
  /** The names of values whose changes the checker never rejected. */
  readonly never: readonly string[];
}

/**
 * Counts the changed answers on which a checker was run, and how many of them it rejected. `allowed` says for some of
 * them, by index, whether the model allows them. The checker need not reject these.
 */
export function noticedOf(
  mutants: readonly Mutant[],
  said: readonly Said[],
  allowed: ReadonlyMap<number, boolean> = new Map(),
): Noticed {
  const counted = said
    .filter((each) => allowed.get(each.case) !== true)
    .map(({ case: index, texts }) => ({ name: mutants[index]?.name ?? "", is_noticed: texts.length > 0 }));
  const names = [...new Set(counted.map(({ name }) => name))];
  const never = names.filter((name) => {
    const own = counted.filter((each) => each.name === name);
    return own.length > 2 && !own.some(({ is_noticed }) => is_noticed) && !isExcused(name, mutants, allowed);
  });
  return { tried: counted.length, noticed: counted.filter(({ is_noticed }) => is_noticed).length, never };
}

/** Whether the model allows every tested change of a value. */
function isExcused(name: string, mutants: readonly Mutant[], allowed: ReadonlyMap<number, boolean>): boolean {
  const own = [...allowed].filter(([index]) => mutants[index]?.name === name);
  return own.length > 0 && own.every(([, is_allowed]) => is_allowed);
}

/** Returns remarks on the weaknesses of a checker that the test revealed. */
function remarksOn({ tried, noticed, never }: Noticed): string[] {
  if (noticed === 0 && tried > 2 && never.length > 0)
    return [
      `The checker accepts all ${tried} answers with one change each, such as a number increased by one: it may check nothing. Some of these answers may also be correct.`,
    ];
  const names = never.slice(0, model_limits.names_listed_max).join(", ");
  return never.length > 0
    ? [
        `The checker never notices a change of: ${names}. Does the problem say nothing about ${never.length > 1 ? "them" : "it"}?`,
      ]
    : [];
}

/** A solution in an answer, and its label there. The label is empty if there is only one solution. */
export interface Shown {
  readonly name: string;
  readonly values: Values;
}

/** Returns the solutions that an answer shows; empty if its values do not belong to a single solution. */
export function shownIn(verdict: SolveVerdict): readonly Shown[] {
  if (verdict.kind !== "sat" || verdict.of_all !== undefined) return [];
  const { witness, solutions = [] } = verdict;
  const all = solutions.map((values, i) => ({ name: `solution ${i}: `, values }));
  if ("not_shown" in witness) return all;
  const own = JSON.stringify(witness.values);
  const is_listed = solutions.some((values) => JSON.stringify(values) === own);
  return is_listed ? all : [{ name: "", values: witness.values }, ...all];
}

/** Adds a checker's result to an outcome. An answer that violates a rule is not called optimal. */
export function judged({ verdict, ...outcome_rest }: Outcome, checker: CheckerResult): Outcome {
  const warnings = [...outcome_rest.warnings, ...(checker.mutants ? remarksOn(checker.mutants) : [])];
  const outcome = { ...outcome_rest, verdict, checker, warnings };
  if (verdict.kind !== "sat" || checker.status !== "violated" || !verdict.best) return outcome;
  const best: Found["best"] = { value: verdict.best.value, proved: null };
  return { ...outcome, verdict: { ...verdict, best } };
}

/** The fields that a checker adds to an answer. */
export const checker_output = {
  violations: z.array(z.string()).optional().describe("Rules of the checker that the values break."),
  checker: z
    .object({
      status: z.enum(["passed", "violated", "failed"]),
      checked: z.int(),
      violated: z.int(),
      reason: z.string().optional(),
      mutants: z.object({ tried: z.int(), noticed: z.int() }).optional().describe("Answers with one change each."),
    })
    .optional(),
};

export function checkerFields(result: CheckerResult | undefined, chars_max: number) {
  if (!result) return {};
  const { violations, reason, mutants, ...counts } = result;
  return {
    ...(violations.length > 0 && { violations: fitTexts(violations, chars_max) }),
    checker: {
      ...counts,
      ...(mutants && { mutants: { tried: mutants.tried, noticed: mutants.noticed } }),
      ...(reason !== undefined && { reason: cut(reason, chars_max) }),
    },
  };
}

/** Returns the checker's part of an answer's first line, after the status. */
export function checkerStatus(status: NonNullable<CheckerResult["status"]> | undefined): string {
  if (status === "violated") return ", but the values violate rules of the checker";
  return status === "failed" ? ", not checked: the checker failed" : "";
}

/** The sentence about the checker in an answer; `is_allowed` says whether the model allows the values. */
export function checkerSentence(result: CheckerResult | undefined, is_allowed = true): string {
  if (!result) return "";
  const { status, violated, checked, reason = "" } = result;
  const of_several = checked > 1 ? `${violated} of ${checked} solutions violate` : "The values violate";
  switch (status) {
    case "passed":
      return ` The checker finds no violation${checked > 1 ? ` in ${checked} solutions` : ""}.`;
    case "violated": {
      const cure = `although the model allows ${violated > 1 ? "them" : "it"}: correct the model, or the checker`;
      return ` ${of_several} rules of the checker, ${is_allowed ? cure : "too"}.${reason && ` The checker also failed: ${reason}`}`;
    }
    case "failed":
      return ` The answer is not checked, because the checker failed: ${reason}`;
    default:
      return status satisfies never;
  }
}
