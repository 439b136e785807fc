import { constants } from "node:fs";
import { copyFile, lstat, readFile, realpath, stat } from "node:fs/promises";
import { Fault } from "../../kernel/fault.ts";
import { errorCode } from "../../kernel/files/errno.ts";
import { writeWhole } from "../../kernel/files/write_whole.ts";
import { unreadable } from "./server_entry.ts";

/** A configuration file in its current state. */
export interface ConfigFile {
  /** The real path, if the path is a link. */
  readonly path: string;
  readonly text: string;
  readonly exists: boolean;
  readonly mode: number;
}

/**
 * The maximum size of a configuration file. No client's file is nearly as long, although Claude Code also stores its
 * history there.
 */
const bytes_max = 64 * 1024 * 1024;

/** Reads a file; a missing file counts as empty. Raises `input_rejected` for anything but a text file. */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  const link = await lstat(path).catch(absent);
  if (!link) return { path, text: "", exists: false, mode: 0o600 };
  const target = await realpath(path).catch(absent);
  if (target === undefined) throw unreadable("it is a link to a file that does not exist");
  const stats = await stat(target);
  if (!stats.isFile()) throw unreadable("it is not a file");
  if (stats.size > bytes_max) throw unreadable(`it is longer than ${bytes_max / 1024 / 1024} MB`);
  const bytes = await readFile(target);
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes)) throw unreadable("it is not UTF-8 text");
  return { path: target, text, exists: true, mode: stats.mode & 0o777 };
}

/** Writes the new text after backing up the old one. Returns the path of the backup, if there was an old text. */
export async function replaceConfigFile(file: ConfigFile, text: string, now: Date): Promise<string | undefined> {
  const meanwhile = await readConfigFile(file.path);
  if (meanwhile.text !== file.text || meanwhile.exists !== file.exists)
    throw unreadable("another program changed it at the same time");
  const backup = file.exists ? `${file.path}.${stamp(now)}.bak` : undefined;
  try {
    if (backup !== undefined) await copyFile(file.path, backup, constants.COPYFILE_EXCL);
    await writeWhole(file.path, text, { mode: file.mode });
  } catch (error) {
    throw notWritten(errorCode(error) ?? String(error));
  }
  return backup;
}

/** A timestamp in local time, such as 20260307-150102. */
function stamp(now: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  return `${day}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
}

function absent(error: unknown): undefined {
  if (errorCode(error) === "ENOENT") return undefined;
  throw unreadable(`it could not be read (${errorCode(error) ?? String(error)})`);
}

function notWritten(code: string): Fault {
  return new Fault("input_rejected", `the file was left as it is: it could not be written (${code})`, [
    "check who owns the file and its folder, and run this as that user",
  ]);
}
