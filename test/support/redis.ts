import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RedisAddress } from "../../src/jobs/redis/address.ts";
import { removeDirectory } from "./directories.ts";
import { freePort } from "./ports.ts";

/** Whether this machine has a Redis; without one its tests are skipped, and counted. */
export const has_redis = spawnSync("redis-server", ["--version"]).status === 0;

export interface RealRedis {
  readonly url: string;
  readonly address: RedisAddress;
  readonly directory: string;
  /** Starts it again, with the data that it had. */
  start(): Promise<void>;
  /** As when its machine dies. */
  kill(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** One command, by its own client. */
  ask(...command: string[]): string;
  /** Ends it, and deletes its data. */
  remove(): Promise<void>;
}

export interface RedisWish {
  readonly password?: string;
  /** Files of a certificate: only TLS is spoken. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca: string };
}

/** A Redis of this test, on a port of its own, that keeps its data. */
export async function openRealRedis({ password, tls }: RedisWish = {}): Promise<RealRedis> {
  const directory = mkdtempSync(join(tmpdir(), "verdict-redis-"));
  const port = await freePort();
  const ports = tls ? ["--port", "0", "--tls-port", String(port)] : ["--port", String(port)];
  const certificates = tls
    ? ["--tls-cert-file", tls.cert, "--tls-key-file", tls.key, "--tls-ca-cert-file", tls.ca, "--tls-auth-clients", "no"]
    : [];
  const options = ["--bind", "127.0.0.1", "--dir", directory, "--save", "", "--appendonly", "yes"];
  const secret = password === undefined ? [] : ["--requirepass", password];
  let child: ChildProcess | undefined;
  const client = ["-p", String(port), ...(tls ? ["--tls", "--cacert", tls.ca] : []), "--no-auth-warning"];
  const ask = (...command: string[]) => {
    const env = { ...process.env, ...(password !== undefined && { REDISCLI_AUTH: password }) };
    return spawnSync("redis-cli", [...client, ...command], { encoding: "utf8", env }).stdout.trim();
  };
  const start = async () => {
    child = spawn("redis-server", [...ports, ...certificates, ...options, ...secret], { stdio: "ignore" });
    while (ask("ping") !== "PONG") await sleep(20);
  };
  const kill = async () => {
    const dying = child;
    child = undefined;
    if (!dying || dying.exitCode !== null) return;
    const gone = new Promise((resolve) => dying.once("exit", resolve));
    dying.kill("SIGKILL");
    await gone;
  };
  await start();
  const secret_part = password === undefined ? "" : `:${encodeURIComponent(password)}@`;
  const url = `${tls ? "rediss" : "redis"}://${secret_part}localhost:${port}`;
  return {
    url,
    address: { url },
    directory,
    start,
    kill,
    ask,
    signal: (name) => void child?.kill(name),
    remove: async () => {
      await kill();
      removeDirectory(directory);
    },
  };
}
