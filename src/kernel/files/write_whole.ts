import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { makeDirectory } from "./make_directory.ts";

/**
 * Writes a file atomically, readable only by its owner: a reader sees the old file or the new one. A file that is not
 * flushed may be lost or empty after a failure of the system.
 */
export async function writeWhole(
  path: string,
  contents: string | Uint8Array,
  { is_flushed = true }: { readonly is_flushed?: boolean } = {},
): Promise<void> {
  await makeDirectory(dirname(path));
  const next = `${path}.${randomUUID()}`;
  try {
    await writeDown(next, contents, is_flushed);
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

/** Writes a new file and flushes it to disk: a rename could reach the disk before the text. */
async function writeDown(path: string, contents: string | Uint8Array, is_flushed: boolean): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(contents);
    if (is_flushed) await file.sync();
  } finally {
    await file.close();
  }
}
