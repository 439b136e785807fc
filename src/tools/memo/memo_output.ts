import * as z from "zod/v4";
import type { NumberedLine } from "./memo_lines.ts";

/** The answer of both tools of the memo. */
export const memo_output = z.object({
  status: z.literal("ok"),
  line_count: z.int(),
  lines: z.array(z.object({ line: z.int(), text: z.string() })),
});

/** The lines as text: `12 | text`. */
export function asText(lines: readonly NumberedLine[]): string {
  return lines.map(({ line, text }) => `${line} | ${text}`).join("\n");
}
