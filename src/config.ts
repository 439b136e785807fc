import { existsSync } from "node:fs";
import { availableParallelism, homedir, tmpdir } from "node:os";
import { delimiter, isAbsolute, join, parse, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { engine_limits } from "./engines/limits.ts";
import { job_limits } from "./jobs/limits.ts";
import { limits } from "./kernel/limits.ts";
import { eraseEnvironment } from "./kernel/process/own_environment.ts";
import { mark_variable } from "./kernel/process/reaper.ts";

/** All input from the program's environment. Only this file reads `process.env`. */
export interface Config {
  /**
   * Variables that select a solver's build, such as `VERDICT_Z3`: a path, or `wasm` for the embedded build. Without its
   * variable, a solver uses the best build that is found.
   */
  readonly native_builds: Readonly<Record<string, string | undefined>>;
  /** `VERDICT_TOOLS` or `--tools`: names of toolsets; undefined means the default ones. */
  readonly tools: readonly string[] | undefined;
  /** `VERDICT_LANGUAGE` or `--language`: restricts the model tools to one modelling language; undefined allows all. */
  readonly language: string | undefined;
  /** `VERDICT_PYTHON`: the interpreter that creates the private environment; undefined means the best one found. */
  readonly python: string | undefined;
  /**
   * Directories searched for programs. Relative directories are ignored, since a project must not provide its own
   * solver.
   */
  readonly path: readonly string[];
  /**
   * `VERDICT_DATA_DIR` or `--data-dir`: calls can read data files below these directories; by default, below the
   * project directory.
   */
  readonly data_roots: readonly string[];
  /** Directories below which results may be saved: `data_roots` for a server on stdio, and none over HTTP. */
  readonly save_roots: readonly string[];
  /** The directory for everything that Verdict installs for this user. */
  readonly data_directory: string;
  /**
   * `VERDICT_ENVIRONMENTS`: the directory of the private Python environments; by default, they are in the data
   * directory. It may be read-only once they have been created, as in a container image.
   */
  readonly environments_directory: string | undefined;
  /** The environment of a child process: enough to start it, and no secrets. */
  readonly child_environment: NodeJS.ProcessEnv;
  readonly child_directory: string;
  /** Additional variables for an installer: the user's proxies, certificates and package index. */
  readonly installer_environment: NodeJS.ProcessEnv;
  /** The directory of the program's Python part: `verdict_runner/` and `requirements.txt`. */
  readonly python_directory: string;
  /**
   * The program that creates the private Python environment, with the variables that it gets; it outlives this server.
   */
  readonly setup: { readonly program: readonly string[]; readonly environment: NodeJS.ProcessEnv };
  /**
   * `VERDICT_ALLOW_UNCONFINED` or `--allow-unconfined`: whether programs may run where the system provides no sandbox.
   */
  readonly allow_unconfined: boolean;
  /** The macOS program that starts another program in a sandbox. */
  readonly sandbox_exec: string | undefined;
  /** Whether Python can fork a child process for each job; if not, each job gets a fresh process. */
  readonly python_forks: boolean;
  /** The built program that runs the embedded Z3. */
  readonly z3_wasm_host: string;
  /** The built program that runs the embedded clingo. */
  readonly clingo_wasm_host: string;
  /** The built program that runs the embedded MiniZinc. */
  readonly minizinc_wasm_host: string;
  /** The directory of the problems for `bench-agent` that come with Verdict. */
  readonly problems_directory: string;
  /** The built program that checks proofs. */
  readonly drat_host: string;
  /** The built program that reads data files. */
  readonly table_host: string;
  /** The built program that processes a single large call. */
  readonly call_host: string;
  readonly prover_file: string;
  /** `VERDICT_PROOFS`: the directory where checked proofs are saved; if undefined, none are saved. */
  readonly proofs_directory: string | undefined;
  /** `VERDICT_PROVER_CHECK`: whether cvc5 rechecks the queries of each proof about Python. */
  readonly prover_check: boolean;
  /** The Lean tactic daemon: its address, and its model. */
  readonly tactics: TacticSettings;
  /**
   * `VERDICT_LEAN_PROJECT`: a Lake project that contains the REPL, in which the server's search can try tactics itself.
   */
  readonly lean_project: string | undefined;
  /** Additional variables for Lean: the location of its toolchains. */
  readonly lean_environment: NodeJS.ProcessEnv;
  /** Additional variables for git: the location of the user's own settings, such as which repositories are trusted. */
  readonly git_environment: NodeJS.ProcessEnv;
  /** `VERDICT_HANDOVER_MS`: the time after which a call that is still running becomes a job; 0 means never. */
  readonly handover_ms: number;
  /** Settings of the HTTP server. */
  readonly http: HttpSettings;
  /**
   * `VERDICT_REDIS`: the address of the Redis server that receives calls and jobs, possibly with a password; if
   * undefined, they stay in this process.
   */
  readonly redis: string | undefined;
  /** The directory for a solver's files while it runs. */
  readonly scratch_directory: string;
  readonly solvers_at_once: number;
}

/** Settings of the HTTP server, each as the text of its flag or variable; undefined if it is not set. */
export interface HttpSettings {
  /** `VERDICT_PUBLIC_URL`: the address of `/mcp` as clients use it, such as that of a proxy. */
  readonly public_url: string | undefined;
  /** `VERDICT_QUOTA`: the limits for principals that specify none. */
  readonly quota: string | undefined;
  /** `VERDICT_LOG_QUESTIONS`: whether the log contains the arguments of calls. */
  readonly log_questions: boolean;
  /** `VERDICT_OAUTH_…`: which issuer's access tokens are accepted, and under which conditions. */
  readonly oauth: {
    readonly issuer: string | undefined;
    readonly jwks: string | undefined;
    readonly audience: string | undefined;
    readonly algorithms: string | undefined;
    readonly scope_claim: string | undefined;
    readonly scope_prefix: string | undefined;
  };
}

/** What the agent needs to reach models and servers: addresses and keys. Keys are read only from the environment. */
export interface ModelSettings {
  /** `VERDICT_MODEL`: the model to use if `--model` is not given. */
  readonly model: string | undefined;
  /** The keys, from the variables that the providers' documentation specifies. */
  readonly keys: {
    readonly anthropic: string | undefined;
    readonly openai: string | undefined;
    readonly google: string | undefined;
  };
  /** `VERDICT_MODEL_URL` and `VERDICT_MODEL_KEY`: a server for `compatible:NAME`. */
  readonly url: string | undefined;
  readonly key: string | undefined;
  /** `OLLAMA_HOST`, or Ollama's default address, with the path of its chat completions API appended. */
  readonly ollama_url: string;
  /** `VERDICT_MCP_TOKEN`: the token for a remote MCP server. */
  readonly mcp_token: string | undefined;
  /** The variables listed in `--mcp-env`, which the command in `--mcp` gets in addition to the usual ones. */
  readonly mcp_environment: Readonly<Record<string, string>>;
  /** The program that runs our own MCP server, with its environment, which contains none of the keys. */
  readonly server: { readonly program: readonly string[]; readonly environment: Readonly<Record<string, string>> };
  readonly colour: boolean;
}

/** Settings shared by the Lean tactic daemon and its clients. */
export interface TacticSettings {
  /** `TACTIC_SERVER_HOST` and `TACTIC_SERVER_PORT`, with the names and defaults of the original tactic server. */
  readonly host: string;
  readonly port: number;
  /** `TACTIC_SERVER_TIMEOUT`, given in seconds: how long a client waits for an answer. */
  readonly timeout_ms: number;
  /** `VERDICT_LEAN_MODEL`: a GGUF file, or `openai:NAME` or `ollama:NAME` for a model on a server. */
  readonly model: string | undefined;
  /** `VERDICT_LEAN_URL` and `VERDICT_LEAN_KEY`: the model server's address and key. */
  readonly url: string | undefined;
  readonly key: string | undefined;
  /** `VERDICT_LEAN_PROMPT`: the name of a prompt profile. */
  readonly prompt: string | undefined;
  /** `VERDICT_LEAN_THREADS`: the number of threads; if undefined, one core is left for other work. */
  readonly threads: number | undefined;
  /** `VERDICT_LEAN_GPU`: `off`, `vulkan`, `cuda` or `metal`; if undefined, the best installed build is used. */
  readonly gpu: string | undefined;
  /** `VERDICT_LEAN_CONTEXT`: the maximum number of tokens for a state together with its tactic. */
  readonly context_tokens: number;
  /** `VERDICT_LEAN_IDLE`: the number of seconds without a request after which the model is unloaded. */
  readonly idle_ms: number;
  /** `TACTIC_SERVER_PID_FILE`: a second file for the daemon's pid, such as `.tactic_server.pid` of a project. */
  readonly pid_file: string | undefined;
  /** The command that runs the daemon. */
  readonly program: readonly string[];
  /** The daemon's environment. */
  readonly environment: NodeJS.ProcessEnv;
  /** The directory with the list of packages from which llama.cpp is installed. */
  readonly packages: string;
}

/** The environment with which this program was started. */
let environment: NodeJS.ProcessEnv = process.env;

/**
 * The variables that Node and libraries read whenever they need them, and the one that marks this process; none of them
 * is secret.
 */
const lasting_variables =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|COLORTERM|(NO|FORCE)_COLOR|TMPDIR|TMP|TEMP|TZ|LANG|LC_\w+|CI|SSL_CERT_(FILE|DIR)|NODE_(ENV|OPTIONS|PATH|DEBUG|EXTRA_CA_CERTS|V8_COVERAGE|COMPILE_CACHE)|USERNAME|USERPROFILE|HOMEDRIVE|HOMEPATH|(LOCAL)?APPDATA|COMSPEC|WINDIR|SYSTEMROOT|SYSTEMDRIVE|PROGRAMFILES|PROCESSOR_ARCHITECTURE)$/i;

