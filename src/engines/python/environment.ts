import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { errorCode } from "../../kernel/files/errno.ts";
import { Lease } from "../../kernel/files/lease.ts";
import { limits } from "../../kernel/limits.ts";
import type { Children } from "../../kernel/process/child.ts";
import { Shared } from "../../kernel/shared.ts";
import type { EngineReport } from "../engine.ts";
import { environmentsDirectory } from "../places.ts";
import { makeInBackground } from "./background.ts";
import { type Health, healthOf } from "./health.ts";
import { setupFault } from "./install_output.ts";
import { findInterpreter, type Interpreter, minorOf, supported_minors } from "./interpreter.ts";
import { type EnginePackage, type Group, type Packages, packagesOf } from "./packages.ts";
import { Setup, stagingDirectory } from "./setup.ts";
import { type Environment, nameOf, readEnvironment, requirementsOf } from "./whole_environment.ts";

export interface EnvironmentServices {
  readonly config: Config;
  readonly children: Children;
  /** Which packages it holds. */
  readonly group?: Group;
  /** Whether a process that outlives this server makes the environment; else this process does. */
  readonly in_background?: boolean;
}

/**
 * What became of an environment in which something did not start: moved aside, so that the next call makes another;
 * kept since another server uses it; or kept since it starts, or since this machine could not start it just now.
 */
export type Discarded = "gone" | "in use" | Exclude<Health, "broken">;

/**
 * The private environment that the Python engines run in: made on first need, once, whoever needs
 * it and in however many servers, and found by its name alone from then on. The name is the hash
 * of what is in it, so another version of Verdict makes another one.
 */
export class PythonEnvironment {
  readonly #services: EnvironmentServices;
  readonly #leases = new Map<string, Lease>();
  readonly #closing = new AbortController();
  readonly #listeners = new Set<(message: string) => void>();
  readonly #interpreter: Shared<Interpreter>;
  readonly #environment: Shared<Environment>;
  #news = "";

  constructor(services: EnvironmentServices) {
    this.#services = services;
    const { config, children } = services;
    const { signal } = this.#closing;
    this.#interpreter = new Shared(() => findInterpreter(config, children, signal), limits.retry_ms);
    this.#environment = new Shared(() => this.#findOrMake(), limits.retry_ms);
  }

