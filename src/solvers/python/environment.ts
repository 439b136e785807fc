import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/v4";
import type { Config } from "../../config.ts";
import type { Children, Ending, Job, Program } from "../../kernel/child.ts";
import { errorCode } from "../../kernel/errno.ts";
import { cancelled, Fault } from "../../kernel/fault.ts";
import { withLock } from "../../kernel/file_lock.ts";
import { limits } from "../../kernel/limits.ts";
import { makeDirectory } from "../../kernel/make_directory.ts";
import { runToEnd } from "../../kernel/run.ts";
import { Shared } from "../../kernel/shared.ts";
import { within } from "../../kernel/within.ts";
import type { EngineReport } from "../engine.ts";
import { environmentsDirectory, programOf, programsOnPath } from "../places.ts";
import { failedSetup, newsOf, setupFault, withoutCredentials } from "./install_output.ts";
import { stepsOf } from "./installer.ts";
import { findInterpreter, type Interpreter, minorOf, supported_minors } from "./interpreter.ts";

/** A private Python environment that is ready for use. */
export interface Environment {
  readonly directory: string;
  readonly python: string;
  /** "3.12.1" */
  readonly version: string;
  /** Directories that the interpreter reads: the environment itself, the base it was made from. */
  readonly reads: readonly string[];
  /** Versions of the engines in it; CrossHair is not built for every machine. */
  readonly packages: { readonly z3: string; readonly pysat: string; readonly crosshair: string | null };
}

/** What is noted in a finished environment, so that using it later costs no process. */
const Note = z.object({
  version: z.string(),
  reads: z.array(z.string()),
  packages: z.object({ z3: z.string(), pysat: z.string(), crosshair: z.string().nullable() }),
});

const note_file = "verdict.json";

/** Directories under this name are half-made, or on their way out; nobody uses what is in them. */
const staging_prefix = "staging-";

const bounds = {
  stdout_bytes_max: limits.stdout_bytes_max,
  stderr_bytes_max: limits.stderr_bytes_max,
  rss_bytes_max: limits.solver_rss_bytes_max,
};

const check = `
import json, z3, pysat, deal, icontract
from importlib.metadata import version
from importlib.util import find_spec
explores = find_spec("crosshair") is not None
if explores: import crosshair.core_and_libs
found = {"z3": "z3-solver", "pysat": "python-sat", "crosshair": "crosshair-tool" if explores else None}
print(json.dumps({name: package and version(package) for name, package in found.items()}))
`;

/**
 * The private environment that the Python engines run in: made on first need, once, whoever needs
 * it and in however many servers, and found by its name alone from then on. The name is the hash
 * of what is in it, so another version of Verdict makes another one.
 */
export class PythonEnvironment {
  readonly #config: Config;
  readonly #children: Children;
  readonly #closing = new AbortController();
  readonly #listeners = new Set<(message: string) => void>();
  readonly #interpreter: Shared<Interpreter>;
  readonly #environment: Shared<Environment>;
  #news = "";

  constructor({ config, children }: { readonly config: Config; readonly children: Children }) {
    this.#config = config;
    this.#children = children;
    const { signal } = this.#closing;
    this.#interpreter = new Shared(() => findInterpreter(config, children, signal), limits.retry_ms);
    this.#environment = new Shared(() => this.#findOrMake(), limits.retry_ms);
  }

