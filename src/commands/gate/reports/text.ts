import { gate_limits } from "../limits.ts";
import type { Report } from "../report.ts";
import { headline, linesForPeople, plain, summary, verdictLine } from "./shown.ts";

/** The report for people at a terminal. */
export function textReport(report: Report): string {
  const lines = linesForPeople(report);
  const shown = lines.slice(0, gate_limits.listed_max).map(({ level, title, detail, where }) => {
    const mark = { failure: "✗", notice: "!", rest: "·" }[level];
    return `${mark} ${title.padEnd(18)} ${where}\n    ${detail}`;
  });
  const more = lines.length > shown.length ? [`… and ${lines.length - shown.length} more (--format json has all)`] : [];
  const left_out = report.left_out
    .slice(0, gate_limits.listed_max)
    .map(({ file, why }) => `- left out           ${plain(file)}\n    ${plain(why)}`);
  const none = report.results.length === 0 ? ["Only commits are compared: uncommitted changes are ignored."] : [];
  return [
    headline(report),
    ...none,
    "",
    ...shown,
    ...more,
    ...left_out,
    "",
    `${summary(report)}.`,
    ...report.notes,
    verdictLine(report),
  ]
    .join("\n")
    .replace(/\n{3,}/g, "\n\n");
}
