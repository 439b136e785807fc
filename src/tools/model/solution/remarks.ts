/** Warnings as the second part of a text, if there are any. */
export function remarks(warnings: readonly string[] = []): string[] {
  return warnings.length > 0 ? [warnings.map((warning) => `note: ${warning}`).join("\n")] : [];
}
