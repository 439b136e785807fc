import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { Fault } from "../../../kernel/fault.ts";
import { errorCode } from "../../../kernel/files/errno.ts";
import { freeTarget, type Place, saveFile } from "../data/save.ts";
import { type Files, zipped } from "./make.ts";

/** Whether a bundle becomes a ZIP, as the extension of its path decides. Otherwise it becomes a folder. */
export function isZip(path: string): boolean {
  return extname(path).toLowerCase() === ".zip";
}

/** Checks whether a bundle can be written to a path, before the bundle is made. Raises as `writeBundle` does. */
export async function expectFree(path: string, overwrite: boolean): Promise<void> {
  await (isZip(path) ? freeTarget(path, { roots: [dirname(path)], overwrite }) : expectEmpty(path));
}

/**
 * Writes a bundle as a ZIP, which may replace a file if the user allows it, or as a new folder. Raises `input_rejected`
 * for a path that is in use.
 */
export async function writeBundle(path: string, files: Files, overwrite: boolean): Promise<void> {
  await (isZip(path) ? writeZip(path, files, { roots: [dirname(path)], overwrite }) : writeFolder(path, files));
}

/** Writes a bundle as a ZIP. Raises as `saveFile` does. */
export async function writeZip(path: string, files: Files, place: Place): Promise<void> {
  await saveFile(path, zipped(files), place);
}

/** Writes a bundle as a new folder, atomically. Raises `input_rejected` for a path that is in use. */
async function writeFolder(path: string, files: Files): Promise<void> {
  const there = await expectEmpty(path);
  const next = `${path}.${randomUUID()}`;
  try {
    for (const [name, bytes] of files) {
      await mkdir(dirname(join(next, name)), { recursive: true });
      await writeFile(join(next, name), bytes, { flag: "wx" });
    }
    if (there) await rmdir(path);
    await rename(next, path);
  } finally {
    await rm(next, { recursive: true, force: true });
  }
}

/** Checks that a folder is empty. Returns its entries, or undefined if it does not exist. */
async function expectEmpty(path: string): Promise<readonly string[] | undefined> {
  const there = await readdir(path).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw inUse(path, "is not a folder");
  });
  if (there && there.length > 0) throw inUse(path, "has files already");
  return there;
}

function inUse(path: string, why: string): Fault {
  return new Fault("input_rejected", `${path} ${why}, and was not changed.`, [
    "choose a new folder",
    "or write a ZIP: a path that ends with .zip",
  ]);
}