/** Removes all other variables from this process before it starts any child process, which could read them there. */
export function takeEnvironment(): void {
  environment = eraseEnvironment(process.env, (name) => lasting_variables.test(name) || name === mark_variable);
}

const daemon_variables = /^(VERDICT_(LEAN_\w+|DATA)|TACTIC_SERVER_\w+|(CUDA|GGML|HIP|ROCR|VK|MTL|NVIDIA)_\w+)$/;
const child_variables = ["PATH", "LANG", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR", "TEMP", "SystemRoot"];
const installer_variables =
  /^(HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_(CACHE|CONFIG)_(HOME|DIRS)|(PIP|UV|SSL|NPM_CONFIG)_\w+|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|NODE_EXTRA_CA_CERTS|(https?|all|no)_proxy)$/i;

interface Flags extends HttpSettingFlags {
  readonly tools?: string | undefined;
  readonly language?: string | undefined;
  readonly allowUnconfined?: boolean | undefined;
  readonly dataDir?: readonly string[] | undefined;
  /** The HTTP server's address. By default, clients of this server can't read files in its working directory. */
  readonly http?: string | undefined;
}

/** Flags that can also be set as environment variables. */
export interface HttpSettingFlags {
  readonly publicUrl?: string | undefined;
  readonly quota?: string | undefined;
  readonly logQuestions?: boolean | undefined;
  readonly oauthIssuer?: string | undefined;
  readonly oauthJwks?: string | undefined;
  readonly oauthAudience?: string | undefined;
  readonly oauthAlgorithms?: string | undefined;
  readonly oauthScopeClaim?: string | undefined;
  readonly oauthScopePrefix?: string | undefined;
}

/** Reads the flags and the environment once, into one frozen object. Flags take precedence. */
export function readConfig(flags: Flags, env: NodeJS.ProcessEnv = environment): Config {
  const tools = flags.tools || env["VERDICT_TOOLS"] || undefined;
  const data_roots = dataRoots(flags, env);
  return Object.freeze({
    native_builds: nativeBuilds(env),
    tools: tools?.split(",").map((name) => name.trim()),
    language: flags.language || env["VERDICT_LANGUAGE"] || undefined,
    python: programName(env["VERDICT_PYTHON"], env),
    path: (env["PATH"] ?? "").split(delimiter).filter(isAbsolute),
    data_roots,
    save_roots: flags.http === undefined ? data_roots : [],
    data_directory: dataDirectory(env),
    environments_directory: environmentsDirectory(env),
    child_environment: select(env, (name) => child_variables.includes(name)),
    child_directory: unwritableDirectory(),
    installer_environment: select(env, (name) => installer_variables.test(name)),
    python_directory: builtFile("python"),
    setup: Object.freeze({
      program: [builtFile("cli.mjs"), "setup", "--in-background"],
      environment: {
        ...select(env, (name) => child_variables.includes(name) || installer_variables.test(name)),
        ...(env["VERDICT_PYTHON"] && { VERDICT_PYTHON: programName(env["VERDICT_PYTHON"], env) }),
        VERDICT_DATA: dataDirectory(env),
        ...(env["VERDICT_ENVIRONMENTS"] && { VERDICT_ENVIRONMENTS: environmentsDirectory(env) }),
      },
    }),
    allow_unconfined: flags.allowUnconfined ?? /^(1|true|yes|on)$/i.test(env["VERDICT_ALLOW_UNCONFINED"] ?? ""),
    sandbox_exec: process.platform === "darwin" ? "/usr/bin/sandbox-exec" : undefined,
    // macOS can fork too, but its own libraries do not work after a fork.
    python_forks: process.platform === "linux",
    z3_wasm_host: builtFile("z3_wasm.mjs"),
    clingo_wasm_host: builtFile("clingo_wasm.mjs"),
    minizinc_wasm_host: builtFile("minizinc_wasm.mjs"),
    problems_directory: builtFile("../problems"),
    drat_host: builtFile("drat_check.mjs"),
    table_host: builtFile("read_table.mjs"),
    call_host: builtFile("large_call.mjs"),
    prover_file: builtFile("prover.mjs"),
    proofs_directory: env["VERDICT_PROOFS"] ? fullPath(env["VERDICT_PROOFS"], env) : undefined,
    prover_check: /^(1|true|yes|on|cvc5)$/i.test(env["VERDICT_PROVER_CHECK"] ?? ""),
    tactics: readTacticSettings(env),
    lean_project: env["VERDICT_LEAN_PROJECT"] ? fullPath(env["VERDICT_LEAN_PROJECT"], env) : undefined,
    lean_environment: select(env, (name) => /^(HOME|USERPROFILE|ELAN_\w+)$/.test(name)),
    git_environment: select(env, (name) => /^(HOME|USERPROFILE|XDG_CONFIG_HOME)$/.test(name)),
    handover_ms: handoverTime(env["VERDICT_HANDOVER_MS"]),
    http: readHttpSettings(flags, env),
    redis: env["VERDICT_REDIS"]?.trim() || undefined,
    scratch_directory: tmpdir(),
    solvers_at_once: Math.min(availableParallelism(), limits.solvers_at_once_max),
  });
}

function readHttpSettings(flags: HttpSettingFlags, env: NodeJS.ProcessEnv): HttpSettings {
  return Object.freeze({
    public_url: flags.publicUrl || env["VERDICT_PUBLIC_URL"] || undefined,
    quota: flags.quota || env["VERDICT_QUOTA"] || undefined,
    log_questions: flags.logQuestions ?? /^(1|true|yes|on)$/i.test(env["VERDICT_LOG_QUESTIONS"] ?? ""),
    oauth: Object.freeze({
      issuer: flags.oauthIssuer || env["VERDICT_OAUTH_ISSUER"] || undefined,
      jwks: flags.oauthJwks || env["VERDICT_OAUTH_JWKS"] || undefined,
      audience: flags.oauthAudience || env["VERDICT_OAUTH_AUDIENCE"] || undefined,
      algorithms: flags.oauthAlgorithms || env["VERDICT_OAUTH_ALGORITHMS"] || undefined,
      scope_claim: flags.oauthScopeClaim || env["VERDICT_OAUTH_SCOPE_CLAIM"] || undefined,
      scope_prefix: flags.oauthScopePrefix || env["VERDICT_OAUTH_SCOPE_PREFIX"] || undefined,
    }),
  });
}

/** Reads the agent's settings; only the agent's commands need them. */
export function readModelSettings(
  flags: {
    readonly model?: string | undefined;
    readonly modelUrl?: string | undefined;
    readonly mcpEnv?: readonly string[] | undefined;
  },
  env: NodeJS.ProcessEnv = environment,
): ModelSettings {
  const named = (flags.mcpEnv ?? []).flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  const secret = /^(VERDICT_MODEL_KEY|VERDICT_MCP_TOKEN|\w*_API_KEY|\w*_(TOKEN|SECRET|PASSWORD))$/;
  const environment = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || secret.test(name) ? [] : [[name, value] as const],
  );
  return Object.freeze({
    model: flags.model || env["VERDICT_MODEL"] || undefined,
    keys: {
      anthropic: env["ANTHROPIC_API_KEY"] || undefined,
      openai: env["OPENAI_API_KEY"] || undefined,
      google: env["GOOGLE_GENERATIVE_AI_API_KEY"] || undefined,
    },
    url: flags.modelUrl || env["VERDICT_MODEL_URL"] || undefined,
    key: env["VERDICT_MODEL_KEY"] || undefined,
    ollama_url: ollamaUrl(env["OLLAMA_HOST"] || "127.0.0.1:11434"),
    mcp_token: env["VERDICT_MCP_TOKEN"] || undefined,
    mcp_environment: Object.fromEntries(named),
    server: {
      program: [process.execPath, builtFile("cli.mjs"), "serve"],
      environment: Object.fromEntries(environment),
    },
    colour: !env["NO_COLOR"] && env["TERM"] !== "dumb",
  });
}

