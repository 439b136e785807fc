import { gate_limits } from "../limits.ts";
import { placeOf, type Report } from "../report.ts";
import { type Line, linesOf, plain } from "./shown.ts";
import { textReport } from "./text.ts";

/**
 * The report as workflow commands, which GitHub shows as annotations, and as text. `token` disables commands while the
 * text is printed, since the text contains names and values from the repository.
 */
export function githubReport(report: Report, token: string): string {
  const lines = linesOf(report);
  const of = (level: Line["level"]) =>
    lines.filter((line) => line.level === level).slice(0, gate_limits.annotations_max);
  return [
    ...of("failure").map((line) => command("error", line)),
    ...of("notice").map((line) => command("notice", line)),
    `::stop-commands::${token}`,
    textReport(report),
    `::${token}::`,
  ].join("\n");
}

function command(kind: "error" | "notice", { title, detail, result }: Line): string {
  const { file, line, end_line, function: name } = placeOf(result);
  const shown_title = plain(`Verdict: ${name}: ${title}`);
  const properties = { file: plain(file), line: `${line}`, endLine: `${end_line}`, title: shown_title };
  const shown = Object.entries(properties).map(([key, value]) => `${key}=${escapedProperty(value)}`);
  return `::${kind} ${shown.join(",")}::${escapedData(detail)}`;
}

/** Escapes the characters that would end a message. */
function escapedData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** Also escapes the characters that would end a property. */
function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
