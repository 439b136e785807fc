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
    different: differs && !isNamed(policy.expect_different, placesOf(result)),
    unexpected: isNamed(policy.expect_same, placesOf(result)) && !mayPass(result, policy),
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
  const status = statusOf(comparison);
  if (status === "not_checked") return allow.includes("not-checked");
  if (status === "error") return allow.includes("error");
  return status !== "different";
}

/**
 * What a comparison is worth for `--expect-same`. An affected function was checked if it was examined, or if all that it
 * uses is the same.
 */
function statusOf(comparison: Result["comparison"]): string {
  if (comparison?.status !== "affected") return comparison?.status ?? "";
  const { asked, are_same } = comparison;
  return asked && not_proved.includes(asked.status) ? asked.status : are_same ? "affected" : "not_checked";
}

/** Whether a pattern matches one of a function's places. */
export function isNamed(
  patterns: readonly string[],
  places: readonly ({ readonly file: string; readonly name: string } | null)[],
): boolean {
  return patterns.some((pattern) => places.some((place) => place && means(pattern, place.file, place.name)));
}

function placesOf({ head, base }: Omit<Result, "failures">) {
  return [head, base].map((each) => each && { file: each.file, name: each.function });
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
  if (fail_on.length === 0 || allow.includes("not-checked")) return [];
  const is_expected = fail_on.includes("unexpected");
  return unread.filter(
    ({ file, is_late }) => is_late || (is_expected && expect_same.some((pattern) => mayBeIn(pattern, file))),
  );
}

/** Whether a function matching the pattern could be in this file. A function name without a file can be in any file. */
function mayBeIn(pattern: string, file: string): boolean {
  const [of_file = "", of_function] = pattern.split("::");
  return fits(of_file, file) || (of_function === undefined && !/\/|\.py$/.test(pattern));
}

/** Lists the functions in `--expect-same` that are not known to be the same. */
export function expectedNotes(results: readonly Result[], policy: Pick<Policy, "expect_same">): string[] {
  const expected = results.filter((result) => isNamed(policy.expect_same, placesOf(result)));
  const named = (title: string, is_of: (result: Result) => boolean) => {
    const names = expected.filter(is_of).map((result) => {
      const { file, function: name } = placeOf(result);
      return `${file}::${name}`;
    });
    return names.length > 0 ? [`Of --expect-same, ${title}: ${names.join(", ")}.`] : [];
  };
  return [
    ...named("could not be checked", ({ comparison }) => /^(not_checked|error)$/.test(statusOf(comparison))),
    ...named("checked without a proof", ({ comparison }) => not_proved.includes(statusOf(comparison))),
    ...named(
      "not checked separately, because all functions that they use were found to be the same",
      ({ comparison }) => statusOf(comparison) === "affected",
    ),
    ...named("removed", ({ change }) => change === "removed"),
  ];
}
