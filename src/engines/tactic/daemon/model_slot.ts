import { Deadline } from "../../../kernel/deadline.ts";
import { Fault } from "../../../kernel/fault.ts";
import type { ProcessServices } from "../../engine.ts";
import { engine_limits } from "../../limits.ts";
import type { Backend } from "../backend.ts";
import { hasLlama, llamaDirectory } from "../llama/install.ts";
import { versionOf } from "../llama/model_file.ts";
import type { ModelInfo } from "../protocol.ts";
import { openRemote } from "../remote/index.ts";

/** Ollama's default address. */
const ollama_url = "http://127.0.0.1:11434";

export type SlotState = "installing" | "loading" | "ready" | "unloaded" | "failed";

/** A model that is being loaded or has been loaded. */
interface Load {
  readonly version: string;
  readonly backend: Promise<Backend>;
}

/**
 * Holds the daemon's only model: loads it when it is first needed, reports the progress, reloads it if its file has
 * changed, and unloads it if it is not used.
 */
export class ModelSlot {
  readonly #services: ProcessServices;
  readonly #closing = new AbortController();
  #load: Load | undefined;
  /** Resolves once all unloaded models have left memory, which may not have room for two models. */
  #unloading: Promise<unknown> = Promise.resolve();
  #state: SlotState = "unloaded";
  #percent: number | null = null;
  #error: string | null = null;
  #model: ModelInfo | null = null;
  #idle: NodeJS.Timeout | undefined;
  #users = 0;

  constructor(services: ProcessServices) {
    this.#services = services;
  }

  get state(): SlotState {
    return this.#state;
  }

  /** The percentage of the model that has been loaded; null unless it is being loaded. */
  get percent(): number | null {
    return this.#state === "loading" ? this.#percent : null;
  }

  /** The reason why the model could not be loaded the last time. */
  get error(): string | null {
    return this.#error;
  }

  /** The model that was loaded last. */
  get model(): ModelInfo | null {
    return this.#model;
  }

  /** Starts loading; a failure is reported to the next request. */
  prepare(): void {
    this.#current().then(
      () => this.#rest(),
      () => {},
    );
  }

  /**
   * Runs a task that uses the model. Returns "expired" if the model was not loaded in time. Raises `engine_missing`,
   * `engine_failed`, `cancelled`, and any error from the work.
   */
  async use<Result>(deadline: Deadline, work: (backend: Backend) => Promise<Result>): Promise<Result | "expired"> {
    clearTimeout(this.#idle);
    this.#users++;
    try {
      const backend = await deadline.within(this.#current());
      return backend === "expired" ? backend : await work(backend);
    } finally {
      this.#users--;
      this.#rest();
    }
  }

  /**
   * A fingerprint that distinguishes this model's answers from those of other models; undefined unless the model is
   * loaded. Raises the same faults as `use`.
   */
  fingerprint(): string | undefined {
    const load = this.#load;
    if (!load || this.#state !== "ready" || load.version !== this.#version()) return undefined;
    return this.#model?.fingerprint;
  }

  /** Unloads the model, which returns its memory to the system. */
  async unload(): Promise<void> {
    const load = this.#load;
    this.#load = undefined;
    if (this.#state === "ready") this.#state = "unloaded";
    const closed = load?.backend.then((backend) => backend.close()).catch(() => {});
    this.#unloading = Promise.all([this.#unloading, closed]);
    await this.#unloading;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#idle);
    await this.unload();
  }

  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#users > 0 || this.#closing.signal.aborted) return;
    this.#idle = setTimeout(() => void this.unload(), this.#services.config.tactics.idle_ms);
    this.#idle.unref();
  }

  /** Returns the model from the current state of its file. */
  async #current(): Promise<Backend> {
    const version = this.#seenVersion();
    if (this.#load && this.#load.version !== version) void this.unload();
    this.#load ??= { version, backend: this.#open() };
    const load = this.#load;
    try {
      return await load.backend;
    } catch (error) {
      // The next request tries again, since the problem may have been solved by then.
      if (this.#load === load) this.#load = undefined;
      throw error;
    }
  }

  /** The model's version: for a file, its size and date; a remote model's version is unknown. */
  #version(): string {
    const { model } = this.#services.config.tactics;
    return model === undefined || isRemote(model) ? "" : versionOf(model);
  }

  #seenVersion(): string {
    try {
      return this.#version();
    } catch (error) {
      return this.#failed(error);
    }
  }

  async #open(): Promise<Backend> {
    this.#error = null;
    this.#percent = 0;
    this.#state = "loading";
    try {
      await this.#unloading;
      const backend = await this.#openBackend();
      this.#model = backend.model;
      this.#state = "ready";
      return backend;
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** Records the reason why there is no model, for `status`. */
  #failed(error: unknown): never {
    this.#state = "failed";
    this.#error = error instanceof Fault ? error.message : "the model could not be loaded";
    if (!(error instanceof Fault)) console.error(error);
    throw error;
  }

  async #openBackend(): Promise<Backend> {
    const { config } = this.#services;
    const { model, url, key } = config.tactics;
    if (model === undefined) throw noModel();
    if (isRemote(model)) {
      const address = url ?? (model.startsWith("ollama:") ? ollama_url : undefined);
      if (address === undefined) throw noUrl();
      const deadline = new Deadline(engine_limits.tactic_greeting_ms_max, this.#closing.signal);
      return openRemote(model, { url: address, key }, config.tactics, deadline);
    }
    return this.#openFile(model);
  }

  async #openFile(path: string): Promise<Backend> {
    const { config } = this.#services;
    if (!(await hasLlama(config))) this.#state = "installing";
    const directory = await llamaDirectory(
      this.#services,
      new Deadline(engine_limits.tactic_install_ms_max, this.#closing.signal),
    );
    this.#state = "loading";
    const { openLlama } = await import("../llama/index.ts");
    const { tactics, scratch_directory } = config;
    const deadline = new Deadline(engine_limits.tactic_load_ms_max, this.#closing.signal);
    const progress = (share: number) => {
      this.#percent = Math.round(share * 100);
    };
    return deadline.signalling((signal) =>
      openLlama({ path, directory, tactics, scratch_directory }, progress, signal),
    );
  }
}

function isRemote(model: string): boolean {
  return /^(openai|ollama):/.test(model);
}

/** The fault if no model is configured; it says which models exist, how large they are, and where to configure one. */
export function noModel(): Fault {
  return new Fault("engine_missing", "No tactic model is configured, and Verdict does not include one.", [
    "ask the user to download a GGUF file of BFS-Prover-V2-7B (about 4.7 GB in Q4_K_M, 8.1 GB in Q8_0) and to set VERDICT_LEAN_MODEL to its path",
    "or to run `ollama pull zeyu-zheng/BFS-Prover-V2-7B:q8_0` and set VERDICT_LEAN_MODEL=ollama:zeyu-zheng/BFS-Prover-V2-7B:q8_0",
    "meanwhile, try simp, omega, linarith, exact? and aesop in Lean",
  ]);
}

function noUrl(): Fault {
  return new Fault("engine_missing", "VERDICT_LEAN_MODEL names a model on a server, but VERDICT_LEAN_URL is not set.", [
    "ask the user to set VERDICT_LEAN_URL, for example to http://127.0.0.1:8000/v1",
    "then to run `verdict daemon restart`",
  ]);
}
