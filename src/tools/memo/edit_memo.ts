import { limits } from "../../kernel/limits.ts";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import type { MemoFile } from "./memo_file.ts";
import { asText, edited, linesAround, memo_edit, memo_output } from "./memo_lines.ts";

/** `edit_memo`: replaces, inserts or deletes lines of the notes. */
export function editMemo(file: MemoFile): Tool {
  return defineTool({
    name: "edit_memo",
    description: "Replace lines of the notes, or insert before start_line.",
    annotations: annotated("Edit memo", "changes"),
    input: memo_edit,
    output: memo_output,
    limit_ms: () => limits.file_wait_ms_max,
    async run(edit, { deadline }) {
      const lines = await file.change((before) => edited(before, edit), deadline);
      return { status: "ok" as const, line_count: lines.length, lines: linesAround(lines, edit) };
    },
    render: ({ line_count, lines }) => [[`The memo has ${line_count} lines now.`, asText(lines)].join("\n").trimEnd()],
  });
}
