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
  /** The interpreter's version, such as "3.12.1". */
  readonly version: string;
  /** The directories that the interpreter reads: the environment itself, and the base from which it was created. */
  readonly reads: readonly string[];
  /**
   * The versions of the environment's engines, by their ids in `packages.json`; null for an engine that is not built
   * for this machine.
   */
  readonly packages: Readonly<Record<string, string | null>>;
}

/** The record in a complete environment, so that later uses need not start a process. */
export const Note = z.object({
  version: z.string(),
  reads: z.array(z.string()),
  packages: z.record(z.string(), z.string().nullable()),
});

/** The record's file name in the environment's directory. */
export const note_file = "verdict.json";

/** The file that lists an environment's packages. */
export function requirementsFile(config: Config, group: Group): string {
  return join(groupDirectory(config, group), "requirements.txt");
}

/** The text of an environment's requirements file. */
export function requirementsOf(config: Config, group: Group): Promise<string> {
  return readFile(requirementsFile(config, group), "utf8");
}

/**
 * Returns the directory name for these requirements and this Python version. The first 12 hex digits are enough, since
 * the name only distinguishes environments and does not secure them.
 */
export function nameOf(requirements: string, version: string): string {
  return createHash("sha256").update(requirements).update(minorOf(version)).digest("hex").slice(0, 12);
}

/**
 * Reads a complete environment; undefined if there is no readable one here, in which case it is created again. Raises
 * `engine_failed` if this machine was unable to read at the moment, which says nothing about the environment.
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
