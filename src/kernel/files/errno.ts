/** Returns the code of a system error ("ENOENT"); undefined for anything else that was thrown. */
export function errorCode(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" ? code : undefined;
}
