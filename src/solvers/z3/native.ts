import type { Config } from "../../config.ts";
import { programsOfEnvironments, programsOnPath } from "../places.ts";

/** A native Z3 that may be there, and how it was found. */
export interface Candidate {
  readonly command: string;
  readonly source: string;
  /** The user named this one, so it is used whatever its age. */
  readonly chosen: boolean;
}

/**
 * Older builds than this have known wrong answers, in strings above all (Debian 12 ships 4.8.12);
 * the embedded one is better then.
 */
export const oldest_trusted = [4, 12] as const;

/** Native builds worth asking for their version, the best first. */
export function nativeCandidates(config: Config): Candidate[] {
  const { z3 } = config;
  if (z3 === "wasm") return [];
  const first = (commands: readonly string[], source: string) =>
    commands.slice(0, 1).map((command) => ({ command, source, chosen: false }));
  return [
    ...(z3 ? [{ command: z3, source: "VERDICT_Z3", chosen: true }] : []),
    ...first(programsOnPath(config, "z3"), "PATH"),
    ...first(programsOfEnvironments(config, "z3"), "the private Python environment"),
  ];
}

/** Whether a version such as "5.1.0" is new enough to be trusted unasked. */
export function isTrusted(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > oldest_trusted[0] || (major === oldest_trusted[0] && minor >= oldest_trusted[1]);
}
