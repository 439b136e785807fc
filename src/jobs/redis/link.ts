import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { Fault } from "../../kernel/fault.ts";
import type { RedisAddress } from "./address.ts";
import { redis_limits } from "./limits.ts";
import { type ScriptName, scripts } from "./scripts.ts";

/** How commands behave while Redis is unreachable: they fail at once or wait. */
export type Patience = "fails" | "waits";

const patience = {
  fails: { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: redis_limits.command_ms_max },
  waits: { maxRetriesPerRequest: null },
} as const;

/** One connection to Redis, which reconnects when it breaks. */
export class Link {
  readonly client: Redis;
  #reported: string | undefined;

  constructor({ url }: RedisAddress, wanted: Patience) {
    const options = {
      ...patience[wanted],
      connectTimeout: redis_limits.connect_ms_max,
      retryStrategy: (tries: number) => Math.min(50 * 2 ** Math.min(tries, 10), redis_limits.retry_ms_max),
    };
    this.client = new Redis(url, options);
    this.client.on("error", (error: unknown) => this.#report(codeOf(error)));
    this.client.on("ready", () => this.#report(undefined));
  }

  /** Calls `work` now if connected, and again after each reconnection. */
  onReady(work: () => void): void {
    this.client.on("ready", work);
    if (this.is_ready) work();
  }

  get is_ready(): boolean {
    return this.client.status === "ready";
  }

  /** Waits for the connection for at most this time. Returns whether it is connected. */
  async ready(ms: number): Promise<boolean> {
    const end = performance.now() + ms;
    while (!this.is_ready && performance.now() < end) await sleep(10);
    return this.is_ready;
  }

  /** Runs a script that returns a number. Raises `busy` if Redis is unreachable. */
  async run(name: ScriptName, keys: readonly string[], values: readonly (string | number)[]): Promise<number> {
    const { lua, sha } = prepare(name);
    const all = [...keys, ...values];
    const reply = await this.ask((client) =>
      client.evalsha(sha, keys.length, ...all).catch((error: unknown) => {
        if (codeOf(error) !== "NOSCRIPT") throw error;
        return client.eval(lua, keys.length, ...all);
      }),
    );
    return Number(reply);
  }

  /**
   * Queries Redis. Raises `busy` if Redis is unreachable. Redis's own message is not passed on, because it could reveal
   * the question.
   */
  async ask<Result>(work: (client: Redis) => Promise<Result>): Promise<Result> {
    try {
      return await work(this.client);
    } catch (error) {
      throw new RedisAway(codeOf(error));
    }
  }

  close(): void {
    this.client.disconnect();
  }

  /** Logs each error once, by its code. The message of an error may contain the address. */
  #report(code: string | undefined): void {
    if (code === this.#reported) return;
    if (code !== undefined) console.error(`Redis can't be reached (${code}); the connection is retried.`);
    else if (this.#reported !== undefined) console.error("Redis is back.");
    this.#reported = code;
  }
}

const hashes = new Map<ScriptName, string>();

function prepare(name: ScriptName): { readonly lua: string; readonly sha: string } {
  const lua = scripts[name];
  const sha = hashes.get(name) ?? createHash("sha1").update(lua).digest("hex");
  hashes.set(name, sha);
  return { lua, sha };
}

/** Returns a function that logs each different error of a component once, by its code. */
export function reportOnce(what: string): (error: unknown) => void {
  const reported = new Set<string>();
  return (error) => {
    const code = codeOf(error);
    if (reported.has(code) || reported.size > 20) return;
    reported.add(code);
    console.error(`${what} has trouble with Redis (${code}).`);
  };
}

/** The fault that is raised when a result needs Redis and Redis is unreachable. */
export class RedisAway extends Fault {
  constructor(code: string) {
    super("busy", `Redis, which stores jobs, can't be used now (${code}). No job is lost.`, [
      "send the call again in a moment",
      "if this continues, the administrator should check Redis and VERDICT_REDIS",
    ]);
  }
}

/**
 * Returns a code for an error of Redis or the connection: the system's error code, or the first word of Redis's
 * message.
 */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if ("code" in error && typeof error.code === "string") return error.code;
  // ioredis reports this for a command that does not wait for a connection.
  if (error.message.startsWith("Stream isn't writeable")) return "not connected";
  const [word] = /^(?:[A-Z]{3,}|Command timed out|Connection is closed)\b/.exec(error.message) ?? [];
  return word ?? error.name;
}