  /** A CPython for trusted code of ours that needs no package. Raises `engine_missing` and `cancelled`. */
  interpreter(job: Job): Promise<Interpreter | "expired"> {
    return within(job, this.#interpreter.get());
  }

  /**
   * The environment, made when it is not there yet. A setup goes on when this call's time runs out
   * or it is given up; who comes meanwhile waits for the same setup and hears of its progress.
   * Raises `engine_missing`, `engine_failed` and `cancelled`.
   */
  async ready(job: Job, progress: (message: string) => void): Promise<Environment | "expired"> {
    const environment = this.#environment.get();
    if (this.#news) progress(this.#news);
    this.#listeners.add(progress);
    try {
      return await within(job, environment);
    } finally {
      this.#listeners.delete(progress);
    }
  }

  /** Whether a setup is under way. */
  get installing(): boolean {
    return this.#news !== "";
  }

  /** Begins the setup without waiting for it; a failure is told to who asks next. */
  prepare(): void {
    void this.#environment.get();
  }

  /** The environment, if there is one; makes none. */
  async found(): Promise<Environment | undefined> {
    for (const name of await this.#names()) {
      const environment = await readEnvironment(join(this.#directory, name));
      if (environment) return environment;
    }
    return undefined;
  }

  /**
   * To be told that the environment does not start. It is looked at once more: one that really
   * does not work (its base Python was removed) is taken away, and the next call makes another.
   */
  async discard(): Promise<void> {
    this.#environment.forget();
    this.#interpreter.forget();
    const environment = await this.found();
    if (!environment || !isBroken(await this.#start(environment))) return;
    // Moved aside at once; what lies aside is removed by the next setup.
    await rename(environment.directory, this.#staging()).catch((error: unknown) => {
      // Another server found the same and was faster.
      if (errorCode(error) !== "ENOENT") throw error;
    });
  }

  /** What is there and what is not; installs nothing. */
  async probe(): Promise<EngineReport[]> {
    const environment = await this.found();
    const works = environment !== undefined && isGood(await this.#start(environment));
    const why = environment
      ? works
        ? "in Verdict's private Python environment"
        : "Verdict's private Python environment does not start; one that is broken is made anew by the next call"
      : "Verdict's private Python environment is not made yet; the first call that needs it makes it";
    const engine = (name: string, version: string | undefined): EngineReport => ({
      name,
      found: works,
      kind: works ? "python" : "none",
      version: (works && version) || null,
      why,
      how_to_get: "`verdict setup` installs it in a private environment; needs CPython 3.10 to 3.14 and a network once",
      isolation: "a process of its own for every job",
    });
    return [
      await this.#probeInterpreter(works ? environment : undefined),
      engine("z3 in python", environment?.packages.z3),
      engine("pysat", environment?.packages.pysat),
      crosshairOf(engine("crosshair", environment?.packages.crosshair ?? undefined), works),
    ];
  }

  /** Ends a setup that is under way. */
  close(): void {
    this.#closing.abort();
  }

  get #directory(): string {
    return environmentsDirectory(this.#config);
  }

  #staging(): string {
    return join(this.#directory, `${staging_prefix}${randomUUID()}`);
  }

  /** Names that a fitting environment can have, the best first. Only a Python of the user's choice has to be asked. */
  async #names(): Promise<string[]> {
    const requirements = await readFile(this.#requirements, "utf8");
    return (await this.#minors()).map((minor) => nameOf(requirements, minor));
  }

  async #minors(): Promise<readonly string[]> {
    if (this.#config.python === undefined) return supported_minors;
    try {
      return [minorOf((await this.#interpreter.get()).version)];
    } catch (error) {
      if (error instanceof Fault) return [];
      throw error;
    }
  }

  get #requirements(): string {
    return join(this.#config.python_directory, "requirements.txt");
  }

  async #findOrMake(): Promise<Environment> {
    try {
      return (await this.found()) ?? (await this.#make());
    } catch (error) {
      if (error instanceof Fault) throw error;
      console.error(error);
      throw setupFault(errorCode(error) ?? "");
    } finally {
      this.#news = "";
    }
  }

  async #make(): Promise<Environment> {
    const base = await this.#interpreter.get();
    const until = performance.now() + limits.python_setup_ms_max;
    const rest = () => ({ left_ms: Math.max(0, until - performance.now()), signal: this.#closing.signal });
    this.#tell("setting up the private Python environment");
    const made = await withLock(this.#directory, rest(), async () => (await this.found()) ?? this.#install(base, rest));
    if (made === "expired") throw tooSlow();
    return made;
  }

  /** Makes it under another name first: what bears the right name is complete. */
  async #install(base: Interpreter, rest: () => Job): Promise<Environment> {
    await makeDirectory(this.#directory);
    await this.#removeLeftovers();
    const staging = this.#staging();
    try {
      for (const { says, program } of this.#steps(base, staging)) {
        this.#tell(says);
        await this.#run(program, rest());
      }
      this.#tell("checking that the engines start");
      const packages = await this.#run({ command: programOf(staging, "python"), args: ["-I", "-c", check] }, rest());
      const note = { version: base.version, reads: base.reads, packages: JSON.parse(packages) };
      await writeFile(join(staging, note_file), JSON.stringify(Note.parse(note)));
      return await this.#putInPlace(staging, base);
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  }

  async #putInPlace(staging: string, base: Interpreter): Promise<Environment> {
    const place = join(this.#directory, nameOf(await readFile(this.#requirements, "utf8"), minorOf(base.version)));
    const other = await readEnvironment(place);
    if (other) return other;
    // What bears the name and can't be read is of no use.
    await rm(place, { recursive: true, force: true });
    await rename(staging, place);
    const environment = await readEnvironment(place);
    if (!environment) throw failedSetup("it was removed while it was made", "call again");
    return environment;
  }

  #steps(base: Interpreter, place: string) {
    const [uv] = programsOnPath(this.#config, "uv");
    if (uv === undefined && !base.has_venv) throw setupFault("No module named ensurepip");
    const environment = this.#config.installer_environment;
    return stepsOf({ uv, python: base.python, place, requirements: this.#requirements, environment });
  }

  /** Runs one command of the setup to its good end and gives what it printed. */
  async #run(program: Program, job: Job): Promise<string> {
    const { ending, stdout, stderr } = await runToEnd(this.#children.start(program, bounds), job, (line) => {
      const news = newsOf(line);
      if (news) this.#tell(news);
    });
    if (isGood(ending)) return stdout;
    if (ending.kind === "stopped" && ending.why === "deadline") throw tooSlow();
    if (ending.kind === "stopped" && ending.why !== "memory" && ending.why !== "output") throw cancelled();
    const output = withoutCredentials(`${stdout}\n${stderr}`);
    console.error(`A command of the Python setup failed (${JSON.stringify(ending)}):\n${output}`);
    throw setupFault(output);
  }

  #tell(message: string): void {
    this.#news = message;
    for (const listener of this.#listeners) listener(message);
  }

  /** What servers left that were killed; whoever holds the lock is the only one who makes anything here. */
  async #removeLeftovers(): Promise<void> {
    for (const entry of await readdir(this.#directory)) {
      if (entry.startsWith(staging_prefix)) await rm(join(this.#directory, entry), { recursive: true, force: true });
    }
  }

  /** How an environment's engines come up. */
  async #start({ python }: Environment): Promise<Ending> {
    const job = { left_ms: limits.probe_ms_max, signal: this.#closing.signal };
    const program = { command: python, args: ["-I", "-c", "import z3, pysat, icontract"] };
    return (await runToEnd(this.#children.start(program, bounds), job)).ending;
  }

  async #probeInterpreter(environment: Environment | undefined): Promise<EngineReport> {
    const common = {
      name: "python",
      how_to_get: "install CPython 3.10 to 3.14 on PATH, or name one in VERDICT_PYTHON",
      isolation: "runs only Verdict's own code",
    };
    try {
      const { version } = environment ?? (await this.#interpreter.get());
      const why = environment
        ? "the one that the private environment was made from"
        : "found by VERDICT_PYTHON or on PATH";
      return { ...common, found: true, kind: "python", version, why };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return { ...common, found: false, kind: "none", version: null, why: error.message };
    }
  }
}

/** What is said of CrossHair where the environment works without it. */
function crosshairOf(report: EngineReport, works: boolean): EngineReport {
  if (!works || report.version !== null) return report;
  return {
    ...report,
    found: false,
    kind: "none",
    why: "it is not built for this machine: Python code is tried with boundary values, and not explored",
    how_to_get: "run Verdict on x86-64 or on macOS, with CPython 3.10 to 3.14",
  };
}

/** The first 12 hex digits say enough: environments are told apart, not secured, by their name. */
function nameOf(requirements: string, minor: string): string {
  return createHash("sha256").update(requirements).update(minor).digest("hex").slice(0, 12);
}

/** A finished environment, or undefined when there is none here that can be read: then it is made anew. */
async function readEnvironment(directory: string): Promise<Environment | undefined> {
  try {
    const { reads, ...note } = Note.parse(JSON.parse(await readFile(join(directory, note_file), "utf8")));
    return { ...note, directory, python: programOf(directory, "python"), reads: [directory, ...reads] };
  } catch {
    return undefined;
  }
}

function isGood(ending: Ending): boolean {
  return ending.kind === "exited" && ending.code === 0;
}

/** One that we stopped ourselves may only have been slow. */
function isBroken(ending: Ending): boolean {
  return ending.kind !== "stopped" && !isGood(ending);
}

function tooSlow(): Fault {
  const minutes = limits.python_setup_ms_max / 60_000;
  return failedSetup(`it took longer than ${minutes} minutes`, "see whether the network is slow, then call again");
}
