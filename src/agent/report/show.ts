import * as z from "zod/v4";
import { visible } from "../../kernel/text/visible.ts";
import type { Checked } from "../evidence/checked.ts";
import type { Event } from "../loop/events.ts";
import type { Outcome, Status } from "../outcome.ts";
import type { Statistics } from "./statistics.ts";

export type Detail = "quiet" | "usual" | "verbose";

const line_chars_max = 100;
const verbose_chars_max = 4_000;

/** Formats an event as a line for a user who is watching; undefined if it is not worth showing. */
export function eventLine(event: Event, detail: Detail, is_coloured: boolean): string | undefined {
  const paint = paints(is_coloured);
  if (detail === "quiet") return undefined;
  switch (event.kind) {
    case "route":
      return paint.dim(
        `${event.is_change ? "changes to" : "language:"} ${event.language} (${oneLine(event.why, line_chars_max)})`,
      );
    case "thought":
      return `${who(event.role)}${detail === "verbose" ? visible(event.text) : oneLine(event.text, 3 * line_chars_max)}`;
    case "call":
      return callLine(event, detail, paint);
    case "refused":
      return paint.yellow(`${who(event.role)}refused: ${oneLine(event.text, 2 * line_chars_max)}`);
    case "checker":
      return checkedLines(event, paint).join("\n");
    case "review":
      return `review: ${reviewWord(event.result, paint)}${event.reasons.map((reason) => `\n  ${oneLine(reason, 3 * line_chars_max)}`).join("")}`;
    case "model":
      return detail === "verbose" ? `the model, in ${event.language}:\n${visible(event.text)}` : undefined;
    case "step":
      if (detail !== "verbose") return undefined;
      return paint.dim(`${who(event.role)}step: ${event.ms} ms, ${event.input} tokens in, ${event.output} out`);
    default:
      return event satisfies never;
  }
}

function callLine({ role, record }: Extract<Event, { kind: "call" }>, detail: Detail, paint: Paint): string {
  const { tool, args, is_fault, text, ms } = record;
  const outcome = is_fault ? paint.yellow(`✗ ${oneLine(text, line_chars_max)}`) : oneLine(text, line_chars_max);
  const line = `${who(role)}${paint.bold(tool)} ${paint.dim(`${ms} ms`)}  ${outcome}`;
  if (detail !== "verbose") return line;
  return `${line}\n${paint.dim(visible(JSON.stringify(args, null, 2)).slice(0, verbose_chars_max))}\n${visible(text).slice(0, verbose_chars_max)}`;
}

function who(role: string): string {
  return role === "agent" ? "" : `[${role}] `;
}

function reviewWord(result: string, paint: Paint): string {
  return result === "correct" ? paint.green(result) : result === "incorrect" ? paint.red(result) : result;
}

/** The result of a checker, with its findings. */
function checkedLines({ status, violations, reason }: Checked, paint: Paint): string[] {
  const word = status === "passed" ? paint.green(status) : status === "violated" ? paint.red(status) : status;
  const found = [...violations, ...(reason === null ? [] : [reason])];
  return [`checker: ${word}`, ...found.slice(0, 20).map((each) => `  ${oneLine(each, 400)}`)];
}

const headlines: Readonly<Record<Status, string>> = {
  solved: "Decided",
  disputed: "Disputed",
  undecided: "Not decided",
  failed: "Failed, and not decided",
  interrupted: "Interrupted",
};

/** The outcome as text for people. A verdict is printed only if a tool supports it. */
export function outcomeText(outcome: Outcome, is_coloured: boolean): string {
  const paint = paints(is_coloured);
  const { status, reason, answer, verdict, values, not_modelled, checker, review, last_result } = outcome;
  const colour = status === "solved" ? paint.green : status === "disputed" ? paint.yellow : paint.red;
  const head = `${headlines[status]}${verdict ? `: ${verdict.word}` : ""}${reason === null ? "" : ` (${oneLine(reason, 400)})`}`;
  return [
    paint.bold(colour(head)),
    ...(answer === null ? [] : ["The model's words:", indent(visible(answer))]),
    ...Object.entries(values).map(
      ([name, value]) => `  ${oneLine(name, 200)} = ${oneLine(JSON.stringify(value), 400)}`,
    ),
    ...(verdict ? [paint.dim(`by ${verdict.tool}${verdict.engine === null ? "" : `, ${verdict.engine}`}`)] : []),
    ...(typeof verdict?.evidence["message"] === "string" ? [paint.dim(oneLine(verdict.evidence["message"], 300))] : []),
    ...warningsOf(verdict).map((each) => `warning: ${oneLine(each, 400)}`),
    ...not_modelled.map((each) => `not modelled: ${oneLine(each, 400)}`),
    ...(checker ? checkedLines(checker, paint) : []),
    ...(review
      ? [`review: ${reviewWord(review.result, paint)}`, ...review.reasons.map((each) => `  ${oneLine(each, 400)}`)]
      : []),
    ...(last_result
      ? [`The last call, ${last_result.tool}: ${oneLine(last_result.status, 50)}. That is not the answer.`]
      : []),
  ].join("\n");
}

/** Indents the model's words, so that they can't be mistaken for output of tools or the reviewer. */
function indent(words: string): string {
  return words.replaceAll(/^/gm, "  | ");
}

/** The warnings from solving, for example about truncated values. */
function warningsOf(verdict: Outcome["verdict"]): readonly string[] {
  return z.array(z.string()).safeParse(verdict?.evidence["warnings"]).data ?? [];
}

/** The statistics as a table. */
export function statisticsText({ tools, tokens, ...whole }: Statistics, is_coloured: boolean): string {
  const paint = paints(is_coloured);
  const rows = [
    ...Object.entries(tools).map(([name, { calls, faults, seconds }]) => [
      name,
      `${calls} calls`,
      `${faults} faults`,
      `${seconds} s`,
    ]),
    ...Object.entries(tokens)
      .filter(([, { input, output }]) => input + output > 0)
      .map(([role, { input, output, cached }]) => [
        `tokens, ${role}`,
        `${input} in`,
        `${output} out`,
        `${cached} cached`,
      ]),
    ["all", `${whole.steps} steps`, `${whole.repairs} repairs`, `${whole.seconds} s`],
  ];
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const price = whole.price === null ? "price: not reported by the provider" : `price: ${whole.price}`;
  const lines = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return paint.dim(
    [...lines, `${price}${whole.tokens_estimated ? "; tokens that no provider counted are estimated" : ""}`].join("\n"),
  );
}

/** Puts a model's text on one line, truncated and without terminal control characters. */
export function oneLine(text: string, chars_max: number): string {
  const line = visible(text).replaceAll(/\s+/g, " ").trim();
  return line.length <= chars_max ? line : `${line.slice(0, chars_max - 1)}…`;
}

interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly red: (text: string) => string;
}

/** Returns functions that colour text for a terminal, or that leave it unchanged. */
function paints(is_coloured: boolean): Paint {
  const paint = (code: number, end: number) => (text: string) =>
    is_coloured ? `\u001b[${code}m${text}\u001b[${end}m` : text;
  return { bold: paint(1, 22), dim: paint(2, 22), green: paint(32, 39), yellow: paint(33, 39), red: paint(31, 39) };
}
