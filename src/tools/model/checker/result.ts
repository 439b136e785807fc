import * as z from "zod/v4";
import { cut } from "../../../kernel/text/cut.ts";
import { fitTexts } from "../../../kernel/text/fit.ts";
import type { Found, Outcome, SolveVerdict, Values } from "../language.ts";
import { model_limits } from "../limits.ts";
import type { Mutant } from "./mutants.ts";
import type { Said } from "./run.ts";

/** What a checker says of the values of an answer. */
export interface CheckerResult {
  /** `failed`: it did not check all of them, and none that it checked breaks a rule. */
  readonly status: "passed" | "violated" | "failed";
  /** Those of the first answers that break rules: "solution 2: …" where there are several. */
  readonly violations: readonly string[];
  /** How many answers break a rule, of how many that were checked. */
  readonly violated: number;
  readonly checked: number;
  /** Why it failed: with the line. */
  readonly reason?: string;
  /** On how many changed answers it was tested, and of how many it said something; only where it passed. */
  readonly mutants?: Noticed;
}

export interface Noticed {
  readonly tried: number;
  readonly noticed: number;
  /** Names of values of which no change was noticed. */
  readonly never: readonly string[];
}

/**
 * What a checker noticed of changed answers, as far as it was run on them. `allowed` says of some of them, by index, whether
 * the model allows them: a checker need not notice those that it allows.
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

/** Whether the model allows each change of a value about which it was asked. */
function isExcused(name: string, mutants: readonly Mutant[], allowed: ReadonlyMap<number, boolean>): boolean {
  const own = [...allowed].filter(([index]) => mutants[index]?.name === name);
  return own.length > 0 && own.every(([, is_allowed]) => is_allowed);
}

/** What the test of a checker shows against it. */
function remarksOn({ tried, noticed, never }: Noticed): string[] {
  if (noticed === 0 && tried > 2 && never.length > 0)
    return [
      `The checker accepts all ${tried} answers with one change each, such as a number increased by one: it may check nothing. Some of these answers may be correct, too.`,
    ];
  const names = never.slice(0, model_limits.names_listed_max).join(", ");
  return never.length > 0
    ? [
        `The checker never notices a change of: ${names}. Does the problem say nothing about ${never.length > 1 ? "them" : "it"}?`,
      ]
    : [];
}

/** A solution of an answer, and how the answer names it; empty where it has only one. */
export interface Shown {
  readonly name: string;
  readonly values: Values;
}

/** The solutions that an answer shows; empty where its values do not belong to one solution. */
export function shownIn(verdict: SolveVerdict): readonly Shown[] {
  if (verdict.kind !== "sat" || verdict.of_all !== undefined) return [];
  const { witness, solutions = [] } = verdict;
  const all = solutions.map((values, i) => ({ name: `solution ${i}: `, values }));
  if ("not_shown" in witness) return all;
  const own = JSON.stringify(witness.values);
  const is_listed = solutions.some((values) => JSON.stringify(values) === own);
  return is_listed ? all : [{ name: "", values: witness.values }, ...all];
}

/** The outcome with what its checker says; one that breaks a rule of the text is not the best answer to the question. */
export function judged({ verdict, ...outcome_rest }: Outcome, checker: CheckerResult): Outcome {
  const warnings = [...outcome_rest.warnings, ...(checker.mutants ? remarksOn(checker.mutants) : [])];
  const outcome = { ...outcome_rest, verdict, checker, warnings };
  if (verdict.kind !== "sat" || checker.status !== "violated" || !verdict.best) return outcome;
  const best: Found["best"] = { value: verdict.best.value, proved: null };
  return { ...outcome, verdict: { ...verdict, best } };
}

/** The fields of an answer. */
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

/** What the first line of an answer says of it, after the status. */
export function checkerStatus(status: NonNullable<CheckerResult["status"]> | undefined): string {
  if (status === "violated") return ", but the values violate rules of the checker";
  return status === "failed" ? ", not checked: the checker failed" : "";
}

/** The sentence of an answer about its checker. */
export function checkerSentence(result: CheckerResult | undefined): string {
  if (!result) return "";
  const { status, violated, checked, reason = "" } = result;
  const of_several = checked > 1 ? `${violated} of ${checked} solutions violate` : "The values violate";
  switch (status) {
    case "passed":
      return ` The checker finds no violation${checked > 1 ? ` in ${checked} solutions` : ""}.`;
    case "violated":
      return ` ${of_several} rules of the checker, although the model allows ${violated > 1 ? "them" : "it"}: correct the model, or the checker.${reason && ` The checker also failed: ${reason}`}`;
    case "failed":
      return ` The answer is not checked, because the checker failed: ${reason}`;
    default:
      return status satisfies never;
  }
}
