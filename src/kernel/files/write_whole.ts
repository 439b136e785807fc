import { randomUUID } from "node:crypto";
import { lstat, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "./errno.ts";
import { makeDirectory } from "./make_directory.ts";

/**
 * Writes a file atomically: a reader sees either the old file or the new one. Only the owner can read the file, unless
 * `mode` says otherwise. A file that is not flushed may be lost or empty after a system crash.
 */
export async function writeWhole(
  path: string,
  contents: string | Uint8Array,
  { is_flushed = true, mode = 0o600 }: { readonly is_flushed?: boolean; readonly mode?: number } = {},
): Promise<void> {
  await refuseSpecial(path);
  const next = `${path}.${randomUUID()}`;
  const write = () => writeDown(next, contents, { is_flushed, mode });
  try {
    await write().catch(async (error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
      await makeDirectory(dirname(path));
      await write();
    });
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

async function refuseSpecial(path: string): Promise<void> {
  let is_directory = false;
  try {
    const stats = await lstat(path);
    if (stats.isFile() || stats.isSymbolicLink()) return;
    is_directory = stats.isDirectory();
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return;
    throw error;
  }
  throw Object.assign(new Error(`${path} is not a regular file, and is not replaced by one.`), {
    code: is_directory ? "EISDIR" : "ENOTSUP",
  });
}

/** Writes a new file and flushes it to disk. Without the flush, the rename could reach the disk before the text. */
async function writeDown(
  path: string,
  contents: string | Uint8Array,
  { is_flushed, mode }: { readonly is_flushed: boolean; readonly mode: number },
): Promise<void> {
  const file = await open(path, "wx", mode);
  try {
    await file.writeFile(contents);
    if (is_flushed) await file.sync();
  } finally {
    await file.close();
  }
}
