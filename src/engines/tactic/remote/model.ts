import { createHash } from "node:crypto";
import type { ModelInfo } from "../protocol.ts";

/** What is known about a model on a server. A change to the model under the same name is not noticed. */
export function remoteModel(backend: "openai" | "ollama", name: string, url: string): ModelInfo {
  const hash = createHash("sha256")
    .update(JSON.stringify([backend, name, url]))
    .digest("hex");
  return {
    name,
    backend,
    size_bytes: null,
    // In Ollama's names, the quantisation follows a colon.
    quantisation: backend === "ollama" ? (/:(\S+)$/.exec(name)?.[1]?.toUpperCase() ?? null) : null,
    fingerprint: hash.slice(0, 16),
    context_tokens: null,
    scores: "reported",
  };
}
