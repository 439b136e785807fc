import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config.ts";

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

const executable = process.platform === "win32" ? "z3.exe" : "z3";
const scripts = process.platform === "win32" ? "Scripts" : "bin";

/** Native builds worth asking for their version, the best first. */
export function nativeCandidates(config: Config): Candidate[] {
  const { z3, path, data_directory } = config;
  if (z3 === "wasm") return [];
  const found = (command: string, source: string) =>
    isExecutable(command) ? [{ command, source, chosen: false }] : [];
  return [
    ...(z3 ? [{ command: z3, source: "VERDICT_Z3", chosen: true }] : []),
    ...path.flatMap((directory) => found(join(directory, executable), "PATH")).slice(0, 1),
    ...found(join(data_directory, "python", scripts, executable), "the private Python environment"),
  ];
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a version such as "5.1.0" is new enough to be trusted unasked. */
export function isTrusted(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > oldest_trusted[0] || (major === oldest_trusted[0] && minor >= oldest_trusted[1]);
}
