import * as z from "zod/v4";
import { limits } from "../../kernel/limits.ts";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import type { MemoFile } from "./memo_file.ts";
import { asText, memo_output, numbered } from "./memo_lines.ts";

/** `get_memo`: returns the notes with the line numbers that `edit_memo` takes. */
export function getMemo(file: MemoFile): Tool {
  return defineTool({
    name: "get_memo",
    description: "Notes from earlier conversations.",
    annotations: annotated("Show memo", "reads"),
    input: z.strictObject({}),
    output: memo_output,
    limit_ms: () => limits.file_wait_ms_max,
    async run() {
      const lines = await file.read();
      return { status: "ok" as const, line_count: lines.length, lines: numbered(lines) };
    },
    render: ({ lines }) => [lines.length > 0 ? asText(lines) : "The memo is empty."],
  });
}
