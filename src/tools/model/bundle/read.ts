import { constants } from "node:fs";
import { lstat, open, realpath } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { unzipSync } from "fflate";
import type * as z from "zod/v4";
import { Fault } from "../../../kernel/fault.ts";
import { errorCode } from "../../../kernel/files/errno.ts";
import { bundle_limits } from "./limits.ts";
import { type BundleForm, type listed_files, record_file, sha256 } from "./record.ts";

/** A file that differs from its entry in `bundle.json`. */
export interface ChangedFile {
  readonly file: string;
  readonly how: "changed" | "missing";
}

/** A bundle that has been read. */
export interface Bundle<Content> {
  readonly record: Content;
  /** The SHA-256 of `bundle.json`, which contains the hashes of all other files. */
  readonly sha256: string;
  /** The contents of the files that match their entries. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  readonly changed: readonly ChangedFile[];
}

interface Listing {
  readonly files: z.output<typeof listed_files>;
}

/** Reads one file of a bundle, up to a number of bytes. Returns undefined if it does not exist. */
type ReadOne = (name: string, bytes_max: number) => Promise<Uint8Array | "longer" | undefined>;

const megabytes = bundle_limits.bytes_max / 1024 / 1024;

/**
 * Reads a bundle from a folder or a ZIP, and compares each file with its hash. Only files listed in `bundle.json` are
 * read, and nothing is unpacked to disk. Raises `invalid_argument` for a path without a bundle. For links, paths that
 * lead outside and sizes beyond the limits, raises `forbidden` or `input_rejected`, with the file.
 */
export async function readBundle<Content extends Listing>(
  path: string,
  form: BundleForm<Content>,
): Promise<Bundle<Content>> {
  const info = await lstat(path).catch(() => undefined);
  if (!info) throw new Fault("invalid_argument", `There is no ${path}.`, ["name a bundle's folder or ZIP"]);
  const readOne = info.isDirectory() ? await inFolder(path) : inZip(await zipAt(path), path);
  const listed = await readOne(record_file, bundle_limits.record_bytes_max);
  if (listed === undefined)
    throw new Fault("invalid_argument", `${path} has no ${record_file}: it is not a bundle.`, [
      "give a path written by `verdict bundle MODEL --out PATH` or `verdict check FILE.py::function --proof PATH`",
    ]);
  if (listed === "longer") throw tooLarge(record_file, `${bundle_limits.record_bytes_max / 1024 / 1024} MB`);
  const record = recordIn(listed, form);
  const contents = new Map<string, Uint8Array>();
  const changed: ChangedFile[] = [];
  for (const [file, { bytes, sha256: hash }] of Object.entries(record.files)) {
    const found = await readOne(file, bytes);
    if (found === undefined) changed.push({ file, how: "missing" });
    else if (found === "longer" || sha256(found) !== hash) changed.push({ file, how: "changed" });
    else contents.set(file, found);
  }
  return { record, sha256: sha256(listed), contents, changed };
}

function recordIn<Content extends Listing>(bytes: Uint8Array, { schema, own }: BundleForm<Content>): Content {
  const read = schema.safeParse(jsonIn(bytes));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw refused(`${record_file}, ${issue?.path.join(".") || "its form"}: ${issue?.message ?? "not readable"}.`);
  }
  const { files } = read.data;
  const sizes = Object.values(files);
  if (sizes.length > bundle_limits.files_max) throw tooLarge(record_file, `${bundle_limits.files_max} files`);
  if (sizes.reduce((sum, { bytes: each }) => sum + each, 0) > bundle_limits.bytes_max)
    throw tooLarge(record_file, `${megabytes} MB of files`);
  const unlisted = own(read.data).find((name) => !Object.hasOwn(files, name));
  if (unlisted !== undefined) throw refused(`${record_file} names ${unlisted}, but lists no hash for it.`);
  return read.data;
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw refused(`${record_file} is not JSON in UTF-8.`);
  }
}

async function inFolder(folder: string): Promise<ReadOne> {
  const root = await realpath(folder);
  return async (name, bytes_max) => {
    const path = join(root, name);
    const real = await realpath(path).catch((error: unknown) => {
      if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
      throw unreadable(name, error);
    });
    if (real === undefined) return undefined;
    if (real !== path) throw link(name);
    return readUpTo(path, name, bytes_max);
  };
}

/** Reads a regular file that is not a link. */
async function readUpTo(path: string, name: string, bytes_max: number): Promise<Uint8Array | "longer"> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(path, flags).catch((error: unknown) => {
    throw errorCode(error) === "ELOOP" ? link(name) : unreadable(name, error);
  });
  try {
    const info = await file.stat();
    if (!info.isFile()) throw refused(`${name} is not a regular file.`);
    if (info.size > bytes_max) return "longer";
    const bytes = new Uint8Array(bytes_max + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length <= bytes_max; length += read)
      ({ bytesRead: read } = await file.read(bytes, length, bytes.length - length));
    return length > bytes_max ? "longer" : bytes.subarray(0, length);
  } finally {
    await file.close();
  }
}

async function zipAt(path: string): Promise<Uint8Array> {
  const real = await realpath(resolve(path));
  const bytes = await readUpTo(real, path, bundle_limits.bytes_max);
  if (bytes === "longer") throw tooLarge(path, `${megabytes} MB`);
  return bytes;
}

/** Returns a reader for the files in a ZIP. Each file is unpacked into a buffer of its declared size. */
function inZip(bytes: Uint8Array, path: string): ReadOne {
  const names = new Set<string>();
  let left = bundle_limits.bytes_max;
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        expectInside(name);
        if (names.has(name)) throw refused(`${path} has two files named ${name}.`);
        names.add(name);
        left -= originalSize;
        if (names.size > bundle_limits.files_max) throw tooLarge(path, `${bundle_limits.files_max} files`);
        if (left < 0) throw tooLarge(name, `${megabytes} MB unpacked, together with the files before it`);
        return true;
      },
    });
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw refused(`${path} is neither a folder nor a readable ZIP.`);
  }
  return async (name, bytes_max) => {
    const found = Object.hasOwn(files, name) ? files[name] : undefined;
    return found !== undefined && found.length > bytes_max ? "longer" : found;
  };
}

/** Rejects a ZIP as a whole if another program would unpack any of its files outside the target folder. */
function expectInside(name: string): void {
  const parts = name.split(/[/\\]/);
  if (parts.includes("..") || name.startsWith("/") || /^[A-Za-z]:/.test(name) || name.includes(sep.repeat(2)))
    throw new Fault("forbidden", `The file ${JSON.stringify(name)} points outside the bundle.`, [
      "do not unpack this ZIP: Verdict did not write it",
    ]);
}

const from_source = "ask its sender for the bundle exactly as Verdict wrote it";

function refused(what: string): Fault {
  return new Fault("input_rejected", what, [from_source]);
}

function link(name: string): Fault {
  return new Fault(
    "forbidden",
    `${name} is a symbolic link, or is reached through one; a bundle has only regular files.`,
    ["replace the link with the file itself", from_source],
  );
}

function tooLarge(name: string, bound: string): Fault {
  return new Fault("input_rejected", `${name} is too large: a bundle can have at most ${bound}.`, [from_source]);
}

function unreadable(name: string, error: unknown): Fault {
  return new Fault("input_rejected", `${name} can't be read (${errorCode(error) ?? "unknown"}).`, [
    "make sure that you can read all files of the bundle",
  ]);
}
