import * as z from "zod/v4";
import { limits } from "../../kernel/limits.ts";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import type { MemoFile } from "./memo_file.ts";
import { asText, edited, linesAround, memo_output } from "./memo_lines.ts";

const lineNumber = (name: string) =>
  z.number({ error: `${name} must be a whole number: a line of the memo, counted from 1.` }).meta({ type: "integer" });

const input = z.strictObject({
  start_line: lineNumber("start_line").describe("line_count + 1 appends."),
  end_line: lineNumber("end_line").optional().describe("Omit to insert."),
  content: z.string({ error: "content must be a string; an empty one deletes." }).describe("Empty deletes."),
});

/** `edit_memo`: replaces, inserts or deletes lines of the notes. */
export function editMemo(file: MemoFile): Tool {
  return defineTool({
    name: "edit_memo",
    description: "Replace lines of the notes, or insert before start_line.",
    annotations: annotated("Edit memo", "changes"),
    input,
    output: memo_output,
    limit_ms: () => limits.file_wait_ms_max,
    async run(edit, { deadline }) {
      const lines = await file.change((before) => edited(before, edit), deadline);
      return { status: "ok" as const, line_count: lines.length, lines: linesAround(lines, edit) };
    },
    render: ({ line_count, lines }) => [[`The memo has ${line_count} lines now.`, asText(lines)].join("\n").trimEnd()],
  });
}