/** The locations where programs store a user's settings. */
export interface UserPlaces {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Variables that specify other locations; an empty one counts as not set. */
  readonly variables: {
    readonly XDG_CONFIG_HOME: string | undefined;
    readonly APPDATA: string | undefined;
    readonly LOCALAPPDATA: string | undefined;
    readonly CODEX_HOME: string | undefined;
  };
}

/** What `verdict install` needs: the locations of this user's settings, and the program that clients should start. */
export interface Installation {
  readonly places: UserPlaces;
  readonly node: string;
  readonly program: string;
}

export function readInstallation(env: NodeJS.ProcessEnv = environment): Installation {
  const variable = (name: string) => env[name] || undefined;
  const variables = {
    XDG_CONFIG_HOME: variable("XDG_CONFIG_HOME"),
    APPDATA: variable("APPDATA"),
    LOCALAPPDATA: variable("LOCALAPPDATA"),
    CODEX_HOME: variable("CODEX_HOME"),
  };
  const places = { platform: process.platform, home: homedir(), variables };
  return { places, node: process.execPath, program: builtFile("cli.mjs") };
}

/** How to show a file to the person using this machine. */
export interface Desktop {
  readonly opener: { readonly command: string; readonly args: readonly string[] };
  /** The complete environment, since a browser is the user's own program. */
  readonly environment: NodeJS.ProcessEnv;
}

