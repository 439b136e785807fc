import { realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import * as z from "zod/v4";
import type { Config } from "../../config.ts";
import { Deadline } from "../../kernel/deadline.ts";
import { cancelled, Fault, shortOf } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import type { Children, Ending } from "../../kernel/process/child.ts";
import { runToEnd } from "../../kernel/process/run.ts";
import { jsonOf } from "../../kernel/text/json.ts";
import { lastLineOf } from "../../kernel/text/lines.ts";
import { programsOnPath } from "../places.ts";

/** A CPython that answered the query. */
export interface Interpreter {
  /**
   * The path that the interpreter reports for itself: a version manager's shim is resolved, but a virtual environment's
   * link is not.
   */
  readonly python: string;
  /** The version, such as "3.12.1". */
  readonly version: string;
  /** The directories that the interpreter reads when it starts and imports modules. */
  readonly reads: readonly string[];
  /** Whether the interpreter can create environments on its own; Debian's package can't. */
  readonly has_venv: boolean;
}

/** The versions for which the pinned packages have wheels, in order of preference. */
export const supported_minors = ["3.13", "3.12", "3.11", "3.10", "3.14"] as const;

const windows = process.platform === "win32";
const names = windows
  ? ["python", "python3", "py"]
  : [...supported_minors.map((v) => `python${v}`), "python3", "python"];

/** The query to an interpreter, written so that Python 2 can parse it, too. */
const question = `
import json, os, sys
def found(name):
    try:
        import importlib.util
        return importlib.util.find_spec(name) is not None
    except ImportError:
        return False
roots = [sys.prefix, getattr(sys, "base_prefix", sys.prefix), sys.exec_prefix, getattr(sys, "base_exec_prefix", sys.prefix)]
reads = [path for path in roots + sys.path + [os.path.dirname(os.path.realpath(sys.executable))] if os.path.isdir(path)]
print(json.dumps({
    "python": sys.executable,
    "implementation": sys.implementation.name if hasattr(sys, "implementation") else "an old one",
    "version": ".".join(map(str, sys.version_info[:3])),
    "reads": reads + [os.path.realpath(path) for path in reads],
    "has_venv": found("venv") and found("ensurepip"),
}))
`;

import { engine_limits } from "../limits.ts";

const Introduction = z.object({
  python: z.string().min(1),
  implementation: z.string(),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  reads: z.array(z.string()),
  has_venv: z.boolean(),
});

interface Candidate {
  readonly command: string;
  /** The candidate's description in messages, without a path. */
  readonly source: string;
}

/**
 * Finds the first suitable CPython while starting as few interpreters as possible; prefers one that can create
 * environments. Raises `engine_missing`, with the interpreters found and the reasons why they are unsuitable, and
 * `engine_failed` if this machine can't start any.
 */
export async function findInterpreter(config: Config, children: Children, signal: AbortSignal): Promise<Interpreter> {
  const rejected: string[] = [];
  let without_venv: Interpreter | undefined;
  for (const { command, source } of candidates(config)) {
    // An interpreter that the user chose gets more time: there is no alternative to it, and it can be slow on a busy
    // machine.
    const deadline = new Deadline(config.python ? limits.own_probe_ms_max : limits.probe_ms_max, signal);
    const answer = await introduce(command, config, children, deadline);
    if (typeof answer === "string") rejected.push(`${source} ${answer}`);
    else if (answer.has_venv) return answer;
    else without_venv ??= answer;
    if (signal.aborted) throw cancelled();
  }
  if (without_venv) return without_venv;
  throw noInterpreter(rejected);
}

/** Returns an interpreter's description of itself, or the reason why the program is unsuitable. */
async function introduce(
  command: string,
  config: Config,
  children: Children,
  deadline: Deadline,
): Promise<Interpreter | string> {
  // Version managers' shims need to know the user's home directory.
  const program = { command, args: ["-I", "-c", question], environment: config.installer_environment };
  const { ending, stdout } = await runToEnd(children.start(program), deadline);
  // A lack of resources on the machine says nothing about this interpreter, and the next one would fail as well.
  const short = ending.kind === "not_started" ? shortOf("start Python", ending.detail) : undefined;
  if (short) throw short;
  if (ending.kind !== "exited" || ending.code !== 0) return failure(ending);
  // A shim may print something else first.
  const introduction = Introduction.safeParse(jsonOf(lastLineOf(stdout))).data;
  if (!introduction) return "does not answer like Python";
  const { implementation, ...interpreter } = introduction;
  if (implementation !== "cpython") return `is ${implementation}, not CPython`;
  if (!isSupported(introduction.version)) return `is ${introduction.version}`;
  return { ...interpreter, reads: outermost(introduction.reads) };
}

function failure(ending: Ending): string {
  switch (ending.kind) {
    case "not_started":
      return `does not start (${ending.detail})`;
    case "stopped":
      return ending.why === "deadline" ? "does not answer" : `was stopped (${ending.why})`;
    case "exited":
      return `ends with code ${ending.code}`;
    case "signalled":
      return `ends with ${ending.signal}`;
    default:
      return ending satisfies never;
  }
}

/** Extracts "3.12" from "3.12.1". */
export function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}

/**
 * The first patch version of each minor version without a memory bug that lets any program escape Python; other minor
 * versions never had it.
 */
const mended_patches: Readonly<Record<string, number>> = { "3.10": 20, "3.11": 15, "3.12": 5 };

/** Returns a sentence that warns the user about a CPython version, or an empty text. */
export function warningOf(version: string): string {
  const minor = minorOf(version);
  const mended = mended_patches[minor];
  if (mended === undefined || Number(version.split(".")[2]) >= mended) return "";
  return `CPython ${version} has a memory error (gh-120384) that lets a program escape from Python, so only the system's walls confine it; use ${minor}.${mended} or newer`;
}

function isSupported(version: string): boolean {
  return supported_minors.some((minor) => minor === minorOf(version));
}

/**
 * Returns only the user's choice, if there is one, so that a typo in it is noticed; otherwise all interpreters on PATH,
 * each file once.
 */
function candidates(config: Config): Candidate[] {
  if (config.python) return [{ command: config.python, source: "the one of VERDICT_PYTHON" }];
  const interpreters = names.flatMap((name) =>
    programsOnPath(config, name).map((command) => ({ command, source: `${name} on PATH` })),
  );
  const seen = new Set<string>();
  const distinct = interpreters.filter(({ command }) => {
    // Only the directory is resolved, since version managers link all their shims to one program.
    const file = join(realpathSync(dirname(command)), basename(command));
    return !seen.has(file) && seen.add(file);
  });
  return distinct.slice(0, engine_limits.interpreters_asked_max);
}

/** Removes directories that are inside another one. */
function outermost(directories: readonly string[]): string[] {
  const distinct = [...new Set(directories)];
  return distinct.filter((one) => !distinct.some((other) => one !== other && one.startsWith(other + sep)));
}

function noInterpreter(rejected: readonly string[]): Fault {
  const rejections = rejected.length > 0 ? `These can't be used: ${rejected.join("; ")}.` : "There is none on PATH.";
  return new Fault("engine_missing", `This needs CPython 3.10 to 3.14, but none was found. ${rejections}`, [
    windows
      ? "install Python 3.13, for example with `winget install Python.Python.3.13`"
      : "install Python, for example with `apt install python3 python3-venv` or `brew install python@3.13`",
    "or set the server's environment variable VERDICT_PYTHON to an interpreter; otherwise PATH is searched",
    "tools that need no Python, such as solve_smtlib, work without it",
  ]);
}
