import type { Finding } from "../kernel/evidence.ts";

/** What is decided about an engine's answer. A refuted answer never counts. */
export interface Ruling {
  readonly finding: Finding;
  /** Why an open answer does not count: the engine may be wrong about such problems. */
  readonly doubt?: string | undefined;
  /** What to say about an open answer that counts. */
  readonly warning?: string | undefined;
}
