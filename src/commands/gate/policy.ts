import type { LeftOut } from "./changed.ts";
import type { GateOptions } from "./options.ts";
import { fits, means } from "./options.ts";
import { placeOf, type Result } from "./report.ts";

type Policy = Pick<GateOptions, "fail_on" | "expect_same" | "expect_different" | "allow">;

/** Fills in a result's failures. A difference alone is not a failure by default, since most changes are intended. */
export function judged(result: Omit<Result, "failures">, policy: Policy): Result {
  const { comparison, contract } = result;
  const statuses: readonly string[] = [comparison?.status ?? "", contract?.status ?? ""];
  const differs = comparison?.status === "different";
  const is_broken = contract?.status === "counterexample";
  const happened = {
    different: differs && !isNamed(policy.expect_different, result),
    unexpected: isNamed(policy.expect_same, result) && !mayPass(result, policy),
    contract: is_broken && contract.in_base !== "broken",
    "any-contract": is_broken,
    undecided: statuses.some((status) => not_proved.includes(status)),
    "not-checked": statuses.includes("not_checked"),
    error: statuses.includes("error"),
  };
  return { ...result, failures: policy.fail_on.filter((each) => happened[each]) };
}

/** The statuses of functions that were examined with neither a difference nor a proof. */
const not_proved: readonly string[] = ["undecided", "no_difference_found", "no_difference_under_assumed_types"];

/**
 * Whether a function listed in `--expect-same` passes: it was examined, and no difference was found. A function that
 * was not examined passes only if `--allow` says so.
 */
function mayPass({ change, comparison }: Omit<Result, "failures">, { allow }: Pick<Policy, "allow">): boolean {
  if (change === "removed") return allow.includes("removed");
  if (comparison?.status === "not_checked") return allow.includes("not-checked");
  if (comparison?.status === "error") return allow.includes("error");
  return comparison?.status !== "different";
}

function isNamed(patterns: readonly string[], { head, base }: Omit<Result, "failures">): boolean {
  const places = [head, base].flatMap((each) => (each ? [each] : []));
  return patterns.some((pattern) => places.some(({ file, function: name }) => means(pattern, file, name)));
}

/**
 * Whether there are no failures. An unreadable file counts as not checked. So does each function that it may contain,
 * since its functions are unknown.
 */
export function hasPassed(
  results: readonly Result[],
  left_out: readonly LeftOut[],
  policy: Pick<Policy, "fail_on" | "expect_same" | "allow">,
): boolean {
  return results.every(({ failures }) => failures.length === 0) && failingFiles(left_out, policy).length === 0;
}

/** The unreadable files that make the gate fail. */
export function failingFiles(
  left_out: readonly LeftOut[],
  { fail_on, expect_same, allow }: Pick<Policy, "fail_on" | "expect_same" | "allow">,
): readonly LeftOut[] {
  const unread = left_out.filter(({ is_unread }) => is_unread);
  if (fail_on.includes("not-checked")) return unread;
  if (!fail_on.includes("unexpected") || allow.includes("not-checked")) return [];
  return unread.filter(({ file }) => expect_same.some((pattern) => mayBeIn(pattern, file)));
}

/** Whether a function matching the pattern could be in this file. A function name without a file can be in any file. */
function mayBeIn(pattern: string, file: string): boolean {
  const [of_file = "", of_function] = pattern.split("::");
  return fits(of_file, file) || (of_function === undefined && !/\/|\.py$/.test(pattern));
}

/** Lists the functions in `--expect-same` that are not known to be the same. */
export function expectedNotes(results: readonly Result[], policy: Pick<Policy, "expect_same">): string[] {
  const expected = results.filter((result) => isNamed(policy.expect_same, result));
  const named = (title: string, is_of: (result: Result) => boolean) => {
    const names = expected.filter(is_of).map((result) => {
      const { file, function: name } = placeOf(result);
      return `${file}::${name}`;
    });
    return names.length > 0 ? [`Of --expect-same, ${title}: ${names.join(", ")}.`] : [];
  };
  return [
    ...named("could not be checked", ({ comparison }) => /^(not_checked|error)$/.test(comparison?.status ?? "")),
    ...named("checked without a proof", ({ comparison }) => not_proved.includes(comparison?.status ?? "")),
    ...named("removed", ({ change }) => change === "removed"),
  ];
}
