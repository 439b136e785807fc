import type { LeftOut } from "./changed.ts";
import type { GateOptions } from "./options.ts";
import { means } from "./options.ts";
import { placeOf, type Result } from "./report.ts";

type Policy = Pick<GateOptions, "fail_on" | "expect_same" | "expect_different">;

/** A result with what of it is a failure. A difference alone is none by default: most changes are meant. */
export function judged(result: Omit<Result, "failures">, { fail_on, expect_same, expect_different }: Policy): Result {
  const { comparison, contract } = result;
  const { file, function: name } = placeOf({ ...result, failures: [] });
  const is_meant = (patterns: readonly string[]) => patterns.some((pattern) => means(pattern, file, name));
  const statuses: readonly string[] = [comparison?.status ?? "", contract?.status ?? ""];
  const differs = comparison?.status === "different";
  const is_broken = contract?.status === "counterexample";
  const happened = {
    different: differs && !is_meant(expect_different),
    unexpected: differs && is_meant(expect_same),
    contract: is_broken && contract.in_base !== "broken",
    "any-contract": is_broken,
    undecided: statuses.includes("undecided") || statuses.includes("no_difference_found"),
    "not-checked": statuses.includes("not_checked"),
    error: statuses.includes("error"),
  };
  return { ...result, failures: fail_on.filter((each) => happened[each]) };
}

/** Whether nothing is a failure. A file that could not be read counts as not checked: its functions are unknown. */
export function hasPassed(
  results: readonly Result[],
  left_out: readonly LeftOut[],
  { fail_on }: Pick<GateOptions, "fail_on">,
): boolean {
  if (fail_on.includes("not-checked") && left_out.some(({ is_unread }) => is_unread)) return false;
  return results.every(({ failures }) => failures.length === 0);
}
