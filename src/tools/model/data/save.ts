import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, extname, isAbsolute, join } from "node:path";
import { Fault } from "../../../kernel/fault.ts";
import { errorCode } from "../../../kernel/files/errno.ts";
import { writeWhole } from "../../../kernel/files/write_whole.ts";
import type { IndexNames } from "../../../viewer/figures/tables.ts";
import { type SavedEnding, saved_endings, savedAs } from "../../../viewer/saved.ts";
import { FileElsewhere, inRoots, placeIn, type Roots } from "./roots.ts";

/** Determines the format of a file from its extension. Raises `invalid_argument` for an unsupported extension. */
function savedEnding(path: string): SavedEnding {
  const ending = extname(path).toLowerCase();
  const known = saved_endings.find((each) => each === ending);
  if (known) return known;
  throw new Fault("invalid_argument", `Values can't be saved as ${ending || "a file without an extension"}.`, [
    `give a path that ends with ${saved_endings.join(", ")}`,
  ]);
}

/** Where a call may write a file, and whether it may replace an existing one. */
export interface Place extends Roots {
  readonly overwrite: boolean;
}

/**
 * Writes values in the format that the path's extension indicates. Raises the same faults as `saveFile`, and
 * `input_rejected` for a calendar without a date.
 */
export async function saveValues(
  path: string,
  values: Readonly<Record<string, unknown>>,
  index_names: IndexNames | undefined,
  place: Place,
): Promise<void> {
  const contents = await savedAs(savedEnding(path), values, index_names);
  if (contents === undefined)
    throw new Fault("input_rejected", `${path} was not written: the values have no dates for a calendar.`, [
      'give rows such as {"what": "Anna", "start": "2026-12-01T08:00", "end": "2026-12-01T16:00"}',
      "or name the columns or rows of a table with dates such as 2026-12-01, for example with a data file's enum",
      "save as .csv or .xlsx instead",
    ]);
  await saveFile(path, contents, place);
}

/**
 * Checks, before solving, that values can be saved at this path. Raises the same faults as `saveFile`, and
 * `invalid_argument` for an unsupported extension.
 */
export async function expectSavable(path: string, place: Place): Promise<void> {
  savedEnding(path);
  await freeTarget(path, place);
}

/**
 * Writes a file into an existing directory below one of the permitted directories. Raises `forbidden` for hidden names
 * and for a path that leads outside, and `input_rejected` for an existing file that must not be replaced.
 */
export async function saveFile(path: string, contents: string | Uint8Array, place: Place): Promise<void> {
  await writeWhole(await freeTarget(path, place), contents, { mode: 0o644 });
}

/** Returns the file that a path leads to, if it can be written. Raises the same faults as `saveFile`. */
export async function freeTarget(path: string, { overwrite, ...places }: Place): Promise<string> {
  const target = await inRoots(places, (roots) => targetBelow(path, roots));
  const found = await lstat(target).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (found && !overwrite)
    throw new Fault("input_rejected", `${path} exists, and was not replaced.`, [
      "choose another name",
      { call: "or add overwrite: true", shell: "or add --overwrite" },
    ]);
  if (found && !found.isFile())
    throw new Fault("input_rejected", `${path} is not a regular file.`, ["choose another name"]);
  return target;
}

async function targetBelow(path: string, roots: readonly string[]): Promise<string> {
  if (roots.length === 0)
    throw new FileElsewhere("forbidden", "This server does not write files.", [
      "read the values with get_solution",
      "or start Verdict on stdio in the project's directory, or with --data-dir DIRECTORY",
    ]);
  for (const root of roots) {
    const real_root = await realpath(root).catch(() => undefined);
    const asked = isAbsolute(path) ? path : join(root, path);
    const directory = await realpath(dirname(asked)).catch(() => undefined);
    if (real_root === undefined || directory === undefined) continue;
    const target = join(directory, basename(asked));
    if (placeIn(real_root, target) === "inside") return target;
  }
  throw new FileElsewhere(
    "forbidden",
    `${path} can't be written: its directory does not exist, is hidden, or is not inside a data directory.`,
    ["give a path relative to the project's directory, or to that of --data-dir", "create its directory first"],
  );
}
