import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod/v4";
import { job_limits } from "../../src/jobs/limits.ts";
import { readAddress } from "../../src/jobs/redis/address.ts";
import { redis_limits } from "../../src/jobs/redis/limits.ts";
import { isRunning, treeOf } from "../../src/kernel/process/process_tree.ts";
import { cli, connect } from "../support/client.ts";
import { quickest_z3 } from "../support/engines.ts";
import { openFakes } from "../support/fakes.ts";
import { emptyDirectory } from "../support/jobs.ts";
import { gone_ms_max, sees_processes } from "../support/processes.ts";
import { has_redis, openRealRedis } from "../support/redis.ts";

const password = "se cret/%?#";

/** A certificate of an authority that nobody else knows. */
function certificateIn(directory: string) {
  const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")];
  const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const made = spawnSync("openssl", [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "2",
    "-keyout",
    key,
    "-out",
    cert,
    ...name,
  ]);
  expect(made.status, String(made.stderr)).toBe(0);
  return { key, cert, ca: cert };
}

/** A real worker; what it says is kept. */
function startWorker(tools: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [cli, "worker", "--tools", tools, "--at-once", "1"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return { child, said: () => stderr };
}

async function callOf(server: Awaited<ReturnType<typeof connect>>, name: string, args: object) {
  const reply = await server.client.callTool({ name, arguments: { ...args } }, { timeout: 200_000 });
  return z.record(z.string(), z.unknown()).parse(reply.structuredContent);
}

describe.skipIf(!has_redis)("a real server and a real worker", () => {
  it("with TLS and a password: the session stays with the server, and the address is shown nowhere", async () => {
    const directory = emptyDirectory();
    const tls = certificateIn(directory);
    const redis = await openRealRedis({ password, tls });
    onTestFinished(() => redis.remove());
    const env = {
      ...{
        VERDICT_REDIS: redis.url,
        NODE_EXTRA_CA_CERTS: tls.ca,
        VERDICT_DATA: join(directory, "data"),
      },
      ...{ VERDICT_Z3: "wasm", VERDICT_MINIZINC: "wasm", VERDICT_CLINGO: "wasm" },
    };
    const { child: worker, said } = startWorker("model", env);
    await expect.poll(() => redis.ask("exists", "verdict:serving:model"), { timeout: 100_000 }).toBe("1");
    const server = await connect({ env, args: ["--tools", "model,jobs"] });
    onTestFinished(() => server.close());
    const call = (name: string, args: object) => callOf(server, name, args);
    const model = "1 {x(1..9)} 1. :- x(X), X * X != 49.";
    const solved = await call("solve", { language: "asp", model });
    expect(solved).toMatchObject({ status: "sat", values: { x: [[7]] }, model_id: "m1" });
    expect(
      Number(redis.ask("hget", "verdict:queue:model:meta", "version").length),
      "it went through Redis",
    ).toBeGreaterThan(0);
    expect(await call("get_solution", { name: "x" })).toMatchObject({ value: [[7]] });
    expect(await call("get_model", {})).toMatchObject({ item_count: 1 });
    await call("add_item", { item: ":- x(7)." });
    expect(await call("solve_model", {})).toMatchObject({ status: "unsat" });
    // A large one has a process of its own there, and is kept here as well.
    const large = `${model} % ${"-".repeat(job_limits.call_chars_max)}`;
    expect(await call("solve", { language: "asp", model: large })).toMatchObject({ status: "sat", model_id: "m2" });
    expect(await call("get_solution", { name: "x" })).toMatchObject({ value: [[7]] });
    const missing = await call("solve", { language: "asp", model: "1 {x(1..9)} 1 :- x(X" });
    expect(missing).toMatchObject({ status: "error" });
    expect(said() + server.stderr()).not.toMatch(/se%20cret|se cret|rediss:/);
    worker.kill("SIGTERM");
    await expect.poll(() => worker.exitCode, { timeout: 60_000 }).toBe(0);
    expect(await call("solve", { language: "asp", model }), "without a worker").toMatchObject({ status: "sat" });
  });

  it.runIf(sees_processes)("a worker that is killed takes its solver along, and another one answers", async () => {
    const directory = emptyDirectory();
    const fakes = openFakes();
    const redis = await openRealRedis();
    onTestFinished(async () => {
      fakes.remove();
      await redis.remove();
    });
    const env = { VERDICT_REDIS: redis.url, VERDICT_DATA: join(directory, "data"), VERDICT_Z3: quickest_z3 };
    const serving = (count: number) =>
      expect.poll(() => redis.ask("zcard", "verdict:serving:smtlib"), { timeout: 100_000 }).toBe(String(count));
    const hanging = startWorker("smtlib", { ...env, VERDICT_Z3: fakes.path("hang") }).child;
    await serving(1);
    const server = await connect({ env, args: ["--tools", "smtlib,jobs"] });
    onTestFinished(() => server.close());
    const question = { smtlib: "(declare-const x Int)(assert (= (* x 7) 42))", engine: "z3", timeout_ms: 600_000 };
    const { job_id } = await callOf(server, "start_job", { tool: "solve_smtlib", arguments: question });
    const solvers = () => treeOf(hanging.pid ?? 0).slice(1);
    const doing = async () => (await callOf(server, "get_job", { job_id, wait_s: 0 }))["doing"];
    await expect.poll(doing, { timeout: 60_000 }).toBe("Z3 is solving");
    const dying = solvers();
    expect(dying.length).toBeGreaterThan(0);
    startWorker("smtlib", env);
    await serving(2);
    hanging.kill("SIGKILL");
    await expect.poll(() => dying.filter(isRunning), { timeout: gone_ms_max }).toEqual([]);
    let answer = await callOf(server, "get_job", { job_id, wait_s: 40 });
    while (answer["status"] === "running") answer = await callOf(server, "get_job", { job_id, wait_s: 40 });
    expect(answer).toMatchObject({ status: "sat", model: { x: "6" }, job_id });
  });

  it("a worker that Redis refuses says so once, and waits", async () => {
    const directory = emptyDirectory();
    const redis = await openRealRedis({ password });
    onTestFinished(() => redis.remove());
    const { port } = new URL(redis.url);
    const env = { VERDICT_REDIS: `redis://:wrong-one@127.0.0.1:${port}`, VERDICT_DATA: join(directory, "data") };
    const { child, said } = startWorker("smtlib", env);
    await expect.poll(said, { timeout: 100_000 }).toContain("The worker has trouble with Redis (WRONGPASS).");
    // It has looked for calls some times since.
    await sleep(3 * redis_limits.idle_ms);
    expect(said().match(/The worker has trouble/g)).toHaveLength(1);
    expect(said()).not.toContain("wrong-one");
    expect(child.exitCode).toBeNull();
  });

  it("a worker says at its start what it can't answer, and is sent none of it", async () => {
    const directory = emptyDirectory();
    const redis = await openRealRedis();
    onTestFinished(() => redis.remove());
    const env = { VERDICT_REDIS: redis.url, VERDICT_Z3: "wasm", VERDICT_MINIZINC: "wasm", VERDICT_CLINGO: "wasm" };
    const empty = { ...env, VERDICT_DATA: join(directory, "empty"), VERDICT_ENVIRONMENTS: join(directory, "none") };
    const of_cpmpy = ["model_cp", "model_cp_exact", "model_cp_pumpkin"];
    const missing = ["smtlib_more", "model_python", ...of_cpmpy, "symbolic"];
    const { said } = startWorker("smtlib,model,symbolic", empty);
    await expect.poll(said, { timeout: 100_000 }).toContain(`Not available: ${missing.join(", ")}.`);
    expect(said()).toContain("as many jobs: smtlib, model.");
    await expect.poll(() => redis.ask("exists", "verdict:serving:model"), { timeout: 60_000 }).toBe("1");
    for (const capability of missing)
      expect(redis.ask("exists", `verdict:serving:${capability}`), capability).toBe("0");
  });

  it.each(["localhost:6379", "http://:pass-word@x/", "redis://", "redis://:pass-word@h/zero"])(
    "refuses the address %s",
    (url) => {
      const read = () => readAddress(url);
      expect(read).toThrow("VERDICT_REDIS is not the address of a Redis");
      expect(read).not.toThrow("pass-word");
    },
  );
});
