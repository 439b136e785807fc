/** Whether a JSON value nests deeper than this; what is deeper is not looked at. */
export function isDeeper(json: unknown, depth: number): boolean {
  if (typeof json !== "object" || json === null) return false;
  return depth === 0 || Object.values(json).some((part) => isDeeper(part, depth - 1));
}
