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

/** Whether an environment's engines can be imported; `unclear` if this machine was unable to try. */
export type Health = "good" | "broken" | "unclear";

/**
 * Whether an environment, which all of a user's servers share, works. It is reported as broken only if its interpreter
 * is gone or its imports failed in two runs: a shortage of descriptors, processes or memory says nothing about the
 * environment.
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

/** Python's messages for a missing or damaged module and for a damaged standard library. */
const import_failed = /\b(ImportError|ModuleNotFoundError|SyntaxError|bad magic number)\b|No module named/;

/** The system's messages about a lack of resources, in exceptions from Python and its loader. */
const short_of_something =
  /\[Errno (4|5|11|12|23|24)\]|Too many open files|Cannot allocate memory|failed to map segment|Resource temporarily unavailable|Input\/output error|MemoryError/;

/** Whether a process's last output says that this machine is short of some resource. */
export function isShort(stderr: string): boolean {
  return short_of_something.test(stderr);
}

function failedToImport({ ending, stderr }: Finished): boolean {
  return ending.kind === "exited" && import_failed.test(stderr) && !isShort(stderr);
}

/** Whether the interpreter, or the target of its link, does not exist. */
async function isGone(python: string): Promise<boolean> {
  try {
    await access(python);
    return false;
  } catch (error) {
    return errorCode(error) === "ENOENT";
  }
}