  /** A CPython for trusted code of ours that needs no package. Raises `engine_missing` and `cancelled`. */
  interpreter(deadline: Deadline): Promise<Interpreter | "expired"> {
    return deadline.within(this.#interpreter.get());
  }

  /**
   * The environment, made when it is not there yet. A setup goes on when this call's time runs out
   * or it is given up; who comes meanwhile waits for the same setup and hears of its progress.
   * Raises `engine_missing`, `engine_failed` and `cancelled`.
   */
  async ready(deadline: Deadline, progress: (message: string) => void): Promise<Environment | "expired"> {
    const environment = this.#environment.get();
    if (this.#news) progress(this.#news);
    this.#listeners.add(progress);
    try {
      return await deadline.within(environment);
    } finally {
      this.#listeners.delete(progress);
    }
  }

  /** What is being installed and how far that is, or undefined when there is no setup under way. */
  async installing(): Promise<(Pick<Packages, "purpose" | "download_mb"> & { readonly doing: string }) | undefined> {
    const doing = this.#news;
    return doing ? { ...(await this.#packages()), doing } : undefined;
  }

  /** Begins the setup without waiting for it; a failure is told to who asks next. */
  prepare(): void {
    void this.#environment.get();
  }

  /** The environment, if there is one; makes none. */
  async found(): Promise<Environment | undefined> {
    for (const name of await this.#names()) {
      const environment = await readEnvironment(join(environmentsDirectory(this.#services.config), name));
      if (environment) return environment;
    }
    return undefined;
  }

  /**
   * To be told that something in the environment did not start. It is looked at again: one that really does not work
   * (its base Python was removed) is moved aside, and the next call makes another, unless another server uses it.
   */
  async discard(): Promise<Discarded> {
    this.#environment.forget();
    this.#interpreter.forget();
    const environment = await this.found();
    if (!environment) return "gone";
    const health = await this.#health(environment);
    if (health !== "broken") return health;
    if (await this.#leaseOn(environment).heldByOthers()) return "in use";
    // Moved aside at once; what lies aside is removed by the next setup.
    await rename(environment.directory, stagingDirectory(this.#services.config)).catch((error: unknown) => {
      // Another server found the same and was faster.
      if (errorCode(error) !== "ENOENT") throw error;
    });
    return "gone";
  }

  /** To be told that the environment works for this server: from now on no other one takes it away. */
  async inUse(environment: Environment): Promise<void> {
    await this.#leaseOn(environment).take();
  }

  /** What is there and what is not; installs nothing. */
  async probe(): Promise<EngineReport[]> {
    const environment = await this.found();
    const { group } = this.#services;
    const packages = await this.#packages();
    const works = environment !== undefined && (await this.#health(environment)) === "good";
    const why = environment
      ? works
        ? "in Verdict's private Python environment"
        : "Verdict's private Python environment does not start; the next call recreates it if it is broken"
      : `Verdict's private Python environment${group === undefined ? "" : ` for ${packages.purpose}`} does not exist yet; the first call that needs it creates it`;
    const engine = (name: string, version: string | undefined): EngineReport => ({
      name,
      found: works,
      kind: works ? "python" : "none",
      version: (works && version) || null,
      why,
      how_to_get: `\`verdict setup${group === undefined ? "" : ` ${group}`}\` installs it in a private environment; needs CPython 3.10 to 3.14 and a network once`,
      isolation: "a process of its own for every job",
    });
    return [
      ...(group === undefined ? [await this.#probeInterpreter(works ? environment : undefined)] : []),
      ...packages.engines.map((each) => {
        const report = engine(each.report, environment?.packages[each.id] ?? undefined);
        return each.optional && works && report.version === null ? notBuilt(report, each.optional) : report;
      }),
    ];
  }

  /** Ends a setup that is under way in this process; one in the background goes on. */
  close(): void {
    this.#closing.abort();
    for (const lease of this.#leases.values()) lease.release();
  }

  async #health(environment: Environment): Promise<Health> {
    return healthOf(environment, await this.#packages(), this.#services.children, this.#closing.signal);
  }

  #packages(): Promise<Packages> {
    return packagesOf(this.#services.config, this.#services.group);
  }

  #leaseOn({ directory }: Environment): Lease {
    const known = this.#leases.get(directory);
    if (known) return known;
    const lease = new Lease(join(directory, "in_use"));
    this.#leases.set(directory, lease);
    return lease;
  }

  /** Names that a fitting environment can have, the best first. Only a Python of the user's choice has to be asked. */
  async #names(): Promise<string[]> {
    const requirements = await requirementsOf(this.#services.config, this.#services.group);
    return (await this.#minors()).map((minor) => nameOf(requirements, minor));
  }

  async #minors(): Promise<readonly string[]> {
    if (this.#services.config.python === undefined) return supported_minors;
    try {
      return [minorOf((await this.#interpreter.get()).version)];
    } catch (error) {
      if (error instanceof Fault) return [];
      throw error;
    }
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
    const { config, children, group } = this.#services;
    const base = await this.#interpreter.get();
    const signal = this.#closing.signal;
    const tell = (message: string) => this.#tell(message);
    const existing = () => this.found();
    if (this.#services.in_background) return makeInBackground({ config, group, signal, tell, existing });
    return new Setup({ config, children, group, signal, tell }).make(base, existing);
  }

  #tell(message: string): void {
    this.#news = message;
    for (const listener of this.#listeners) listener(message);
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

/** What is said of an engine where the environment works without it. */
function notBuilt(report: EngineReport, { without, how_to_get }: NonNullable<EnginePackage["optional"]>): EngineReport {
  return { ...report, found: false, kind: "none", why: `it is not built for this machine: ${without}`, how_to_get };
}
