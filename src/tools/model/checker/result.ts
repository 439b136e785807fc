import * as z from "zod/v4";
import { cut } from "../../../kernel/text/cut.ts";
import { fitTexts } from "../../fit.ts";
import type { Found, Outcome, SolveVerdict, Values } from "../language.ts";

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
export function judged(outcome: Outcome, checker: CheckerResult): Outcome {
  const { verdict } = outcome;
  if (verdict.kind !== "sat" || checker.status !== "violated" || !verdict.best) return { ...outcome, checker };
  const best: Found["best"] = { value: verdict.best.value, proved: null };
  return { ...outcome, verdict: { ...verdict, best }, checker };
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
    })
    .optional(),
};

export function checkerFields(result: CheckerResult | undefined, chars_max: number) {
  if (!result) return {};
  const { violations, reason, ...counts } = result;
  return {
    ...(violations.length > 0 && { violations: fitTexts(violations, chars_max) }),
    checker: { ...counts, ...(reason !== undefined && { reason: cut(reason, chars_max) }) },
  };
}

/** What the first line of an answer says of it, after the status. */
export function checkerStatus(status: NonNullable<CheckerResult["status"]> | undefined): string {
  if (status === "violated") return ", but the values break rules of the checker";
  return status === "failed" ? ", not checked: the checker failed" : "";
}

/** The sentence of an answer about its checker. */
export function checkerSentence(result: CheckerResult | undefined): string {
  if (!result) return "";
  const { status, violated, checked, reason = "" } = result;
  const of_several = checked > 1 ? `${violated} of ${checked} solutions break` : "The values break";
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
