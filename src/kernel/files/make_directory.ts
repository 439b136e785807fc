import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "./errno.ts";

/**
 * Makes a directory and its parents. An existing directory is not changed. Node's own recursive `mkdir` loops forever
 * if a file system refuses new directories with ENOENT, as /proc does.
 */
export async function makeDirectory(path: string): Promise<void> {
  if (await made(path)) return;
  const above = dirname(path);
  if (!existsSync(above)) await makeDirectory(above);
  // A second failure is final.
  await mkdir(path).catch((error: unknown) => {
    if (errorCode(error) !== "EEXIST") throw error;
  });
}

/** Makes a directory. Returns whether it exists now: false if a parent is missing. */
async function made(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return true;
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}
