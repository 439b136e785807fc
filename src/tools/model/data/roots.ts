import { readdir, realpath, stat } from "node:fs/promises";
import { basename, extname, isAbsolute, join, relative, sep } from "node:path";
import { engine_limits } from "../../../engines/limits.ts";
import type { Order } from "../../../engines/tables/table.ts";
import { Fault } from "../../../kernel/fault.ts";
import { errorCode } from "../../../kernel/files/errno.ts";
import { nearest } from "../../../kernel/text/near_miss.ts";

/** The file extensions that can be read. */
export const endings = [".csv", ".tsv", ".xlsx", ".xlsm", ".json", ".dzn", ".lp", ".txt"];

const listed_max = 8;

/** The directories to search for files, or individual files. */
export interface Roots {
  readonly roots: readonly string[];
  /**
   * The directories that the client declares, if it supports this. It is asked only if a file is not found elsewhere.
   */
  readonly client_roots?: (() => Promise<readonly string[]>) | undefined;
  /** Whether files can be uploaded over HTTP, where a client's paths mean nothing. */
  readonly takes_uploads?: boolean | undefined;
}

const send_first =
  'send the file first: curl -T staff.csv -H "Authorization: Bearer TOKEN" SERVER/files/ (beside /mcp), then name it as staff.csv';

/**
 * The fault for a file that is in none of the searched directories, but may be in one that the client has not declared
 * yet.
 */
export class FileElsewhere extends Fault {}

/** Searches the given directories, then the client's. Raises the same faults as `find`. */
export async function inRoots<Found>(
  { roots, client_roots, takes_uploads = false }: Roots,
  find: (roots: readonly string[]) => Promise<Found>,
): Promise<Found> {
  try {
    return await find(roots);
  } catch (thrown) {
    if (thrown instanceof FileElsewhere && takes_uploads)
      throw thrown.with({ steps: [send_first, ...thrown.all_steps] });
    const more = thrown instanceof FileElsewhere ? ((await client_roots?.()) ?? []) : [];
    if (more.length === 0) throw thrown;
    return find([...roots, ...more]);
  }
}

/**
 * Finds a file in one of these directories, or one of the listed files, after resolving all links. Raises `forbidden`
 * for hidden files and for a path that leads outside; raises `input_rejected` for a file that does not exist, is too
 * large or has an unsupported extension.
 */
export async function findFile(path: string, roots: readonly string[]): Promise<Omit<Order, "sheet" | "range">> {
  if (!endings.includes(extname(path).toLowerCase()))
    throw new Fault("input_rejected", `${path} does not have the extension of a data file.`, [
      `name a file with one of the extensions ${endings.join(", ")}`,
    ]);
  if (roots.length === 0)
    throw new FileElsewhere("forbidden", "This server can't read files: it has no data directory.", [
      "send the values in data",
      "or start Verdict with --data-dir DIRECTORY",
    ]);
  let is_outside = false;
  for (const named of roots) {
    const root = await realpath(named).catch(() => undefined);
    if (root === undefined) continue;
    const is_file = (await stat(root)).isFile();
    // A file named by the user is found by its name, but no other file in its directory is.
    if (is_file && path !== named && path !== basename(named)) continue;
    const found = is_file ? await located(root, path) : await within(path, root);
    if (found === "outside") is_outside = true;
    else if (found) return found;
  }
  throw is_outside ? outside(path) : await notFound(path, roots);
}

/**
 * Whether a path is inside a directory, hidden in it, or outside; both must be real paths. A path is hidden if any part
 * of it below the directory is hidden.
 */
export function placeIn(root: string, path: string): "inside" | "hidden" | "outside" {
  const inside = relative(root, path);
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return "outside";
  return inside.split(sep).some((part) => part.startsWith(".")) ? "hidden" : "inside";
}

/**
 * Finds the file below this directory. Returns undefined if it does not exist, and "outside" if the path leads outside
 * or is hidden.
 */
async function within(path: string, root: string): Promise<Omit<Order, "sheet" | "range"> | "outside" | undefined> {
  const asked = isAbsolute(path) ? path : join(root, path);
  const real = await realpath(asked).catch((error: unknown) => {
    if (/^(?:ENOENT|ENOTDIR|EACCES|ELOOP|ENAMETOOLONG|ERR_INVALID_ARG_VALUE)$/.test(errorCode(error) ?? ""))
      return undefined;
    throw error;
  });
  if (real === undefined) return undefined;
  const place = placeIn(root, real);
  if (place === "inside") return located(real, path);
  return place === "outside" && isAbsolute(path) ? undefined : "outside";
}

/** Checks the file at this real path, and returns it with the name to use in messages. */
async function located(real: string, path: string): Promise<Omit<Order, "sheet" | "range">> {
  const info = await stat(real, { bigint: true });
  if (!info.isFile())
    throw new Fault("input_rejected", `${path} is not a file.`, ["give the path of a file, not of a directory"]);
  if (info.size > BigInt(engine_limits.table_file_bytes_max))
    throw new Fault(
      "input_rejected",
      `${path} is ${Number(info.size) / 1e6} MB in size; a data file can have at most ${engine_limits.table_file_bytes_max / 1e6} MB.`,
      ["save the part that the model needs as a smaller file", "omit columns that the model does not need"],
    );
  return { path: real, device: String(info.dev), inode: String(info.ino), shown: path };
}

function outside(path: string): Fault {
  return new FileElsewhere("forbidden", `${path} is outside the data directories, or is hidden.`, [
    "give a path relative to the project's directory",
    "or start Verdict with --data-dir DIRECTORY for files elsewhere",
  ]);
}

async function notFound(path: string, roots: readonly string[]): Promise<Fault> {
  const names = (await Promise.all(roots.map((root) => readdir(root).catch(() => [basename(root)])))).flat();
  const files = names.filter((name) => !name.startsWith(".") && endings.includes(extname(name).toLowerCase()));
  const near = nearest(path, files).map((name) => `write ${name} instead of ${path}`);
  const more = files.length > listed_max ? ", …" : "";
  const there =
    files.length > 0 ? `these data files: ${files.slice(0, listed_max).join(", ")}${more}` : "no data files";
  return new FileElsewhere("input_rejected", `There is no file ${path}. The data directories have ${there}.`, [
    ...near,
    "give a path relative to the project's directory, or to that of --data-dir",
    "or put the values into the model or into data",
  ]);
}
