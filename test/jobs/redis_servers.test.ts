import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod/v4";
import { readAddress } from "../../src/jobs/redis/address.ts";
import { cli, connect } from "../support/client.ts";
import { emptyDirectory } from "../support/jobs.ts";
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

describe.skipIf(!has_redis)("a real server and a real worker", () => {
  it("with TLS and a password: the session stays with the server, and the address is shown nowhere", async () => {
    const directory = emptyDirectory();
    const tls = certificateIn(directory);
    const redis = await openRealRedis({ password, tls });
    onTestFinished(() => redis.remove());
    const env = {
      ...{ VERDICT_REDIS: redis.url, NODE_EXTRA_CA_CERTS: tls.ca, VERDICT_DATA: join(directory, "data") },
      ...{ VERDICT_Z3: "wasm", VERDICT_MINIZINC: "wasm", VERDICT_CLINGO: "wasm" },
    };
    const worker = spawn(process.execPath, [cli, "worker", "--tools", "model", "--at-once", "1"], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });
    onTestFinished(() => void worker.kill("SIGKILL"));
    let said = "";
    worker.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    await expect.poll(() => redis.ask("exists", "verdict:serving:model"), { timeout: 100_000 }).toBe("1");
    const server = await connect({ env, args: ["--tools", "model,jobs"] });
    onTestFinished(() => server.close());
    const call = async (name: string, args: object) => {
      const reply = await server.client.callTool({ name, arguments: { ...args } }, { timeout: 200_000 });
      return z.record(z.string(), z.unknown()).parse(reply.structuredContent);
    };
    const model = "var 1..9: x; constraint x * x = 49; solve satisfy;";
    const solved = await call("solve", { language: "minizinc", model });
    expect(solved).toMatchObject({ status: "sat", values: { x: 7 }, model_id: "m1" });
    expect(
      Number(redis.ask("hget", "verdict:queue:model:meta", "version").length),
      "it went through Redis",
    ).toBeGreaterThan(0);
    expect(await call("get_solution", { name: "x" })).toMatchObject({ value: 7 });
    expect(await call("get_model", {})).toMatchObject({ item_count: 1 });
    await call("add_item", { item: "constraint x < 7;" });
    expect(await call("solve_model", {})).toMatchObject({ status: "unsat" });
    const missing = await call("solve", {
      language: "minizinc",
      model: "var 1..9: x; constraint y = 1; solve satisfy;",
    });
    expect(missing).toMatchObject({ status: "error" });
    expect(said + server.stderr()).not.toMatch(/se%20cret|se cret|rediss:/);
    worker.kill("SIGTERM");
    await expect.poll(() => worker.exitCode, { timeout: 60_000 }).toBe(0);
    expect(await call("solve", { language: "minizinc", model }), "without a worker").toMatchObject({ status: "sat" });
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