export function readDesktop(env: NodeJS.ProcessEnv = environment, platform = process.platform): Desktop {
  const openers: Partial<Record<NodeJS.Platform, Desktop["opener"]>> = {
    darwin: { command: "open", args: [] },
    win32: { command: "rundll32", args: ["url.dll,FileProtocolHandler"] },
  };
  return { opener: openers[platform] ?? { command: "xdg-open", args: [] }, environment: env };
}

/** Completes the value of `OLLAMA_HOST`, in which Ollama accepts a host with or without scheme and port. */
function ollamaUrl(host: string): string {
  const with_scheme = /^https?:\/\//.test(host) ? host : `http://${host}`;
  const url = with_scheme.replace(/\/+$/, "").replace("//0.0.0.0", "//127.0.0.1");
  return `${/:\d+$/.test(url) ? url : `${url}:11434`}/v1`;
}

function readTacticSettings(env: NodeJS.ProcessEnv): TacticSettings {
  const number = (name: string, standard: number) => {
    const value = Number(env[name]);
    return env[name] && Number.isFinite(value) && value >= 0 ? value : standard;
  };
  const named = env["VERDICT_LEAN_MODEL"] || undefined;
  const model = named === undefined || /^(openai|ollama):|^\w+:\/\//i.test(named) ? named : fullPath(named, env);
  const pid_file = env["TACTIC_SERVER_PID_FILE"] ? fullPath(env["TACTIC_SERVER_PID_FILE"], env) : undefined;
  const daemon = (name: string) =>
    daemon_variables.test(name) || child_variables.includes(name) || installer_variables.test(name);
  return Object.freeze({
    host: env["TACTIC_SERVER_HOST"] || "localhost",
    // An invalid port, for example, is reported where it is used (engines/tactic/settings.ts), not here.
    port: isPort(env["TACTIC_SERVER_PORT"]) ? Number(env["TACTIC_SERVER_PORT"]) : 5678,
    timeout_ms: within(
      1,
      number("TACTIC_SERVER_TIMEOUT", engine_limits.tactic_timeout_ms_default / 1000) * 1000,
      limits.timeout_ms_max,
    ),
    model,
    url: env["VERDICT_LEAN_URL"] || undefined,
    key: env["VERDICT_LEAN_KEY"] || undefined,
    prompt: env["VERDICT_LEAN_PROMPT"] || undefined,
    threads: env["VERDICT_LEAN_THREADS"] ? Math.max(1, Math.floor(number("VERDICT_LEAN_THREADS", 1))) : undefined,
    gpu: env["VERDICT_LEAN_GPU"] || undefined,
    context_tokens: Math.max(
      256,
      Math.floor(number("VERDICT_LEAN_CONTEXT", engine_limits.tactic_context_tokens_default)),
    ),
    idle_ms: within(
      0,
      number("VERDICT_LEAN_IDLE", engine_limits.tactic_idle_s_default) * 1000,
      engine_limits.tactic_leave_ms_max,
    ),
    program: [builtFile("cli.mjs"), "daemon", "run"],
    pid_file,
    // The daemon runs in another directory, so its variables need full paths.
    environment: {
      ...select(env, daemon),
      ...(model && { VERDICT_LEAN_MODEL: model }),
      ...(pid_file && { TACTIC_SERVER_PID_FILE: pid_file }),
      ...(env["VERDICT_DATA"] && { VERDICT_DATA: dataDirectory(env) }),
    },
    packages: packagesDirectory(),
  });
}

