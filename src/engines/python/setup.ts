import { randomUUID } from "node:crypto";
import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { Deadline } from "../../kernel/deadline.ts";
import { cancelled, type Fault } from "../../kernel/fault.ts";
import { withLock } from "../../kernel/files/file_lock.ts";
import { makeDirectory } from "../../kernel/files/make_directory.ts";
import type { Children, Program } from "../../kernel/process/child.ts";
import { runToEnd } from "../../kernel/process/run.ts";
import { engine_limits } from "../limits.ts";
import { environmentsDirectory, programOf, programsOnPath } from "../places.ts";
import { failedSetup, Progress, setupFault, withoutCredentials } from "./install_output.ts";
import { stepsOf } from "./installer.ts";
import type { Interpreter } from "./interpreter.ts";
import { type Group, packagesOf, versionsOf } from "./packages.ts";
import {
  type Environment,
  Note,
  nameOf,
  note_file,
  readEnvironment,
  requirementsFile,
  requirementsOf,
} from "./whole_environment.ts";

/** The name prefix of directories that are incomplete or being removed; nothing in them is used. */
const staging_prefix = "staging-";

/** A separate directory for incomplete and removed environments. */
export function stagingDirectory(config: Config): string {
  return join(environmentsDirectory(config), `${staging_prefix}${randomUUID()}`);
}

export interface SetupServices {
  readonly config: Config;
  readonly children: Children;
  readonly group?: Group;
  /** Cancels the setup. */
  readonly signal: AbortSignal;
  /** Receives the current step. */
  readonly tell: (message: string) => void;
}

/** Creates the private environment once, in this process. */
export class Setup {
  readonly #services: SetupServices;
  readonly #deadline: Deadline;

  constructor(services: SetupServices) {
    this.#services = services;
    this.#deadline = new Deadline(engine_limits.python_setup_ms_max, services.signal);
  }

  /**
   * Creates the environment from this interpreter, unless `existing` returns one: another process may have created it
   * while this one waited for the lock. Raises `engine_failed` and `cancelled`.
   */
  async make(base: Interpreter, existing: () => Promise<Environment | undefined>): Promise<Environment> {
    this.#services.tell("setting up a private Python environment");
    const work = async () => (await existing()) ?? this.#install(base);
    const environment = await withLock(environmentsDirectory(this.#services.config), this.#deadline, work);
    if (environment === "expired") throw tooSlow();
    return environment;
  }

  /**
   * Creates the environment under a temporary name first, so that a directory with the final name is always complete.
   */
  async #install(base: Interpreter): Promise<Environment> {
    const { config, group, tell } = this.#services;
    await makeDirectory(environmentsDirectory(config));
    await this.#removeLeftovers();
    const staging = stagingDirectory(config);
    try {
      const progress = new Progress(await requirementsOf(config, group), tell);
      for (const { says, program } of this.#steps(base, staging)) {
        progress.step(says);
        await this.#run(program, (line) => progress.line(line));
      }
      progress.step("checking that the engines start");
      const versions = versionsOf(await packagesOf(config, group));
      const packages = await this.#run({ command: programOf(staging, "python"), args: ["-I", "-c", versions] });
      const note = { version: base.version, reads: base.reads, packages: JSON.parse(packages) };
      await writeFile(join(staging, note_file), JSON.stringify(Note.parse(note)));
      return await this.#putInPlace(staging, base);
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  }

  async #putInPlace(staging: string, base: Interpreter): Promise<Environment> {
    const { config, group } = this.#services;
    const place = join(environmentsDirectory(config), nameOf(await requirementsOf(config, group), base.version));
    const other = await readEnvironment(place);
    if (other) return other;
    // A directory with the final name that can't be read is useless.
    await rm(place, { recursive: true, force: true });
    await rename(staging, place);
    const environment = await readEnvironment(place);
    if (!environment) throw failedSetup("it was removed during its creation", "call again");
    return environment;
  }

  #steps(base: Interpreter, place: string) {
    const { config, group } = this.#services;
    const [uv] = programsOnPath(config, "uv");
    if (uv === undefined && !base.has_venv) throw setupFault("No module named ensurepip");
    const requirements = requirementsFile(config, group);
    return stepsOf({ uv, python: base.python, place, requirements, environment: config.installer_environment });
  }

  /** Runs one command of the setup to its end and returns its output. Raises `engine_failed` if it fails. */
  async #run(program: Program, onLine: (line: string) => void = () => {}): Promise<string> {
    const { ending, stdout, stderr } = await runToEnd(this.#services.children.start(program), this.#deadline, onLine);
    if (ending.kind === "exited" && ending.code === 0) return stdout;
    if (ending.kind === "stopped" && ending.why === "deadline") throw tooSlow();
    if (ending.kind === "stopped" && ending.why !== "memory" && ending.why !== "output") throw cancelled();
    const output = withoutCredentials(`${stdout}\n${stderr}`);
    console.error(`A command of the Python setup failed (${JSON.stringify(ending)}):\n${output}`);
    throw setupFault(output);
  }

  /** Removes what killed servers left behind; only the holder of the lock creates anything here. */
  async #removeLeftovers(): Promise<void> {
    const directory = environmentsDirectory(this.#services.config);
    for (const entry of await readdir(directory)) {
      if (entry.startsWith(staging_prefix)) await rm(join(directory, entry), { recursive: true, force: true });
    }
  }
}

function tooSlow(): Fault {
  const minutes = engine_limits.python_setup_ms_max / 60_000;
  return failedSetup(`it took longer than ${minutes} minutes`, "check whether the network is slow, then call again");
}
