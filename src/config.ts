import { existsSync } from "node:fs";
import { availableParallelism, homedir, tmpdir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { limits } from "./kernel/limits.ts";

/** Everything that comes from outside of the program; the only reader of `process.env`. */
export interface Config {
  /** `VERDICT_Z3`: a path, `wasm` for the embedded build, or undefined for the best one found. */
  readonly z3: string | undefined;
  /** `VERDICT_CLINGO`: a path, `wasm` for the embedded build, or undefined for the best one found. */
  readonly clingo: string | undefined;
  /** `VERDICT_MINIZINC`: a path, `wasm` for the embedded build, or undefined for the best one found. */
  readonly minizinc: string | undefined;
  /** `VERDICT_TOOLS` or `--tools`: names of toolsets; undefined means the default ones. */
  readonly tools: readonly string[] | undefined;
  /** `VERDICT_LANGUAGE` or `--language`: the one modelling language of the model tools; undefined leaves the choice. */
  readonly language: string | undefined;
  /** `VERDICT_PYTHON`: the interpreter to make the private environment from, or undefined for the best one found. */
  readonly python: string | undefined;
  /** Directories to look for programs in; relative ones are left out: a project must not bring its own solver. */
  readonly path: readonly string[];
  /** Where Verdict keeps what it installs for this user. */
  readonly data_directory: string;
  /** What a child gets to see of our environment: enough to start, nothing to steal. */
  readonly child_environment: NodeJS.ProcessEnv;
  readonly child_directory: string;
  /** What an installer gets to see besides: the user's proxies, certificates and package index. */
  readonly installer_environment: NodeJS.ProcessEnv;
  /** The Python side of the program: `verdict_runner/` and `requirements.txt`. */
  readonly python_directory: string;
  /** Whether Python can fork a child for each job; else each gets a fresh process. */
  readonly python_forks: boolean;
  /** The built program of the embedded Z3. */
  readonly z3_wasm_host: string;
  /** The built program of the embedded clingo. */
  readonly clingo_wasm_host: string;
  /** The built program of the embedded MiniZinc. */
  readonly minizinc_wasm_host: string;
  /** Where the files of a job lie while it runs. */
  readonly scratch_directory: string;
  readonly solvers_at_once: number;
}

const child_variables = ["PATH", "LANG", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR", "TEMP", "SystemRoot"];
const installer_variables =
  /^(HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_(CACHE|CONFIG)_(HOME|DIRS)|(PIP|UV|SSL)_\w+|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|(https?|all|no)_proxy)$/i;

interface Flags {
  readonly tools?: string | undefined;
  readonly language?: string | undefined;
}

/** Reads flags and environment once, into one frozen object. Flags win. */
export function readConfig(flags: Flags, env: NodeJS.ProcessEnv = process.env): Config {
  const tools = flags.tools || env["VERDICT_TOOLS"] || undefined;
  return Object.freeze({
    z3: programName(env["VERDICT_Z3"]),
    clingo: programName(env["VERDICT_CLINGO"]),
    minizinc: programName(env["VERDICT_MINIZINC"]),
    tools: tools?.split(",").map((name) => name.trim()),
    language: flags.language || env["VERDICT_LANGUAGE"] || undefined,
    python: programName(env["VERDICT_PYTHON"]),
    path: (env["PATH"] ?? "").split(delimiter).filter(isAbsolute),
    data_directory: dataDirectory(env),
    child_environment: selected(env, (name) => child_variables.includes(name)),
    child_directory: unwritableDirectory(),
    installer_environment: selected(env, (name) => installer_variables.test(name)),
    python_directory: builtFile("python"),
    // macOS forks too, but its own libraries do not survive it.
    python_forks: process.platform === "linux",
    z3_wasm_host: builtFile("z3_wasm.mjs"),
    clingo_wasm_host: builtFile("clingo_wasm.mjs"),
    minizinc_wasm_host: builtFile("minizinc_wasm.mjs"),
    scratch_directory: tmpdir(),
    solvers_at_once: Math.min(availableParallelism(), limits.solvers_at_once_max),
  });
}

/** The variables that are set to something and whose name is wanted. */
function selected(env: NodeJS.ProcessEnv, wanted: (name: string) => boolean): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => value && wanted(name)));
}

/** Where children run: nobody, not even root, can make a file there. Windows has no such place. */
function unwritableDirectory(): string {
  if (process.platform === "linux") return "/proc";
  return process.platform === "win32" ? tmpdir() : "/";
}

/** A bare name is looked up on PATH; a path counts from where the server was started. */
function programName(given: string | undefined): string | undefined {
  return given?.includes("/") || given?.includes("\\") ? resolve(given) : given || undefined;
}

function dataDirectory(env: NodeJS.ProcessEnv): string {
  if (env["VERDICT_DATA"]) return resolve(env["VERDICT_DATA"]);
  if (process.platform === "win32") return join(env["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local"), "verdict");
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support", "verdict");
  return join(env["XDG_DATA_HOME"] || join(homedir(), ".local", "share"), "verdict");
}

/** A file of `dist/`, both for the bundle, which lies there, and for the sources, run by a test. */
function builtFile(name: string): string {
  const beside = fileURLToPath(new URL(name, import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL(`../dist/${name}`, import.meta.url));
}
