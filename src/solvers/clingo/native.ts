import type { Config } from "../../config.ts";
import type { Program } from "../../kernel/child.ts";
import { programsOnPath } from "../places.ts";

/** A native clingo that may be there, and how it was found. */
export interface Candidate {
  readonly command: string;
  readonly source: string;
  /** The user named this one, so it is used whatever its age. */
  readonly chosen: boolean;
}

/** The oldest version whose output and exit codes were recorded for the tests. */
export const oldest_trusted = [5, 4] as const;

/** Native builds worth asking for their version, the best first. */
export function nativeCandidates(config: Config): Candidate[] {
  const { clingo } = config;
  if (clingo === "wasm") return [];
  const on_path = programsOnPath(config, "clingo").slice(0, 1);
  return [
    ...(clingo ? [{ command: clingo, source: "VERDICT_CLINGO", chosen: true }] : []),
    ...on_path.map((command) => ({ command, source: "PATH", chosen: false })),
  ];
}

/** Whether a version such as "5.4.1" is new enough to be trusted unasked. */
export function isTrusted(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > oldest_trusted[0] || (major === oldest_trusted[0] && minor >= oldest_trusted[1]);
}

/**
 * How to start it. A native clingo keeps its answer sets in a buffer until it ends, so that a killed
 * one leaves nothing behind; where the system has `stdbuf`, each line comes at once.
 */
export function nativeProgram(config: Config, command: string, args: readonly string[]): Program {
  const [stdbuf] = programsOnPath(config, "stdbuf");
  return stdbuf === undefined ? { command, args } : { command: stdbuf, args: ["-oL", command, ...args] };
}
