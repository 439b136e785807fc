import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Deadline } from "../../kernel/deadline.ts";
import { Fault, shortOf } from "../../kernel/fault.ts";
import { errorCode } from "../../kernel/files/errno.ts";
import { removeDirectory } from "../../kernel/files/stale.ts";
import { limits } from "../../kernel/limits.ts";
import type { Children, Program } from "../../kernel/process/child.ts";
import { outputMeter } from "../../kernel/process/output_meter.ts";
import { eachLine } from "../../kernel/text/line_reader.ts";
import { isReadable, type OnLine, type Task, type TaskEnd, timeLimit } from "./task.ts";

export interface NativeServices {
  readonly children: Children;
  /** The directory in which each task gets its own directory. */
  readonly parent: string;
}

/** Runs a task in its own process and directory, which is removed afterwards. */
export async function runNative(
  { children, parent }: NativeServices,
  command: string,
  task: Task,
  deadline: Deadline,
  onLine: OnLine,
): Promise<TaskEnd> {
  const directory = directoryWith(task.files, parent);
  try {
    const own = new Set([...Object.keys(task.files).flatMap((name) => [name, dirname(name)]), ...task.keeps]);
    const limit = task.time_limit_ms === undefined ? [] : timeLimit(task.time_limit_ms);
    const args = [...limit, ...task.args.map((arg) => (own.has(arg) ? join(directory, arg) : arg))];
    const program: Program = {
      command,
      args: ["--json-stream", ...args],
      environment: { TMPDIR: directory, TEMP: directory },
    };
    const child = children.start(program);
    const meter = outputMeter();
    const lines = eachLine((line) => child.forget(onLine(line)), limits.stdout_bytes_max);
    child.onText = (text) => {
      meter(text);
      lines(text);
    };
    child.arm(deadline);
    child.end();
    const ending = await child.ended;
    return { ending, stderr: child.stderr, kept_files: keptFiles(directory, task.keeps) };
  } finally {
    removeDirectory(directory);
  }
}

/** Creates a directory with these files. Raises `engine_failed` if that is impossible. */
function directoryWith(files: Task["files"], parent: string): string {
  let directory: string | undefined;
  try {
    // Only this user has access to the directory (0700): other users must not read the model or the solver's files.
    directory = mkdtempSync(join(parent, `verdict-minizinc-${process.pid}-`));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true });
      writeFileSync(join(directory, name), text);
    }
    return directory;
  } catch (error) {
    if (directory !== undefined) removeDirectory(directory);
    const code = errorCode(error);
    if (code === undefined) throw error;
    console.error(error);
    throw shortOf("make a file for MiniZinc", code) ?? noFiles(code);
  }
}

function noFiles(code: string): Fault {
  return new Fault(
    "engine_failed",
    `MiniZinc needs temporary files, but none can be created (${code}). Nothing was decided.`,
    [
      "ask the user to check the directory for temporary files (TMPDIR): it must exist, be writable and have free space",
      "the user can set VERDICT_MINIZINC=wasm: the embedded MiniZinc needs no files",
    ],
  );
}

/** Reads the files with these names in a directory; a file that is too large to read becomes null. */
export function keptFiles(directory: string, names: readonly string[]): Record<string, string | null> {
  return Object.fromEntries(
    names.flatMap((name) => {
      try {
        const path = join(directory, name);
        return [[name, isReadable(statSync(path).size) ? readFileSync(path, "utf8") : null] as const];
      } catch (error) {
        if (errorCode(error) === "ENOENT") return [];
        throw error;
      }
    }),
  );
}
