import { gate_limits } from "../limits.ts";
import type { Report } from "../report.ts";
import { headline, linesForPeople, plain, summary, verdictLine } from "./shown.ts";

/** The report for a workflow summary or a comment. */
export function markdownReport(report: Report): string {
  const lines = linesForPeople(report).slice(0, gate_limits.listed_max);
  const rows = lines.map(({ level, title, detail, where }) => {
    const mark = { failure: "❌", notice: "⚠️", rest: "" }[level];
    return `| ${mark} ${title} | ${cell(where)} | ${cell(detail)} |`;
  });
  const left_out = report.left_out.slice(0, gate_limits.listed_max);
  const files = left_out.map(({ file, why }) => `- ${cell(plain(file))}: ${cell(plain(why))}`);
  return [
    `### Verdict gate: ${report.passed ? "passed" : "failed"}`,
    "",
    text(headline(report)),
    "",
    ...(rows.length > 0 ? ["| | function | |", "|---|---|---|", ...rows, ""] : []),
    ...(files.length > 0 ? ["Left out:", "", ...files, ""] : []),
    `${summary(report)}. ${text(verdictLine(report))}`,
    "",
    ...report.notes.map(text),
  ].join("\n");
}

/** Repository text as code, without active markup; a vertical bar would end a table cell. */
function cell(value: string): string {
  const longest = Math.max(0, ...(value.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence} ${value.replaceAll("|", "\\|")} ${fence}`;
}

/** Repository text without active markup or mentions of people. */
function text(value: string): string {
  return value.replace(/[\\`*_{}[\]<>#|@!~]/g, (each) => `\\${each}`);
}
