import { gate_limits } from "../limits.ts";
import { placeOf, type Report, type Result, words } from "../report.ts";

/**
 * Repository text for a terminal or a log, without control characters or characters that change the writing direction.
 */
export function plain(text: string): string {
  const cut = text.length > gate_limits.text_chars_max ? `${text.slice(0, gate_limits.text_chars_max)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (each) => {
    if (each === "\n") return "\\n";
    return `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** A line about one result. */
export interface Line {
  /** The severity: a failure, something a reader should look at, or the rest. */
  readonly level: "failure" | "notice" | "rest";
  readonly status: keyof typeof words;
  readonly title: string;
  readonly detail: string;
  /** The reason why there is no answer, without details specific to this function. */
  readonly reason: string;
  readonly result: Result;
}

const failing: Readonly<Record<string, readonly string[]>> = {
  different: ["different", "unexpected"],
  undecided: ["undecided"],
  no_difference_found: ["undecided"],
  no_difference_under_assumed_types: ["undecided"],
  not_checked: ["not-checked", "unexpected"],
  error: ["error", "unexpected"],
  removed: ["unexpected"],
  counterexample: ["contract", "any-contract"],
};

/** All lines of a report: failures first, then the lines that a reader should look at. */
export function linesOf({ results }: Report): Line[] {
  const lines = results.flatMap((result) => {
    const { comparison, contract } = result;
    return [
      ...(result.change === "removed" && result.failures.length > 0 ? [lineOf(result, "removed", gone)] : []),
      ...(comparison ? [lineOf(result, comparison.status, detailOf(result, comparison), comparison.why)] : []),
      ...(contract ? [lineOf(result, contract.status, contractDetail(contract))] : []),
    ];
  });
  return lines.toSorted((a, b) => placeIn(a) - placeIn(b));
}

/**
 * Sorts failures first, then results that a reader should look at. Results that only show a Python limit and unchecked
 * functions come last.
 */
function placeIn({ level, status, result }: Line): number {
  const is_late = status === "not_checked" || result.comparison?.counterexample?.kind === "limit";
  return ["failure", "notice", "rest"].indexOf(level) * 2 + (is_late ? 1 : 0);
}

/** A line for people, which can cover several functions. */
export interface ShownLine extends Omit<Line, "result"> {
  readonly where: string;
}

/** Statuses whose functions share one line per reason. */
const grouped: ReadonlySet<Line["status"]> = new Set(["not_checked", "undecided", "same_code"]);

/**
 * The lines for people: functions without an answer are grouped by reason at the end, the most frequent reason first.
 */
export function linesForPeople(report: Report): ShownLine[] {
  const lines = linesOf(report);
  const is_listed = ({ level, status }: Line) => level !== "rest" || !grouped.has(status);
  const by_reason = new Map<string, Line[]>();
  for (const line of lines.filter((each) => !is_listed(each))) {
    const key = `${line.status} ${line.reason}`;
    by_reason.set(key, [...(by_reason.get(key) ?? []), line]);
  }
  const groups = [...by_reason.values()].toSorted((a, b) => b.length - a.length);
  return [...lines.filter(is_listed).map((line) => [line]), ...groups].flatMap((group) => {
    const [first] = group;
    const shown = group.slice(0, gate_limits.named_max).map(({ result }) => whereOf(result));
    const more = group.length > shown.length ? ", …" : "";
    const count = group.length > 1 ? `${group.length} functions: ` : "";
    // The other report formats contain each function's details.
    const detail = group.length > 1 ? first?.reason : first?.detail;
    return first && detail !== undefined ? [{ ...first, detail, where: `${count}${shown.join(", ")}${more}` }] : [];
  });
}

/** The text for a removed function that was expected to be the same; other removed functions are not mentioned. */
const gone = "it no longer exists, but --expect-same names it";

function lineOf(result: Result, status: Line["status"], detail: string, reason = detail): Line {
  const fails = result.failures.some((failure) => failing[status]?.includes(failure));
  const is_notice = status === "different" || status === "counterexample";
  const level = fails ? "failure" : is_notice ? "notice" : "rest";
  return { level, status, title: words[status], detail: plain(detail), reason: plain(reason), result };
}

function detailOf({ change, base, through }: Result, comparison: NonNullable<Result["comparison"]>): string {
  const { status, counterexample, why, proof, notes } = comparison;
  const from = change === "moved" && base ? ` (it was ${base.file}::${base.function})` : "";
  const because = through.length > 0 ? ` (its own code is the same; ${through.join(", ")} changed)` : "";
  const limit = counterexample?.kind === "limit" ? " (only a limit of Python: very large numbers, deep recursion)" : "";
  const finding = counterexample?.explanation ?? why ?? (proof ? proof.method : "all explored paths agree");
  // The limitations of an answer that found no difference are shown.
  const is_limited = /^(equivalent|no_difference.*)$/.test(status) || comparison.assumed_types !== undefined;
  const limits = is_limited ? notes.map((note) => `; ${note}`) : [];
  return `${finding}${limit}${from}${because}${limits.join("")}`;
}

function contractDetail({ counterexample, why, proof, in_base }: NonNullable<Result["contract"]>): string {
  const before = in_base === "broken" ? " (it was broken before this change, too)" : "";
  return `${counterexample?.explanation ?? why ?? proof?.method ?? ""}${before}`;
}

/** `FILE:LINE function`, for people. */
export function whereOf(result: Result): string {
  const { file, line, function: name } = placeOf(result);
  return `${plain(file)}:${line} ${plain(name)}`;
}

/** A one-sentence summary of what the gate examined. */
export function headline({ base, head, counts }: Report): string {
  const count = counts["functions"] ?? 0;
  const many = count === 1 ? "1 function differs" : `${count} functions differ`;
  const at = (commit: string) => commit.slice(0, 10);
  return `${many} between ${plain(head.ref)} (${at(head.commit)}) and its merge base with ${plain(base.ref)} (${at(base.merge_base)}).`;
}

/** The number of functions with each status, in words. */
export function summary({ counts, results }: Report): string {
  const parts = Object.entries(words).flatMap(([status, name]) => {
    if (status === "removed") return [];
    const key = status === "verified" || status === "counterexample" ? `contract_${status}` : status;
    const count = counts[key] ?? 0;
    return count > 0 ? [`${count} ${name}`] : [];
  });
  const others = (["added", "removed"] as const).flatMap((change) => {
    const count = results.filter((each) => each.change === change).length;
    return count > 0 ? [`${count} ${change}`] : [];
  });
  return [...parts, ...others].join(", ") || "nothing to compare";
}

/** Whether the gate passed, and by which policy. */
export function verdictLine({ passed, fail_on, results }: Report): string {
  const policy = fail_on.length > 0 ? `fails on ${fail_on.join(", ")}` : "never fails";
  const count = results.filter(({ failures }) => failures.length > 0).length;
  if (passed) return `Passed (the gate ${policy}).`;
  const what = count > 0 ? `${count} of the functions` : "a file that was left out may contain functions that matter";
  return `Failed: ${what} (the gate ${policy}).`;
}
