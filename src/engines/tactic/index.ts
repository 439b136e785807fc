import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../config.ts";
import { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import { isRunning } from "../../kernel/process/process_tree.ts";
import type { Engine, EngineReport } from "../engine.ts";
import { engine_limits } from "../limits.ts";
import { localAddress, servedBy } from "./address.ts";
import { type Exchange, Wire } from "./client.ts";
import { noModel } from "./daemon/model_slot.ts";
import { launch, type Presence } from "./launch.ts";
import { newerReply, toOlder } from "./older.ts";
import { isAlive, readBarePid, readNote } from "./pid_file.ts";
import { faultIn, Hello, plainDaemon, Status, sourceParams } from "./protocol.ts";
import { checkSettings, wrongSettings } from "./settings.ts";

/** The note shown if the daemon was started with other settings and can't be replaced. */
export const other_settings =
  "The running daemon was started with other settings than this server's (VERDICT_LEAN_MODEL and related variables), so it uses another model or other options.";

/** The program that listens on the daemon's port. */
export type Listener =
  | { readonly kind: "ours"; readonly hello: Hello }
  /** A daemon that supports the original protocol without Verdict's additions. */
  | { readonly kind: "plain" }
  | { readonly kind: "stranger" }
  | { readonly kind: "nobody"; readonly detail: string }
  /**
   * A daemon that did not answer the handshake in time (`silent`) or closed the connection (`mute`): it may be busy, or
   * not support the handshake.
   */
  | { readonly kind: "silent" }
  | { readonly kind: "mute" };

const own_user = process.getuid?.() ?? null;

/**
 * The rest of the program's interface to the tactic daemon: finds it, or starts it when it is first needed, and sends
 * requests to it.
 */
export class Tactics implements Engine {
  readonly name = "lean tactics";
  readonly #config: Config;
  readonly #wire: Wire;
  /** The daemon that answered last; it is forgotten if it fails to answer. */
  #listener: Listener | undefined;
  /** Whether a foreign daemon uses the older protocol; undefined until it has answered in one of the protocols. */
  #older: boolean | undefined;

  constructor(config: Config) {
    this.#config = config;
    this.#wire = new Wire(config.tactics);
  }

  get settings(): Config["tactics"] {
    return this.#config.tactics;
  }

  /**
   * Sends a request and returns the reply. The deadline covers everything: starting the daemon, loading the model, and
   * the work itself. Raises `daemon_down`, `timeout`, `cancelled`, and the daemon's own faults.
   */
  async ask(
    method: string,
    params: object,
    deadline: Deadline,
    progress: (message: string) => void = () => {},
  ): Promise<unknown> {
    const allowed_ms = deadline.left_ms;
    try {
      return this.#read(await this.#reply(method, params, deadline, progress), allowed_ms);
    } catch (error) {
      // If the time ran out before a daemon could answer, it is unknown whether there is one.
      if (deadline.is_over && error instanceof Fault && error.code === "daemon_down") throw clientTimeout(allowed_ms);
      throw error;
    }
  }

  async #reply(
    method: string,
    params: object,
    deadline: Deadline,
    progress: (message: string) => void,
  ): Promise<Exchange> {
    checkSettings(this.#config);
    if (!this.#listener) {
      progress("looking for the tactic daemon");
      this.#listener = await this.#present(deadline);
    }
    const foreign = this.#listener.kind === "plain" || this.#listener.kind === "mute";
    if (foreign && method !== "generate") throw plainDaemon(method);
    progress("the model is working");
    const untell = this.#tellLoading(progress, deadline.signal);
    const reply = await this.#send(method, params, deadline).finally(untell);
    if (reply.kind !== "refused") return reply;
    // A daemon that has ended since the last request is restarted once; interrupted work is not repeated.
    this.#listener = await this.#present(deadline);
    return this.#send(method, params, deadline);
  }

  /** Determines again which program listens. */
  async look(deadline: Deadline): Promise<Listener> {
    const reply = await this.#wire.exchange(
      { method: "hello", params: {} },
      deadline.atMost(engine_limits.tactic_handshake_ms_max),
      false,
    );
    if (reply.kind === "refused") return { kind: "nobody", detail: reply.detail };
    if (reply.kind === "expired") return reply.connected ? { kind: "silent" } : { kind: "nobody", detail: "no answer" };
    if (reply.kind === "lost") return { kind: "mute" };
    const hello = reply.kind === "reply" ? Hello.safeParse(reply.value) : undefined;
    // The daemon may belong to another user of this machine, who must not receive this user's states.
    if (hello?.success)
      return hello.data.user === own_user ? { kind: "ours", hello: hello.data } : { kind: "stranger" };
    const speaks =
      reply.kind === "reply" && (faultIn(reply.value) || isSuccess(reply.value) || newerReply(reply.value));
    return { kind: speaks ? "plain" : "stranger" };
  }

  /**
   * Starts a daemon if none is listening, or if the only one is unused, has other settings, and was started by a
   * server. Returns the program that then listens. Raises `daemon_down`, `engine_missing`, `cancelled`.
   */
  async start(deadline: Deadline, automatic = false): Promise<Listener | "expired"> {
    const { tactics } = this.#config;
    checkSettings(this.#config);
    if (tactics.model === undefined) throw noModel();
    localAddress(tactics.host);
    const look = async (left: Deadline): Promise<Presence> => {
      const listener = await this.look(left);
      if (listener.kind === "ours") return (await this.#isSuperseded(listener.hello, left)) ? "superseded" : "ours";
      return listener.kind === "nobody" ? "nobody" : "other";
    };
    const launched = await launch(this.#config, { look, end: (left) => this.stop(left), automatic }, deadline);
    return launched ?? this.look(deadline);
  }

  /**
   * Ends this user's daemon, by force if it does not exit on request. Returns whether there was one. Raises
   * `daemon_down` if another program listens: it could report the pid of any of the user's processes, so only the
   * process in the pid file is ended.
   */
  async stop(deadline: Deadline): Promise<boolean> {
    this.#listener = undefined;
    const listener = await this.look(deadline);
    const note = await readNote(this.#config.data_directory);
    const is_noted =
      note !== undefined && (isAlive(note) || (listener.kind === "ours" && listener.hello.pid === note.pid));
    if (!is_noted) {
      if (listener.kind === "nobody") return false;
      if (listener.kind === "ours") throw notNoted(listener.hello.pid);
      throw stranger(this.#config.tactics.port);
    }
    const { pid } = note;
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (isRunning(pid)) process.kill(pid, signal);
      const ending = new Deadline(engine_limits.tactic_stop_ms_max);
      while (isRunning(pid) && !ending.is_over) await sleep(limits.lock_poll_ms);
    }
    return true;
  }

  /** The daemon's status; undefined if it does not answer. */
  async status(deadline: Deadline): Promise<Status | undefined> {
    const reply = await this.#wire.exchange(
      { method: "status", params: {} },
      deadline.atMost(engine_limits.tactic_handshake_ms_max),
      true,
    );
    const status = reply.kind === "reply" ? Status.safeParse(reply.value) : undefined;
    return status?.data;
  }

  /** Whether a daemon has the settings of this configuration. */
  servesOurs({ serves }: Hello): boolean {
    return this.#config.tactics.model === undefined || serves === servedBy(this.#config);
  }

  /** A note that the daemon that answered last has other settings than this server; undefined if it does not. */
  get note(): string | undefined {
    const listener = this.#listener;
    return listener?.kind === "ours" && !this.servesOurs(listener.hello) ? other_settings : undefined;
  }

  /** Sentences about the errors in the settings. */
  get wrong_settings(): readonly string[] {
    return wrongSettings(this.#config);
  }

  /** Returns the pid of a daemon that does not report it, from the pid file used by the original scripts. */
  async notedPid(): Promise<number | null> {
    const { pid_file } = this.#config.tactics;
    return pid_file === undefined ? null : readBarePid(pid_file);
  }

  async probe(): Promise<readonly EngineReport[]> {
    const deadline = new Deadline(engine_limits.tactic_handshake_ms_max);
    const { model, port } = this.#config.tactics;
    const listener = await this.look(deadline);
    const is_running = listener.kind === "ours" || listener.kind === "plain";
    const running = is_running ? `a daemon listens on port ${port}` : `no daemon listens on port ${port}`;
    const [wrong] = this.wrong_settings;
    const named =
      wrong ?? (model === undefined ? "no model is named" : "a model is named, and the first call starts the daemon");
    return [
      {
        name: this.name,
        found: is_running || model !== undefined,
        kind: is_running || model !== undefined ? "native" : "none",
        version: listener.kind === "ours" ? listener.hello.version : null,
        why: is_running ? running : `${running}; ${named}`,
        how_to_get:
          "Set VERDICT_LEAN_MODEL to a GGUF file (BFS-Prover-V2-7B: about 5 GB in Q4_K_M), or to ollama:NAME or openai:NAME for a server, and offer the tools with --tools lean.",
        isolation: "a separate daemon on this machine, shared by all of the user's servers; it does not run Lean",
      },
    ];
  }

  /** Closes only the connection: the daemon is shared by all of the user's servers and outlives them. */
  close(): void {
    this.#wire.close();
  }

  async #present(deadline: Deadline): Promise<Listener> {
    const listener = await this.look(deadline);
    const superseded = listener.kind === "ours" && (await this.#isSuperseded(listener.hello, deadline));
    const usable =
      listener.kind === "nobody"
        ? await this.#startFor(deadline, listener.detail)
        : superseded
          ? await this.start(deadline, true)
          : listener;
    if (usable === "expired") throw clientTimeout(this.#config.tactics.timeout_ms);
    switch (usable.kind) {
      case "ours":
      case "plain":
      case "silent":
      case "mute":
        // Daemons without a handshake receive the request anyway; their reply identifies them.
        return usable;
      case "stranger":
        throw stranger(this.#config.tactics.port);
      case "nobody":
        throw down(usable.detail);
      default:
        return usable satisfies never;
    }
  }

  async #startFor(deadline: Deadline, detail: string): Promise<Listener | "expired"> {
    const { host, model } = this.#config.tactics;
    if (model === undefined || !isLocal(host)) throw down(detail, model === undefined);
    return this.start(deadline, true);
  }

  /**
   * Whether a daemon has other settings and can be replaced: a server started it, its pid is in the pid file, and it
   * has failed or has no other clients. Without these conditions, servers with different settings would keep ending
   * each other's daemons.
   */
  async #isSuperseded(hello: Hello, deadline: Deadline): Promise<boolean> {
    const { data_directory, tactics } = this.#config;
    if (this.servesOurs(hello) || !hello.automatic || !isLocal(tactics.host)) return false;
    const note = await readNote(data_directory);
    if (note?.pid !== hello.pid) return false;
    for (let look = 0; look < engine_limits.tactic_alone_looks; look++) {
      const status = await this.status(deadline);
      if (!status) return false;
      if (status.state === "failed") return true;
      // One connection is this server's own; the handshake's connection can take a moment to close.
      const { running, waiting } = status.queue;
      if (status.connections <= 1 && running + waiting === 0) return true;
      await sleep(limits.lock_poll_ms);
    }
    return false;
  }

  async #send(method: string, params: object, deadline: Deadline): Promise<Exchange> {
    const { tactic_last_word_ms, tactic_last_word_share } = engine_limits;
    const { left_ms } = deadline;
    const timeout_ms = Math.max(1, left_ms - Math.min(tactic_last_word_ms, left_ms * tactic_last_word_share));
    const kind = this.#listener?.kind;
    // A silent daemon may be Verdict's own but busy; other daemons without a handshake are foreign.
    if (kind === "plain" || kind === "mute") return this.#sendForeign(sourceParams(params), deadline);
    const reply = await this.#wire.exchange({ method, params: { ...params, timeout_ms } }, deadline, kind === "ours");
    const is_older = kind === "silent" && method === "generate" && asOlder(reply) !== undefined;
    return is_older ? this.#sendForeign(sourceParams(params), deadline, reply) : reply;
  }

  /**
   * Sends a request to a foreign daemon in the original protocol. If that fails, sends it in the older protocol, since
   * the daemon may support only one of them.
   */
  async #sendForeign(params: Record<string, unknown>, deadline: Deadline, before?: Exchange): Promise<Exchange> {
    const request = { method: "generate", params };
    const first = this.#older ? undefined : (before ?? (await this.#wire.exchange(request, deadline, false)));
    const success = first?.kind === "reply" && isSuccess(first.value);
    if (first && (success || this.#older === false || first.kind === "expired" || first.kind === "refused")) {
      if (success) this.#older = false;
      return first;
    }
    const second = await this.#wire.exchange(toOlder(params), deadline, false);
    const newer = asOlder(second);
    const answered = newer !== undefined && isSuccess(newer);
    if (answered) this.#older = true;
    if (newer !== undefined && (answered || first === undefined || asOlder(first) !== undefined))
      return { kind: "reply", value: newer };
    return first ?? second;
  }

  /**
   * Reports the loading progress to a call that is waiting for the model; returns a function that stops the reports.
   */
  #tellLoading(progress: (message: string) => void, signal: AbortSignal): () => void {
    if (this.#listener?.kind !== "ours") return () => {};
    const look = setInterval(async () => {
      const known = await this.status(new Deadline(engine_limits.tactic_handshake_ms_max, signal)).catch(
        () => undefined,
      );
      if (known?.state === "installing") progress("llama.cpp is being installed, once");
      if (known?.state === "loading") progress(`the model is being loaded, ${known.load_percent ?? 0} %`);
      if (known?.state === "ready") progress("the model is working");
    }, engine_limits.tactic_look_ms);
    return () => clearInterval(look);
  }

  /** Adds the note about other settings to a fault, since these settings may have caused it. */
  #withNote(fault: Fault): Fault {
    if (this.note === undefined) return fault;
    const { code, message, steps, position, details } = fault;
    const step = "ask the user to run `verdict daemon restart`: the daemon then has this server's settings";
    return new Fault(code, `${message} ${this.note}`, [step, ...steps], position, details);
  }

  #read(reply: Exchange, allowed_ms: number): unknown {
    const kind = this.#listener?.kind;
    if (reply.kind !== "reply" || (kind !== "ours" && kind !== "plain")) this.#listener = undefined;
    switch (reply.kind) {
      case "reply": {
        const fault = faultIn(reply.value);
        if (fault) throw this.#withNote(fault);
        return reply.value;
      }
      case "expired":
        throw clientTimeout(allowed_ms);
      case "refused":
        throw down(reply.detail);
      case "lost":
        if (kind === "mute") throw stranger(this.#config.tactics.port);
        throw new Fault("daemon_down", `The daemon exited in the middle of the request (${reply.detail}).`, [
          "call again: the daemon is then restarted",
          "if it exits again, ask the user to check lean/daemon.log in Verdict's data directory: the model might be too large for this machine",
        ]);
      case "unreadable":
        throw stranger(this.#config.tactics.port);
      default:
        return reply satisfies never;
    }
  }
}

function isLocal(host: string): boolean {
  try {
    localAddress(host);
    return true;
  } catch {
    return false;
  }
}

/** Converts a reply in the older protocol to the original one. */
function asOlder(reply: Exchange): object | undefined {
  return reply.kind === "reply" ? newerReply(reply.value) : undefined;
}

function isSuccess(value: unknown): boolean {
  return typeof value === "object" && value !== null && "status" in value && value.status === "success";
}

/** The fault if nothing listens and this server can't start a daemon. */
function down(detail: string, without_model = false): Fault {
  const how = without_model ? noModel().steps : [];
  return new Fault("daemon_down", `BFS-Prover daemon not running (${detail}).`, [
    "Run 'verdict daemon start' to start the daemon",
    ...how,
    "check TACTIC_SERVER_HOST and TACTIC_SERVER_PORT if it runs elsewhere",
  ]);
}

function stranger(port: number): Fault {
  return new Fault(
    "daemon_down",
    `Another program listens on port ${port}: it does not answer like one of this user's tactic daemons.`,
    [
      "ask the user to set TACTIC_SERVER_PORT to a free port, for the daemon and for all its clients",
      "or to stop that program, and then to run `verdict daemon start`",
    ],
  );
}

function notNoted(pid: number): Fault {
  return new Fault(
    "daemon_down",
    `The daemon on this port reports process ${pid}, which is not in Verdict's records: Verdict did not start it.`,
    [
      "set VERDICT_DATA to the value that it had when the daemon was started, and stop the daemon again",
      `or stop process ${pid} by hand, if it is a Verdict daemon`,
    ],
  );
}

function clientTimeout(ms: number): Fault {
  return new Fault("timeout", `Daemon request timeout after ${Math.round(ms / 1000)}s.`, [
    "Daemon may be overloaded. Try 'verdict daemon restart'",
    "ask for fewer suggestions or a smaller max_tokens",
    "the user can raise TACTIC_SERVER_TIMEOUT (seconds)",
  ]);
}
