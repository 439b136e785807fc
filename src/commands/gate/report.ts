import * as z from "zod/v4";

/** The gate's findings as written by `--format json`; all other formats are derived from them. */

const Counterexample = z.object({
  /** One sentence with the call and both results, or the violation. */
  explanation: z.string(),
  args: z.record(z.string(), z.unknown()),
  kwargs: z.record(z.string(), z.unknown()),
  /** The source of a regression test. */
  test: z.string(),
  /** The kind of finding; `limit` means very large numbers or deep recursion. */
  kind: z.enum(["result", "crash", "deliberate", "call", "limit"]).optional(),
});
export type Counterexample = z.output<typeof Counterexample>;

const common = {
  /** The reason why there is no answer, for `undecided`, `not_checked` and `error`. */
  why: z.string().optional(),
  counterexample: Counterexample.optional(),
  /** The proof method and its assumptions. */
  proof: z.object({ method: z.string(), assumptions: z.array(z.string()) }).optional(),
  /** Guessed types of parameters without annotations: the answer holds only for these types. */
  assumed_types: z.record(z.string(), z.string()).optional(),
  notes: z.array(z.string()),
  cached: z.boolean(),
  time_seconds: z.number(),
};

/**
 * `equivalent` was proved. `no_difference_under_assumed_types`: equivalence was proved, or all paths agree, but only
 * for guessed types. `no_difference_found`: all explored paths agree, which is not a proof. `same_code`: there was
 * nothing to compare. `affected`: its own code is the same, and all that differs is in changed functions that it uses.
 */
export const Comparison = z.object({
  status: z.enum([
    "equivalent",
    "no_difference_found",
    "no_difference_under_assumed_types",
    "different",
    "undecided",
    "same_code",
    "affected",
    "not_checked",
    "error",
  ]),
  /** For `affected`: the changed functions that it uses, with the statuses of their comparisons. */
  uses: z.array(z.object({ file: z.string(), function: z.string(), status: z.string().nullable() })).optional(),
  /** For `affected`: whether all of these are called as before, and are the same code or proved equivalent. */
  are_same: z.boolean().optional(),
  /** For `affected`: what became of the question about this function itself, if there was one. */
  asked: z.object({ status: z.string(), why: z.string() }).optional(),
  ...common,
});
export type Comparison = z.output<typeof Comparison>;

export const ContractCheck = z.object({
  status: z.enum(["verified", "counterexample", "undecided", "not_checked", "error"]),
  /** Whether the contract was already broken before this change. */
  in_base: z.enum(["broken", "not_known_broken"]).optional(),
  ...common,
});
export type ContractCheck = z.output<typeof ContractCheck>;

const Place = z.object({ file: z.string(), function: z.string(), line: z.int(), end_line: z.int() });

export const Result = z.object({
  change: z.enum(["changed", "moved", "added", "removed", "same_code"]),
  /** The function's current position; null if it was removed. */
  head: Place.nullable(),
  base: Place.nullable(),
  /** The changed names that the function uses, if its own code did not change. */
  through: z.array(z.string()),
  /** The comparison; null if the function was added or removed, so that there is nothing to compare. */
  comparison: Comparison.nullable(),
  /** The result of checking the function's contract; null if it has none. */
  contract: ContractCheck.nullable(),
  /** The function's failures according to `fail_on`. */
  failures: z.array(z.string()),
});
export type Result = z.output<typeof Result>;

export const Report = z.object({
  version: z.string(),
  base: z.object({ ref: z.string(), commit: z.string(), merge_base: z.string() }),
  head: z.object({ ref: z.string(), commit: z.string() }),
  python: z.string(),
  passed: z.boolean(),
  fail_on: z.array(z.string()),
  /** The number of functions with each status. */
  counts: z.record(z.string(), z.int()),
  results: z.array(Result),
  left_out: z.array(z.object({ file: z.string(), why: z.string() })),
  notes: z.array(z.string()),
  time_seconds: z.number(),
});
export type Report = z.output<typeof Report>;

/** The position at which a result is shown. */
export function placeOf({ head, base }: Result): z.output<typeof Place> {
  const place = head ?? base;
  if (!place) throw new Error("a result has a place");
  return place;
}

/** Explains each status to a reader; the wording is the same in every form. */
export const words = {
  equivalent: "proved equivalent",
  no_difference_found: "no difference found, not proved",
  no_difference_under_assumed_types: "no difference found under assumed types",
  different: "different",
  undecided: "undecided",
  same_code: "same code",
  affected: "affected",
  not_checked: "not checked",
  removed: "removed",
  error: "error",
  verified: "contract proved",
  counterexample: "contract broken",
} as const;
