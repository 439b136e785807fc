/** What `doctor` reports about an engine. No paths: a model may read it. */
export interface EngineReport {
  readonly name: string;
  readonly found: boolean;
  readonly kind: "native" | "wasm" | "python" | "none";
  readonly version: string | null;
  /** Why this build is the one in use, or why none is. */
  readonly why: string;
  /** How to get it, or a better one. */
  readonly how_to_get: string;
  /** The confinement of the engine. */
  readonly isolation: string;
}

/** The interface of an engine. */
export interface Engine {
  readonly name: string;
  /** Which parts are available and which are not; starts no lasting process. */
  probe(): Promise<readonly EngineReport[]>;
  close(): void;
}

/** The versions of the available engines, by name. */
export function versionsIn(reports: readonly EngineReport[]): Record<string, string> {
  return Object.fromEntries(
    reports.flatMap(({ name, found, version }) => (found && version !== null ? [[name, version]] : [])),
  );
}
