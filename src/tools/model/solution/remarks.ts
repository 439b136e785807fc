import { linesOf } from "../../../kernel/text/lines.ts";

/**
 * Formats warnings as the second part of a text, if there are any, so that none can look like another line of the
 * answer.
 */
export function remarks(warnings: readonly string[] = []): string[] {
  return warnings.length > 0 ? [warnings.map((warning) => `note: ${linesOf(warning).join("\n  ")}`).join("\n")] : [];
}
