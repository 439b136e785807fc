import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "./errno.ts";

/**
 * Makes a directory with those above it; one that is there is left as it is. Node's own recursive
 * `mkdir` goes round for ever where a file system refuses new directories with ENOENT, as /proc does.
 */
export async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST") return;
    const above = dirname(path);
    if (code !== "ENOENT" || existsSync(above)) throw error;
    await makeDirectory(above);
    await mkdir(path).catch((second: unknown) => {
      // Another process made it meanwhile.
      if (errorCode(second) !== "EEXIST") throw second;
    });
  }
}
