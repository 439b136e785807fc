import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { expect, onTestFinished } from "vitest";
import { localBacking } from "../../src/jobs/backing.ts";
import { withJobs } from "../../src/jobs/index.ts";
import { Jobs } from "../../src/jobs/jobs.ts";
import { OwnJobs } from "../../src/jobs/own_jobs.ts";
import { openRedis } from "../../src/jobs/redis/index.ts";
import { removeDirectory } from "./directories.ts";
import type { RealRedis } from "./redis.ts";
import { sleepTool } from "./sleep_tool.ts";
import { callsOf } from "./tools.ts";

/** The program of a worker whose tool sleeps, built once. */
export async function buildWorker(): Promise<{ readonly file: string; remove(): void }> {
  const directory = mkdtempSync(join(tmpdir(), "verdict-worker-"));
  const file = join(directory, "worker.mjs");
  const input = fileURLToPath(new URL("queue_worker.ts", import.meta.url));
  // With the packages for Redis: one file is loaded in half of the processor time that their many files take.
  const bundle = await rolldown({ input, platform: "node", logLevel: "silent" });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return { file, remove: () => removeDirectory(directory) };
}

/** Starts such a worker, and waits until servers can see in Redis that it takes calls. */
export async function startWorker(file: string, redis: RealRedis, options: object = {}): Promise<ChildProcess> {
  const { address } = redis;
  const child = spawn(process.execPath, [file, JSON.stringify({ ...address, ...options })], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const id = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error("the worker ended")));
    child.stderr?.once("data", (text) => resolve(String(text).trim()));
  });
  await expect.poll(() => redis.ask("zscore", "verdict:serving:sleep", id).trim(), { timeout: 60_000 }).not.toBe("");
  return child;
}

/** A server whose tool sleeps. */
export async function openServer(
  redis: RealRedis | undefined,
  {
    handover_ms = 0,
    owner = "ann",
    kept_ms,
    log,
  }: { handover_ms?: number; owner?: string; kept_ms?: number; log?: string } = {},
) {
  const directory = mkdtempSync(join(tmpdir(), "verdict-server-"));
  const backing = redis
    ? await openRedis(redis.address, kept_ms === undefined ? {} : { kept_ms })
    : localBacking({ data_directory: directory });
  const jobs = new Jobs({ store: backing.storeFor(directory), handover_ms, queue: backing.queue });
  const close = () => {
    jobs.close();
    backing.close();
    removeDirectory(directory);
  };
  onTestFinished(close);
  const set = withJobs([{ name: "test", guides: [], session: () => [sleepTool(log)] }], new OwnJobs(jobs, owner));
  return { call: callsOf(set.session()), close, backing };
}

/** Of two workers, the one that began the first call of the log, and the other one. */
export async function startTwo(
  file: string,
  redis: RealRedis,
  log: string,
  begin: () => Promise<unknown>,
): Promise<{ readonly holder: ChildProcess; readonly other: ChildProcess }> {
  // Both are there before the call is: on a busy machine the start of one can take longer than the call.
  const [one, two] = await Promise.all([startWorker(file, redis, { log }), startWorker(file, redis, { log })]);
  await begin();
  await expect.poll(() => readLog(log).began.length, { timeout: 40_000, interval: 20 }).toBe(1);
  const pid = Number(readFileSync(log, "utf8").split(/\s/)[2]);
  return pid === one.pid ? { holder: one, other: two } : { holder: two, other: one };
}

/** What sleepers noted: how often each began and ended. */
export function readLog(file: string): {
  readonly began: number[];
  readonly ended: number[];
  readonly stopped: number[];
} {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const of = (what: string) =>
    lines.filter((line) => line.startsWith(`${what} `)).map((line) => Number(line.split(" ")[1]));
  return { began: of("began"), ended: of("ended"), stopped: of("stopped") };
}
