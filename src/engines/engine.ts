import type { Config } from "../config.ts";
import type { Children } from "../kernel/process/child.ts";
import type { Slots } from "../kernel/process/slots.ts";

/** What `doctor` reports about an engine. It contains no paths, since a model may read it. */
export interface EngineReport {
  readonly name: string;
  readonly found: boolean;
  readonly kind: "native" | "wasm" | "python" | "none";
  readonly version: string | null;
  /** The reason why this build is in use, or why none is. */
  readonly why: string;
  /** How to install the engine, or a better build of it. */
  readonly how_to_get: string;
  /** A description of how the engine is confined. */
  readonly isolation: string;
}

/** What is needed to start processes. */
export interface ProcessServices {
  readonly config: Config;
  readonly children: Children;
}

/** What an engine needs to run its processes. */
export interface EngineServices extends ProcessServices {
  readonly slots: Slots;
}

/** The interface of an engine. */
export interface Engine {
  readonly name: string;
  /** Reports which parts are available and which are not; leaves no process running. */
  probe(): Promise<readonly EngineReport[]>;
  close(): void;
}

/** The versions of the available engines, by name. */
export function versionsIn(reports: readonly EngineReport[]): Record<string, string> {
  return Object.fromEntries(
    reports.flatMap(({ name, found, version }) => (found && version !== null ? [[name, version]] : [])),
  );
}