/** Reads `VERDICT_HANDOVER_MS`; a value that is not a time counts as not set. */
function handoverTime(text: string | undefined): number {
  const is_time = /^\d+$/.test(text ?? "");
  return is_time ? within(0, Number(text), job_limits.timeout_ms_max) : job_limits.handover_ms_default;
}

const within = (min: number, value: number, max: number) => Math.min(max, Math.max(min, value));

function isPort(text: string | undefined): boolean {
  return /^\d{1,5}$/.test(text ?? "") && Number(text) >= 1 && Number(text) <= 65_535;
}

/** Finds the directory next to the bundle or in the source tree. */
function packagesDirectory(): string {
  const beside = fileURLToPath(new URL("llama", import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL("../llama", import.meta.url));
}

/** Returns the selected variables that are set and not empty. */
function select(env: NodeJS.ProcessEnv, isSelected: (name: string) => boolean): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => value && isSelected(name)));
}

/**
 * The working directory of child processes: nobody, not even root, can create a file there. Windows has no such
 * directory.
 */
function unwritableDirectory(): string {
  if (process.platform === "linux") return "/proc";
  return process.platform === "win32" ? tmpdir() : "/";
}

/**
 * Resolves a path relative to the working directory. Replaces `~` with the home directory, since no shell expands it in
 * a client's configuration.
 */
