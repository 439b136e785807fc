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
import { findInterpreter, type Interpreter, minorOf, supported_minors, warningOf } from "./interpreter.ts";
import { type EnginePackage, type Group, type Packages, packagesOf } from "./packages.ts";
import { Setup, stagingDirectory } from "./setup.ts";
import { type Environment, nameOf, readEnvironment, requirementsOf } from "./whole_environment.ts";

export interface EnvironmentServices {
  readonly config: Config;
  readonly children: Children;
  /** The group of packages that the environment contains. */
  readonly group?: Group;
  /** Whether a process that outlives this server creates the environment, rather than this process. */
  readonly in_background?: boolean;
}

/**
 * What happened to an environment in which a process did not start. Either it was moved aside, so that the next call
 * creates a new one, or it was kept. It is kept if another server uses it, if it works, or if this machine is currently
 * unable to start it.
 */
export type Discarded = "gone" | "in use" | Exclude<Health, "broken">;

/**
 * The private environment of the Python engines. It is created once, by the first server that needs it, and found by
 * its name from then on. The name is a hash of its contents, so a version of Verdict with other contents creates
 * another environment.
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

  /** Returns a CPython for Verdict's own code that needs no packages. Raises `engine_missing` and `cancelled`. */
  interpreter(deadline: Deadline): Promise<Interpreter | "expired"> {
    return deadline.within(this.#interpreter.get());
  }

  /**
   * Returns the environment, and creates it if it does not exist. A setup continues if this call times out or is
   * cancelled; other calls wait for the same setup and receive its progress. Raises `engine_missing`, `engine_failed`
   * and `cancelled`.
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

  /** Returns what is being installed, and the progress; undefined if no setup is running. */
  async installing(): Promise<(Pick<Packages, "purpose" | "download_mb"> & { readonly doing: string }) | undefined> {
    const doing = this.#news;
    return doing ? { ...(await this.#packages()), doing } : undefined;
  }

  /** Starts the setup without waiting for it; a failure is reported to the next call. */
  prepare(): void {
    void this.#environment.get();
  }

  /** Returns the environment if it exists; never creates one. */
  async installed(): Promise<Environment | undefined> {
    for (const name of await this.#names()) {
      const environment = await readEnvironment(join(environmentsDirectory(this.#services.config), name));
      if (environment) return environment;
    }
    return undefined;
  }

  /**
   * Reports that a process in the environment failed to start. The environment is then tested again. If it does not
   * work, for example because its base Python was removed, and no other server uses it, it is moved aside, and the next
   * call creates a new one.
   */
  async discard(): Promise<Discarded> {
    this.#environment.forget();
    this.#interpreter.forget();
    const environment = await this.installed();
    if (!environment) return "gone";
    const health = await this.#health(environment);
    if (health !== "broken") return health;
    if (await this.#leaseOn(environment).heldByOthers()) return "in use";
    // The environment is moved aside immediately; the next setup deletes it.
    await rename(environment.directory, stagingDirectory(this.#services.config)).catch((error: unknown) => {
      // Another server has already moved the environment aside.
      if (errorCode(error) !== "ENOENT") throw error;
    });
    return "gone";
  }

  /** Reports that the environment works for this server; from now on, no other server removes it. */
  async inUse(environment: Environment): Promise<void> {
    await this.#leaseOn(environment).take();
  }

  /** Reports which engines are available; installs nothing. */
  async probe(): Promise<EngineReport[]> {
    const environment = await this.installed();
    const { group } = this.#services;
    const packages = await this.#packages();
    const works = environment !== undefined && (await this.#health(environment)) === "good";
    const why = environment
      ? works
        ? "in Verdict's private Python environment"
        : "Verdict's private Python environment does not start; the next call recreates it if it is broken"
      : `Verdict's private Python environment${group === undefined ? "" : ` for ${packages.purpose}`} does not exist yet; ${packages.by_setup_only ? `only \`verdict setup ${group}\` creates it` : "the first call that needs it creates it"}`;
    const engine = (name: string, version: string | undefined): EngineReport => ({
      name,
      found: works,
      kind: works ? "python" : "none",
      version: (works && version) || null,
      why,
      how_to_get: `\`verdict setup${group === undefined ? "" : ` ${group}`}\` installs it in a private environment; needs CPython 3.10 to 3.14 and a network once`,
      isolation: "a separate process for each job",
    });
    return [
      ...(group === undefined ? [await this.#probeInterpreter(works ? environment : undefined)] : []),
      ...packages.engines.map((each) => {
        const report = engine(each.report, environment?.packages[each.id] ?? undefined);
        return each.optional && works && report.version === null ? notBuilt(report, each.optional) : report;
      }),
    ];
  }

  /** Ends a setup in this process; a setup in the background continues. */
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

  /**
   * The possible names of a suitable environment, in order of preference. To determine them, only a Python that the
   * user chose has to be started.
   */
  async #names(): Promise<string[]> {
    const requirements = await requirementsOf(this.#services.config, this.#services.group);
    return (await this.#minors()).map((minor) => nameOf(requirements, minor));
  }

  async #minors(): Promise<readonly string[]> {
    if (this.#services.config.python === undefined) return supported_minors;
    try {
      return [minorOf((await this.#interpreter.get()).version)];
    } catch (error) {
      // Any other fault means that the interpreter could not be queried at the moment.
      if (error instanceof Fault && error.code === "engine_missing") return [];
      throw error;
    }
  }

  async #findOrMake(): Promise<Environment> {
    try {
      return (await this.installed()) ?? (await this.#make());
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
    // A call that times out before the setup's first message also needs a message.
    this.#news = "looking for a Python to create it from";
    const base = await this.#interpreter.get();
    this.#news = "starting";
    const signal = this.#closing.signal;
    const tell = (message: string) => this.#tell(message);
    const existing = () => this.installed();
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
        ? "the one from which the private environment was created"
        : "found by VERDICT_PYTHON or on PATH";
      const known = [why, warningOf(version)].filter(Boolean).join("; ");
      return { ...common, found: true, kind: "python", version, why: known };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return { ...common, found: false, kind: "none", version: null, why: error.message };
    }
  }
}

/** Reports an engine that the environment does not contain. */
function notBuilt(report: EngineReport, { without, how_to_get }: NonNullable<EnginePackage["optional"]>): EngineReport {
  return { ...report, found: false, kind: "none", why: `it is not available for this machine: ${without}`, how_to_get };
}
