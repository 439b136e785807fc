import { linesOf } from "../../../kernel/text/lines.ts";

/**
 * Formats warnings, if there are any, as the second part of a text, so that no warning can look like another line of
 * the answer.
 */
export function remarks(warnings: readonly string[] = []): string[] {
  return warnings.length > 0 ? [warnings.map((warning) => `note: ${linesOf(warning).join("\n  ")}`).join("\n")] : [];
}
