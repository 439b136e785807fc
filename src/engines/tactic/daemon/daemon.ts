import { join } from "node:path";
import type { Config } from "../../../config.ts";
import { Deadline } from "../../../kernel/deadline.ts";
import { Fault } from "../../../kernel/fault.ts";
import { errorCode } from "../../../kernel/files/errno.ts";
import { makeDirectory } from "../../../kernel/files/make_directory.ts";
import { Children } from "../../../kernel/process/child.ts";
import { startTicks } from "../../../kernel/process/process_tree.ts";
import { Slots } from "../../../kernel/process/slots.ts";
import { version } from "../../../version.ts";
import { engine_limits } from "../../limits.ts";
import { localAddress, servedBy } from "../address.ts";
import type { Backend } from "../backend.ts";
import { daemonDirectory, removeBarePid, removeOwnNote, writeBarePid, writeNote } from "../pid_file.ts";
import { promptFor } from "../prompt.ts";
import {
  BatchParams,
  EvaluateParams,
  failure,
  GenerateParams,
  type Hello,
  type ModelInfo,
  type Request,
  readParams,
  type Status,
  service_name,
} from "../protocol.ts";
import { checkSettings } from "../settings.ts";
import { normalState } from "../state.ts";
import { rounded, type Suggested, suggest } from "../suggest.ts";
import { Cache } from "./cache.ts";
import { type Measured, Metrics } from "./metrics.ts";
import { ModelSlot } from "./model_slot.ts";
import { TacticServer } from "./server.ts";

const answer_bounds = {
  entries_max: engine_limits.tactic_answers_kept_max,
  chars_max: engine_limits.tactic_answers_chars_max,
};

/**
 * The tactic daemon: one model that all of a user's servers share, with a queue for requests and a cache for answers.
 */
