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
  affected: ["unexpected"],
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
      ...(comparison ? [lineOf(result, comparison.status, ...detailOf(result, comparison))] : []),
      ...(contract ? [lineOf(result, contract.status, contractDetail(contract))] : []),
    ];
  });
  return lines.toSorted((a, b) => placeIn(a) - placeIn(b));
}

/**
 * Sorts failures first, then results that a reader should look at. Results that only show a Python limit and unchecked
 * functions come last, and functions with changes of their own before the others.
 */
function placeIn({ level, status, result }: Line): number {
  const is_late = status === "not_checked" || result.comparison?.counterexample?.kind === "limit";
  return ["failure", "notice", "rest"].indexOf(level) * 4 + (is_late ? 2 : 0) + (hasOwn(result) ? 0 : 1);
}

/** What a difference shows that is no result of the code, by kind. */
const only_words: Readonly<Record<string, string>> = {
  limit: "only a limit of Python: very large numbers, deep recursion",
  call: "only if arguments are passed by name",
};

/** Whether the function has changes of its own, and does not only use others. */
const hasOwn = ({ through }: Pick<Result, "through">) => through.length === 0;

/** A line for people, which can cover several functions. */
export interface ShownLine extends Omit<Line, "result"> {
  readonly where: string;
}

/** Statuses whose functions share one line per reason. */
const grouped: ReadonlySet<Line["status"]> = new Set(["not_checked", "undecided", "same_code", "affected"]);

/**
 * The lines for people: functions without an answer are grouped by reason at the end. Reasons of functions with changes
 * of their own come first, then the most frequent ones.
 */
export function linesForPeople(report: Report): ShownLine[] {
  const lines = linesOf(report);
  const is_listed = ({ level, status }: Line) => level !== "rest" || !grouped.has(status);
  const by_reason = new Map<string, Line[]>();
  for (const line of lines.filter((each) => !is_listed(each))) {
    const { through, comparison } = line.result;
    const key = JSON.stringify([line.status, line.reason, through.length > 0, comparison?.uses]);
    by_reason.set(key, [...(by_reason.get(key) ?? []), line]);
  }
  const late = ([line]: Line[]) => (line && !hasOwn(line.result) ? 1 : 0);
  const groups = [...by_reason.values()].toSorted((a, b) => late(a) - late(b) || b.length - a.length);
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

/** The text about one function, and the one about all functions with the same reason. */
function detailOf(
  { change, base, through }: Result,
  comparison: NonNullable<Result["comparison"]>,
): [string, string | undefined] {
  const { status, counterexample, why, proof, notes, uses, asked } = comparison;
  if (status === "affected" && uses) {
    const shown = uses.slice(0, gate_limits.named_max).map((each) => each.function);
    const more = uses.length > shown.length ? ` and ${uses.length - shown.length} more` : "";
    const used = `${shown.join(", ")}${more}, which changed`;
    const open = asked ? `; the question about it: ${asked.why}` : "";
    return [`its own code is the same; it uses ${used}${open}`, `their own code is the same; they use ${used}`];
  }
  const from = change === "moved" && base ? ` (it was ${base.file}::${base.function})` : "";
  const because = through.length > 0 ? ` (its own code is the same; ${through.join(", ")} changed)` : "";
  const only = counterexample?.kind && only_words[counterexample.kind];
  const limit = only ? ` (${only})` : "";
  const finding = counterexample?.explanation ?? why ?? (proof ? proof.method : "all explored paths agree");
  // The limitations of an answer that found no difference are shown.
  const is_limited = /^(equivalent|no_difference.*)$/.test(status) || comparison.assumed_types !== undefined;
  const limits = is_limited ? notes.map((note) => `; ${note}`) : [];
  return [`${finding}${limit}${from}${because}${limits.join("")}`, why];
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
export function headline({ base, head, counts, results }: Report): string {
  const others = results.filter((result) => !hasOwn(result)).length;
  const count = (counts["functions"] ?? 0) - others;
  const many = count === 1 ? "1 function differs" : `${count} functions differ`;
  const more =
    others > 0
      ? ` ${others} more ${others === 1 ? "function did not change itself, but uses" : "functions did not change themselves, but use"} functions that changed.`
      : "";
  const at = (commit: string) => commit.slice(0, 10);
  return `${many} between ${plain(head.ref)} (${at(head.commit)}) and its merge base with ${plain(base.ref)} (${at(base.merge_base)}).${more}`;
}

/** The number of functions with each status, in words. */
export function summary({ results }: Report): string {
  const own = statusCounts(results.filter(hasOwn));
  const users = statusCounts(results.filter((result) => !hasOwn(result)));
  const others = (["added", "removed"] as const).flatMap((change) => {
    const count = results.filter((each) => each.change === change).length;
    return count > 0 ? [`${count} ${change}`] : [];
  });
  const shown = [...own, ...others].join(", ") || "nothing to compare";
  return users.length > 0 ? `${shown}; of the functions that use what changed: ${users.join(", ")}` : shown;
}

function statusCounts(results: readonly Result[]): string[] {
  return Object.entries(words).flatMap(([status, name]) => {
    const count = results.filter(({ comparison, contract }) =>
      status === "verified" || status === "counterexample"
        ? contract?.status === status
        : comparison?.status === status,
    ).length;
    return count > 0 ? [`${count} ${name}`] : [];
  });
}

/** Whether the gate passed, and by which policy. */
export function verdictLine({ passed, fail_on, results }: Report): string {
  const policy = fail_on.length > 0 ? `fails on ${fail_on.join(", ")}` : "never fails";
  const count = results.filter(({ failures }) => failures.length > 0).length;
  if (passed) return `Passed (the gate ${policy}).`;
  const what = count > 0 ? `${count} of the functions` : "a file that was left out may contain functions that matter";
  return `Failed: ${what} (the gate ${policy}).`;
}
