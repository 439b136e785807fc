import { createHash } from "node:crypto";

/** What tells a remote model from others. A server that changes a model under the same name is not noticed. */
export function fingerprintOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}
