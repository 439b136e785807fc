import * as z from "zod/v4";
import { Fault } from "../../kernel/fault.ts";
import { linesOf } from "../../kernel/text/lines.ts";
import { memo_limits } from "./limits.ts";

const lineNumber = (name: string) =>
  z.number({ error: `${name} must be a whole number: a line of the memo, counted from 1.` }).meta({ type: "integer" });

/** A change of whole lines, counted from 1. Without `end_line`, no lines are removed. */
export const memo_edit = z.strictObject({
  start_line: lineNumber("start_line").describe("line_count + 1 appends."),
  end_line: lineNumber("end_line").optional().describe("Omit to insert."),
  content: z.string({ error: "content must be a string; an empty one deletes." }).describe("Empty deletes."),
});
type MemoEdit = z.output<typeof memo_edit>;

const numbered_line = z.object({ line: z.int(), text: z.string() });
export type NumberedLine = z.output<typeof numbered_line>;

/** The answer of both memo tools. */
export const memo_output = z.object({
  status: z.literal("ok"),
  line_count: z.int(),
  lines: z.array(numbered_line),
});

/** Formats the lines as text: `12 | text`. */
export function asText(lines: readonly NumberedLine[]): string {
  return lines.map(({ line, text }) => `${line} | ${text}`).join("\n");
}

/** Returns the memo after a change. Raises `invalid_argument` and `input_rejected`. */
export function edited(lines: readonly string[], { start_line, end_line, content }: MemoEdit): readonly string[] {
  const count = lines.length;
  if (end_line === undefined) {
    if (!isLine(start_line, 1, count + 1)) throw outOfRange("start_line", start_line, 1, count + 1);
    if (content === "") throw nothingToDo();
  } else {
    if (count === 0) throw emptyMemo();
    if (!isLine(start_line, 1, count)) throw outOfRange("start_line", start_line, 1, count);
    if (!isLine(end_line, start_line, count)) throw outOfRange("end_line", end_line, start_line, count);
  }
  const replaced = end_line === undefined ? 0 : end_line - start_line + 1;
  const after = lines.slice(start_line - 1 + replaced);
  return withinBounds([...lines.slice(0, start_line - 1), ...linesOf(content), ...after]);
}

/** Numbers the lines, starting from `first`. */
export function numbered(lines: readonly string[], first = 1): NumberedLine[] {
  return lines.map((text, i) => ({ line: first + i, text }));
}

/** Returns the changed lines and some around them, with their new numbers. */
export function linesAround(lines: readonly string[], { start_line }: MemoEdit): NumberedLine[] {
  const first = Math.max(1, start_line - memo_limits.window_lines_before);
  return numbered(lines.slice(first - 1, first - 1 + memo_limits.window_lines_max), first);
}

function isLine(line: number, first: number, last: number): boolean {
  return Number.isInteger(line) && line >= first && line <= last;
}

function outOfRange(name: string, line: number, first: number, last: number): Fault {
  const range = first === last ? String(first) : `${first} to ${last}`;
  return new Fault("invalid_argument", `${name} ${line} is out of range; lines count from 1. Valid: ${range}.`, [
    "call get_memo to see the lines with their numbers",
    `send it again with ${name} ${range}`,
  ]);
}

function emptyMemo(): Fault {
  return new Fault("invalid_argument", "The memo is empty: there is no line to replace or delete.", [
    "omit end_line and send start_line 1 to write the first lines",
    "call get_memo to see what it contains",
  ]);
}

function nothingToDo(): Fault {
  return new Fault("invalid_argument", "There is nothing to do: content is empty and no end_line is given.", [
    "set end_line to delete the lines from start_line to end_line",
    "write the lines to insert into content",
  ]);
}

function withinBounds(lines: readonly string[]): readonly string[] {
  const chars = lines.reduce((sum, line) => sum + line.length + 1, 0);
  const too_large =
    lines.length > memo_limits.lines_max
      ? `${lines.length} lines; the maximum is ${memo_limits.lines_max}`
      : chars > memo_limits.chars_max
        ? `${chars} characters; the maximum is ${memo_limits.chars_max}`
        : undefined;
  if (too_large === undefined) return lines;
  throw new Fault("input_rejected", `The memo would have ${too_large}. It was not changed.`, [
    "delete or shorten older lines first",
    "keep long texts elsewhere, and note only what matters",
  ]);
}
