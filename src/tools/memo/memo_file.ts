import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { withLock } from "../../kernel/files/file_lock.ts";
import { makeDirectory } from "../../kernel/files/make_directory.ts";
import { writeWhole } from "../../kernel/files/write_whole.ts";
import { linesOf } from "../../kernel/text/lines.ts";
import { memo_limits } from "./limits.ts";

/** The maximum size of the file. UTF-8 uses at most three bytes per UTF-16 unit, and JavaScript counts these units. */
const bytes_max = 3 * memo_limits.chars_max;

/** A file of notes that outlives the server and that several servers can edit. */
export class MemoFile {
  readonly #directory: string;
  readonly #path: string;

  constructor(directory: string) {
    this.#directory = directory;
    this.#path = join(directory, "memo.txt");
  }

  /** Reads the file's lines; none if the file does not exist. */
  async read(): Promise<readonly string[]> {
    try {
      const { size } = await stat(this.#path);
      if (size > bytes_max) throw tooLarge(size);
      return linesOf(await readFile(this.#path, "utf8"));
    } catch (error) {
      if (codeOf(error) === "ENOENT") return [];
      throw unreadableMemory(error);
    }
  }

  /** Changes the file under a lock. Readers see either the old or the new text, never a part. */
  async change(edit: (lines: readonly string[]) => readonly string[], deadline: Deadline): Promise<readonly string[]> {
    try {
      await makeDirectory(this.#directory);
      const lines = await withLock(this.#path, deadline, async () => {
        const changed = edit(await this.read());
        await writeWhole(this.#path, changed.map((line) => `${line}\n`).join(""));
        return changed;
      });
      if (lines !== "expired") return lines;
    } catch (error) {
      throw unreadableMemory(error);
    }
    throw new Fault("busy", "Another server is busy with the memo; it was not changed.", [
      "send it again in a moment",
      "if this continues, end other Verdict servers that hang",
    ]);
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

/** Returns a fault for a system error, without any paths of the host. A fault is returned unchanged. */
function unreadableMemory(error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof Fault || code === undefined) return error;
  return new Fault("engine_failed", `The memo can't be read or written (${code}).`, [
    "ask the user to check the permissions and free disk space of Verdict's data directory",
    "the user can name another directory in VERDICT_DATA",
  ]);
}

function tooLarge(size: number): Fault {
  return new Fault("input_rejected", `The memo file has ${size} bytes; the maximum is ${bytes_max}.`, [
    "ask the user to shorten memo.txt in Verdict's data directory: something else has written to it",
    "continue without the memo",
  ]);
}
