import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/v4";
import type { Config } from "../../config.ts";
import { shortOf } from "../../kernel/fault.ts";
import { errorCode } from "../../kernel/files/errno.ts";
import { programOf } from "../places.ts";
import { minorOf } from "./interpreter.ts";
import { type Group, groupDirectory } from "./packages.ts";

/** A private Python environment that is ready for use. */
export interface Environment {
  readonly directory: string;
  readonly python: string;
  /** "3.12.1" */
  readonly version: string;
  /** Directories that the interpreter reads: the environment itself, the base it was made from. */
  readonly reads: readonly string[];
  /** Versions of its engines, by their ids in `packages.json`; null for one that is not built for this machine. */
  readonly packages: Readonly<Record<string, string | null>>;
}

/** The record in a finished environment, so that a later use needs no process. */
export const Note = z.object({
  version: z.string(),
  reads: z.array(z.string()),
  packages: z.record(z.string(), z.string().nullable()),
});

/** The note's name in the environment's directory. */
export const note_file = "verdict.json";

/** The file that lists the packages of an environment. */
export function requirementsFile(config: Config, group: Group): string {
  return join(groupDirectory(config, group), "requirements.txt");
}

/** The text of that file. */
export function requirementsOf(config: Config, group: Group): Promise<string> {
  return readFile(requirementsFile(config, group), "utf8");
}

/**
 * The directory's name for these requirements and this version of Python. The first 12 hex digits are enough: the name
 * distinguishes environments, it does not secure them.
 */
export function nameOf(requirements: string, version: string): string {
  return createHash("sha256").update(requirements).update(minorOf(version)).digest("hex").slice(0, 12);
}

/**
 * A finished environment, or undefined when there is none here that can be read: then it is made anew. Raises
 * `engine_failed` where this machine could not read just now: that says nothing of what lies there.
 */
export async function readEnvironment(directory: string): Promise<Environment | undefined> {
  try {
    const { reads, ...note } = Note.parse(JSON.parse(await readFile(join(directory, note_file), "utf8")));
    return { ...note, directory, python: programOf(directory, "python"), reads: [directory, ...reads] };
  } catch (error) {
    const short = shortOf("read the private Python environment", errorCode(error));
    if (short) throw short;
    return undefined;
  }
}
