import { createHash } from "node:crypto";
import type { ModelInfo } from "../backend.ts";

/** What is known of a model behind a server. That it was changed under the same name is not noticed. */
export function remoteModel(backend: "openai" | "ollama", name: string, url: string): ModelInfo {
  const hash = createHash("sha256")
    .update(JSON.stringify([backend, name, url]))
    .digest("hex");
  return {
    name,
    backend,
    size_bytes: null,
    // Ollama's names have it after a colon.
    quantisation: backend === "ollama" ? (/:(\S+)$/.exec(name)?.[1]?.toUpperCase() ?? null) : null,
    fingerprint: hash.slice(0, 16),
    context_tokens: null,
    scores: "reported",
  };
}
