import { access } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Deadline } from "../../kernel/deadline.ts";
import { errorCode } from "../../kernel/files/errno.ts";
import { limits } from "../../kernel/limits.ts";
import type { Children, Program } from "../../kernel/process/child.ts";
import { type Finished, runToEnd } from "../../kernel/process/run.ts";
import { engine_limits } from "../limits.ts";
import { importsOf, type Packages } from "./packages.ts";
import type { Environment } from "./whole_environment.ts";

/** Whether the engines of an environment can be imported; unclear where this machine could not try it. */
export type Health = "good" | "broken" | "unclear";

/**
 * How an environment is. It is shared by all servers of a user, so that broken is said only of an interpreter that
 * is not there any more, or that ran twice and failed to import: a machine that is short of descriptors, processes or
 * memory says nothing about it.
 */
export async function healthOf(
  environment: Environment,
  packages: Packages,
  children: Children,
  signal: AbortSignal,
): Promise<Health> {
  const program = { command: environment.python, args: ["-I", "-c", importsOf(packages)] };
  const first = await tryOnce(program, children, signal);
  if (first !== "broken") return first;
  await sleep(engine_limits.environment_retry_ms, undefined, { signal }).catch(() => {});
  return tryOnce(program, children, signal);
}

async function tryOnce(program: Program, children: Children, signal: AbortSignal): Promise<Health> {
  const deadline = new Deadline(limits.own_probe_ms_max, signal);
  const finished = await runToEnd(children.start(program), deadline);
  if (finished.ending.kind === "exited" && finished.ending.code === 0) return "good";
  if (finished.ending.kind === "not_started") return (await isGone(program.command)) ? "broken" : "unclear";
  return failedToImport(finished) ? "broken" : "unclear";
}

/** Python's words for a module that is missing or damaged, and for its own library that is. */
const import_failed = /\b(ImportError|ModuleNotFoundError|SyntaxError|bad magic number)\b|No module named/;

/** The system's words for what it is short of, in exceptions of Python and of its loader. */
const short_of_something =
  /\[Errno (4|5|11|12|23|24)\]|Too many open files|Cannot allocate memory|failed to map segment|Resource temporarily unavailable|Input\/output error|MemoryError/;

function failedToImport({ ending, stderr }: Finished): boolean {
  return ending.kind === "exited" && import_failed.test(stderr) && !short_of_something.test(stderr);
}

/** Whether the interpreter, or what its link leads to, is not there. */
async function isGone(python: string): Promise<boolean> {
  try {
    await access(python);
    return false;
  } catch (error) {
    return errorCode(error) === "ENOENT";
  }
}