export class TacticDaemon {
  readonly #config: Config;
  readonly #children: Children;
  readonly #slot: ModelSlot;
  readonly #metrics: Metrics;
  readonly #queue = new Slots(1, engine_limits.tactic_waiting_max, tooBusy);
  readonly #suggested = new Cache<Suggested>(answer_bounds);
  readonly #scored = new Cache<Evaluation>(answer_bounds);
  readonly #started = new Date();
  readonly #server: TacticServer;
  readonly #onLeave: () => void;
  readonly #automatic: boolean;
  #running = 0;
  #waiting = 0;
  #leaving: NodeJS.Timeout | undefined;
  #noted: () => void = () => {};
  /**
   * Requests are answered only after the pid file has been written: a client that knows the daemon is running may read
   * the file immediately.
   */
  readonly #ready = new Promise<void>((resolve) => {
    this.#noted = resolve;
  });

  /** `onLeave` is called after hours without a request; `automatic` if a server started the daemon. */
  constructor(config: Config, onLeave: () => void, automatic = false) {
    this.#automatic = automatic;
    this.#config = config;
    this.#onLeave = onLeave;
    this.#children = new Children(config.child_environment, config.child_directory);
    this.#slot = new ModelSlot({ config, children: this.#children });
    this.#metrics = new Metrics(join(daemonDirectory(config.data_directory), "metrics.jsonl"));
    this.#server = new TacticServer((request, signal) => this.#handle(request, signal));
  }

  /**
   * Listens, writes the pid file, and starts to load the model. Raises `busy` if the port is in use. If the pid file
   * can't be written, stops listening and raises `engine_failed`.
   */
  async start(): Promise<{ readonly host: string; readonly port: number }> {
    const { data_directory, tactics } = this.#config;
    checkSettings(this.#config);
    const host = localAddress(tactics.host);
    await makeDirectory(daemonDirectory(data_directory)).catch(unwritable);
    const port = await this.#server.listen(host, tactics.port).catch((error: unknown) => {
      throw errorCode(error) === "EADDRINUSE" ? portTaken(tactics.port) : error;
    });
    await writeNote(data_directory, {
      pid: process.pid,
      host,
      port,
      started_at: this.#started.toISOString(),
      start_ticks: startTicks(process.pid) ?? null,
    }).catch(async (error: unknown) => {
      // A daemon that can't be found again would hold the port forever.
      await this.close();
      return unwritable(error);
    });
    if (tactics.pid_file !== undefined)
      await writeBarePid(tactics.pid_file).catch(async (error: unknown) => {
        await this.close();
        throw error;
      });
    this.#noted();
    this.#slot.prepare();
    this.#stay();
    return { host, port };
  }

  /** Ends running work; anything that can no longer be awaited is left to the system. */
  async close(): Promise<void> {
    clearTimeout(this.#leaving);
    const { data_directory, tactics } = this.#config;
    removeOwnNote(data_directory);
    if (tactics.pid_file !== undefined) removeBarePid(tactics.pid_file);
    this.#server.close();
    this.#children.stopAll();
    await this.#metrics.write();
    await this.#slot.close();
  }

  async #handle({ method, params }: Request, signal: AbortSignal): Promise<object> {
    await this.#ready;
    this.#stay();
    switch (method) {
      case "hello":
        return this.#hello();
      case "status":
        return this.#status();
      case "generate":
        return this.#generate(readParams(GenerateParams, params), signal);
      case "generate_batch":
        return this.#batch(params, signal);
      case "evaluate":
        return this.#evaluate(readParams(EvaluateParams, params), signal);
      default:
        throw new Fault("invalid_input", `There is no method ${JSON.stringify(method).slice(0, 100)}.`, [
          "use generate, generate_batch, evaluate, status or hello",
        ]);
    }
  }

  #hello(): Hello & { status: "success" } {
    return {
      service: service_name,
      version,
      pid: process.pid,
      user: process.getuid?.() ?? null,
      started_at: this.#started.toISOString(),
      serves: servedBy(this.#config),
      automatic: this.#automatic,
      status: "success",
    };
  }

  #status(): Status {
    const { state, percent, error, model } = this.#slot;
    const [suggested, scored] = [this.#suggested.counts, this.#scored.counts];
    return {
      pid: process.pid,
      uptime_seconds: Math.round((Date.now() - this.#started.getTime()) / 1000),
      model_loaded: state === "ready",
      state,
      load_percent: percent,
      model_error: error,
      model,
      queue: { running: this.#running, waiting: this.#waiting },
      connections: this.#server.connections,
      requests: this.#metrics.requests,
      cache: {
        entries: suggested.entries + scored.entries,
        hits: suggested.hits + scored.hits,
        misses: suggested.misses + scored.misses,
      },
      latency_ms: this.#metrics.percentiles,
      memory_bytes: process.memoryUsage().rss,
      status: "success",
    };
  }

  async #generate(params: GenerateParams, signal: AbortSignal): Promise<object> {
    const start = performance.now();
    const deadline = new Deadline(params.timeout_ms, signal);
    const profile = params.prompt ?? this.#config.tactics.prompt;
    const { timeout_ms: _, proof_state, goals, ...drawing } = params;
    const state = normalState(proof_state, goals);
    const prompt = promptFor(state, profile);
    const key = JSON.stringify([state, profile, drawing]);
    return this.#measured("generate", start, async () => {
      const { value, model, cached } = await this.#answer(this.#suggested, key, params, deadline, async (backend) => {
        const answer = await suggest(backend, prompt, drawing, deadline);
        if (answer.timed_out && answer.suggestions.length === 0) throw this.#tooSlow(params.timeout_ms);
        return { value: answer, keep: !answer.timed_out };
      });
      const { suggestions, dropped, timed_out } = value;
      const tactics = suggestions.map(({ tactic }) => tactic);
      return { tactics, ...timing(start), status: "success", suggestions, dropped, cached, timed_out, model };
    });
  }

  /** Processes one state after another, so that each one can use the time left by the previous ones. */
  async #batch(params: object, signal: AbortSignal): Promise<object> {
    const start = performance.now();
    const { proof_states, timeout_ms, ...drawing } = readParams(BatchParams, params);
    const deadline = new Deadline(timeout_ms, signal);
    const results: object[] = [];
    for (const proof_state of proof_states) {
      const request = { ...drawing, proof_state, timeout_ms: Math.max(1, deadline.left_ms) };
      const result = await this.#generate(request, signal).catch((thrown: unknown) => {
        if (signal.aborted) throw thrown;
        return failure(thrown);
      });
      results.push(result);
    }
    return { results, ...timing(start), status: "success" };
  }

  async #evaluate(params: EvaluateParams, signal: AbortSignal): Promise<object> {
    const start = performance.now();
    const deadline = new Deadline(params.timeout_ms, signal);
    const profile = params.prompt ?? this.#config.tactics.prompt;
    const state = normalState(params.proof_state, params.goals);
    const prompt = promptFor(state, profile);
    const tactics = [...new Set([params.tactic, ...params.rivals].map((tactic) => tactic.trim()))];
    return this.#measured("evaluate", start, async () => {
      const key = JSON.stringify([state, profile, tactics]);
      const { value, model, cached } = await this.#answer(this.#scored, key, params, deadline, async (backend) => {
        const scores = await backend.score(prompt, tactics, deadline);
        if (scores === "expired") throw this.#tooSlow(params.timeout_ms);
        if (scores === null) throw noScores(backend);
        const list = scores.map(({ logprob, tokens }, i) => ({
          tactic: tactics[i] ?? "",
          logprob: rounded(logprob),
          tokens,
        }));
        return { value: { scores: list }, keep: true };
      });
      return { ...value, ...timing(start), status: "success", cached, model };
    });
  }

  /** Returns an answer from the cache, or computes it when it is this request's turn. */
  async #answer<Value>(
    cache: Cache<Value>,
    key: string,
    { timeout_ms }: Pick<GenerateParams, "timeout_ms">,
    deadline: Deadline,
    make: (backend: Backend) => Promise<{ readonly value: Value; readonly keep: boolean }>,
  ): Promise<{ readonly value: Value; readonly model: ModelInfo | null; readonly cached: boolean }> {
    const known = this.#slot.fingerprint();
    const value = known === undefined ? undefined : cache.get(`${known} ${key}`);
    if (value !== undefined) return { value, model: this.#slot.model, cached: true };
    const release = await this.#turn(deadline);
    if (release === "expired") throw this.#tooSlow(timeout_ms);
    try {
      const outcome = await this.#slot.use(deadline, async (backend) => {
        const { value, keep } = await make(backend);
        if (keep) cache.set(`${backend.model.fingerprint} ${key}`, value);
        return { value, model: backend.model, cached: false };
      });
      if (outcome === "expired") throw this.#tooSlow(timeout_ms);
      return outcome;
    } finally {
      this.#running--;
      release();
    }
  }

  async #turn(deadline: Deadline): Promise<(() => void) | "expired"> {
    this.#waiting++;
    const release = await this.#queue.take(deadline).finally(() => this.#waiting--);
    if (release !== "expired") this.#running++;
    return release;
  }

  async #measured<Reply extends Reported>(method: string, start: number, work: () => Promise<Reply>): Promise<Reply> {
    const note = (ended: Measured["ended"], tactics = 0) => {
      const fingerprint = this.#slot.model?.fingerprint ?? null;
      this.#metrics.note({ method, ms: performance.now() - start, ended, tactics, fingerprint });
    };
    try {
      const reply = await work();
      note(reply.cached ? "cached" : reply.timed_out ? "timed_out" : "answered", reply.tactics?.length);
      return reply;
    } catch (error) {
      note(error instanceof Fault && error.code === "timeout" ? "timed_out" : "fault");
      throw error;
    }
  }

  #tooSlow(timeout_ms: number): Fault {
    const { state, percent } = this.#slot;
    const doing = {
      installing: "llama.cpp is still being installed, once",
      loading: `the model is still loading (${percent ?? 0} %)`,
    };
    const is_ready = state !== "installing" && state !== "loading";
    const why = is_ready ? "the model did not finish in time" : doing[state];
    return new Fault("timeout", `Daemon request timeout after ${Math.round(timeout_ms / 100) / 10}s: ${why}.`, [
      is_ready
        ? "Daemon may be overloaded: ask for fewer suggestions or a smaller max_tokens, or try `verdict daemon restart`"
        : "call bfs_daemon_status until model_loaded is true, then call again",
      "the user can raise TACTIC_SERVER_TIMEOUT (seconds)",
    ]);
  }

  /** Restarts the timer after which an unused daemon exits. */
  #stay(): void {
    clearTimeout(this.#leaving);
    this.#leaving = setTimeout(this.#onLeave, engine_limits.tactic_leave_ms_max);
    this.#leaving.unref();
  }
}