function fullPath(path: string, env: NodeJS.ProcessEnv): string {
  return resolve(path.replace(/^~(?=$|[/\\])/, () => env["HOME"] || homedir()));
}

/**
 * Resolves a path relative to the directory in which the server was started; a bare name is looked up on PATH later.
 */
function programName(command: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  return command?.includes("/") || command?.includes("\\") ? fullPath(command, env) : command || undefined;
}

function nativeBuilds(env: NodeJS.ProcessEnv): Readonly<Record<string, string | undefined>> {
  const names = Object.keys(env).filter((name) => /^VERDICT_[A-Z0-9]+$/.test(name) && name !== "VERDICT_REDIS");
  return Object.freeze(Object.fromEntries(names.map((name) => [name, programName(env[name], env)])));
}

function environmentsDirectory(env: NodeJS.ProcessEnv): string | undefined {
  return env["VERDICT_ENVIRONMENTS"] ? fullPath(env["VERDICT_ENVIRONMENTS"], env) : undefined;
}

/**
 * Returns the specified directories, or else the project's directory, unless that is the home directory or the root
 * directory.
 */
function dataRoots({ dataDir, http }: Flags, env: NodeJS.ProcessEnv): readonly string[] {
  const named = dataDir ?? env["VERDICT_DATA_DIR"]?.split(delimiter).filter((each) => each !== "");
  if (named && named.length > 0) return named.map((each) => fullPath(each, env));
  const project = process.cwd();
  return http !== undefined || project === homedir() || project === parse(project).root ? [] : [project];
}

function dataDirectory(env: NodeJS.ProcessEnv): string {
  if (env["VERDICT_DATA"]) return fullPath(env["VERDICT_DATA"], env);
  if (process.platform === "win32") return join(env["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local"), "verdict");
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support", "verdict");
  return join(env["XDG_DATA_HOME"] || join(homedir(), ".local", "share"), "verdict");
}

/** The built page that shows solutions in a chat. */
export const solution_view = builtFile("solution.html");

/**
 * Finds a file in `dist/`, both from the bundle, which is in that directory, and from the sources when a test runs
 * them.
 */
function builtFile(name: string): string {
  const beside = fileURLToPath(new URL(name, import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL(`../dist/${name}`, import.meta.url));
}