interface Evaluation {
  readonly scores: readonly { readonly tactic: string; readonly logprob: number; readonly tokens: number }[];
}

interface Reported {
  readonly cached: boolean;
  readonly timed_out?: boolean;
  readonly tactics?: readonly string[];
}

const timing = (start: number) => ({ time: Math.round((performance.now() - start) * 10) / 10_000 });

function portTaken(port: number): Fault {
  return new Fault("busy", `Port ${port} is taken.`, [
    "run `verdict daemon status`: a daemon might already be running",
    "or set TACTIC_SERVER_PORT to another port, for the daemon and for all its clients",
  ]);
}

function unwritable(error: unknown): never {
  throw new Fault("engine_failed", `The daemon can't write its files (${errorCode(error) ?? "unknown error"}).`, [
    "ask the user to check the permissions and free space of `lean` in Verdict's data directory",
    "or to set VERDICT_DATA to another directory",
  ]);
}

function tooBusy(waiting: number): Fault {
  return new Fault("busy", `${waiting} requests are already waiting for the model; this one was rejected.`, [
    "wait until some of them are answered, then send it again",
    "ask for fewer suggestions at a time",
  ]);
}

function noScores(backend: Backend): Fault {
  return new Fault("engine_missing", `${backend.model.backend} does not report the log-probability of a tactic.`, [
    "the user can run the model as a GGUF file in the daemon: VERDICT_LEAN_MODEL=/path/model.gguf",
    "or try the tactic in Lean: the result is worth more than any score",
  ]);
}
