import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engine_limits } from "../../src/engines/limits.ts";
import { Wire } from "../../src/engines/tactic/client.ts";
import { Tactics } from "../../src/engines/tactic/index.ts";
import { MessageReader } from "../../src/engines/tactic/message_reader.ts";
import { Status } from "../../src/engines/tactic/protocol.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { cli } from "../support/client.ts";
import { command } from "../support/command_line.ts";
import { faultOf } from "../support/faults.ts";
import { generate, type LeanHome, llama_setup_ms_max, openHome, plainClient, toyModel } from "../support/lean.ts";
import { freePort } from "../support/ports.ts";
import { runs, until } from "../support/processes.ts";
import { some } from "../support/runs_all.ts";
import { openTools } from "../support/tools.ts";

const job = (left_ms = 120_000, signal = new AbortController().signal) => new Deadline(left_ms, signal);
const state = "h1 : p\n⊢ p → q";
const request = (params: object = {}) => generate({ proof_state: state, ...params });

let home: LeanHome;
beforeAll(async () => {
  home = await openHome();
  await new Tactics(home.config).start(job());
}, llama_setup_ms_max);
afterAll(() => home?.close());

async function statusOf(config = home.config): Promise<Status> {
  const reply = await new Wire(config.tactics).exchange({ method: "status", params: {} }, job(), false);
  return Status.parse(reply.kind === "reply" ? reply.value : undefined);
}

/** Waits until the daemon has nothing to do. */
async function rest(): Promise<boolean> {
  for (let i = 0; i < 3_000; i++, await sleep(10)) if ((await statusOf()).queue.running === 0) return true;
  return false;
}

/** A command about the daemon. */
const tell = (env: Record<string, string>, word: string) => command(["daemon", word], { env });

/** The daemon itself, in a process of its own, where it ends at once. */
function verdict(home_env: Record<string, string>, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, "daemon", ...args], {
    encoding: "utf8",
    env: { ...process.env, ...home_env },
  });
  return { status, stdout, stderr };
}

describe("a client that knows only the source's protocol", () => {
  it("gets the source's reply", async () => {
    const reply = await plainClient(
      home.port,
      request({ num_suggestions: 5, temperature: 0.7, max_tokens: 128, unknown: true }),
    );
    expect(reply["status"]).toBe("success");
    expect(reply["time"]).toEqual(expect.any(Number));
    expect(reply["tactics"]).toEqual(expect.arrayContaining([expect.any(String)]));
  });

  it("may leave out all but the state, close its half, and end without a line feed", async () => {
    const text = await new Promise<string>((done) => {
      const socket = createConnection({ host: "127.0.0.1", port: home.port, allowHalfOpen: true });
      let response = "";
      socket.on("data", (piece) => {
        response += piece.toString();
      });
      socket.on("end", () => done(response));
      socket.end(request().trimEnd());
    });
    expect(JSON.parse(text)).toMatchObject({ status: "success" });
  });

  it("is answered line by line on one connection, in order", async () => {
    const socket = createConnection({ host: "127.0.0.1", port: home.port });
    const reader = new MessageReader(1e6);
    const lines: string[] = [];
    socket.on("data", (piece) => {
      const more = reader.take(Buffer.from(piece));
      if (more !== "too_long") lines.push(...more);
    });
    socket.write(request() + generate({ proof_state: "" }) + request({ temperature: 0 }));
    expect(await until(() => lines.length === 3, 120_000)).toBe(true);
    socket.destroy();
    expect(lines.map((line) => JSON.parse(line).status)).toEqual(["success", "error", "success"]);
  });

  it.each([
    ["an empty state", generate({ proof_state: "" }), "Proof state must be a non-empty string"],
    ["a state that is a number", generate({ proof_state: 5 }), "it must be a string"],
    ["no state", generate({}), "Invalid proof state format"],
    ["a temperature that is a text", request({ temperature: "hot" }), "temperature must be a number from 0 to 2."],
    ["a temperature of 3", request({ temperature: 3 }), "temperature must be a number from 0 to 2."],
    ["half a suggestion", request({ num_suggestions: 0.5 }), "num_suggestions must be a whole number from 1 to 32."],
    ["no method", '{"params":{}}\n', '"method"'],
    ["a method that there is not", '{"method":"prove"}\n', 'There is no method "prove"'],
    ["parameters that are a text", '{"method":"generate","params":"x"}\n', "A request is an object"],
    ["half a line of JSON", '{"method":"gen\n', "The line is not JSON"],
    ["a list", "[1]\n", "A request is an object"],
    ["what a browser sends", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "The line is not JSON"],
  ])("gets the source's error object for %s", async (_, line, words) => {
    const reply = await plainClient(home.port, line);
    expect(reply).toMatchObject({ status: "error", code: "invalid_input", suggestion: expect.any(String) });
    expect(reply["error"]).toContain(words);
  });

  it("gets it for a line of 10 MB too, and the daemon keeps none of it", async () => {
    const before = (await statusOf()).memory_bytes;
    const reply = await plainClient(home.port, generate({ proof_state: "x".repeat(10_000_000) }));
    expect(reply).toMatchObject({ status: "error", code: "invalid_input" });
    expect((await statusOf()).memory_bytes - before).toBeLessThan(60_000_000);
  });

  it("gets tactics for several states in one request, and an error for the one that is none", async () => {
    const line = JSON.stringify({ method: "generate_batch", params: { proof_states: [state, "", "⊢ p ∧ q"] } });
    const { results } = await plainClient(home.port, `${line}\n`);
    expect(results).toMatchObject([{ status: "success" }, { status: "error" }, { status: "success" }]);
  });
});

describe("a crowd", () => {
  it("of 1,000 connections gets as many as there are places; the others are refused, and the daemon lives", async () => {
    const sockets: Socket[] = [];
    let refused = 0;
    for (let i = 0; i < 1000; i++) {
      const socket = createConnection({ host: "127.0.0.1", port: home.port });
      socket.on("data", (piece) => {
        if (piece.toString().includes('"code":"busy"')) refused++;
      });
      socket.on("error", () => {});
      sockets.push(socket);
    }
    expect(await until(() => refused >= 1000 - engine_limits.tactic_connections_max, 15_000)).toBe(true);
    // All connections are idle: one of them is closed for the next client.
    expect(await plainClient(home.port, request())).toMatchObject({ status: "success" });
    const { connections } = await statusOf();
    expect(connections).toBeGreaterThan(engine_limits.tactic_connections_max / 2);
    expect(connections).toBeLessThanOrEqual(engine_limits.tactic_connections_max);
    for (const socket of sockets) socket.destroy();
  });

  it("of requests past the queue is refused one by one; the others are answered", async () => {
    const ends = await Promise.all(
      Array.from({ length: 100 }, (_, i) => plainClient(home.port, request({ seed: 1000 + i, num_suggestions: 2 }))),
    );
    const refused = ends.filter(({ code }) => code === "busy");
    expect(ends.filter(({ status }) => status === "success").length).toBeGreaterThanOrEqual(
      engine_limits.tactic_waiting_max,
    );
    expect(refused.length + ends.filter(({ status }) => status === "success").length).toBe(100);
  });

  it("with one that never reads goes on being served", async () => {
    const deaf = createConnection({ host: "127.0.0.1", port: home.port });
    deaf.pause();
    for (let i = 0; i < 2_000; i++) deaf.write(request());
    expect(await plainClient(home.port, request())).toMatchObject({ status: "success" });
    deaf.destroy();
    expect(await rest()).toBe(true);
  });
});

describe("a request that is given up", () => {
  const long = `${Array.from({ length: 110 }, (_, i) => `h${i} : p → q ∧ r`).join("\n")}\n⊢ p → r`;

  // Many states, so that the toy model has work for seconds.
  const many = (state_of: (i: number) => string) =>
    Array.from({ length: engine_limits.tactic_batch_max }, (_, i) => state_of(i));

  it.each([
    [
      "while the model writes",
      { proof_states: many((i) => `h${i} : p\n⊢ p → q`), max_tokens: 1500, temperature: 2, num_suggestions: 32 },
    ],
    ["while the model reads", { proof_states: many((i) => `x${i} : p\n${long}`), max_tokens: 8 }],
  ])("%s ends soon in the daemon, and the model serves on", async (_, params) => {
    const cancel = new AbortController();
    const wire = new Wire(home.config.tactics);
    const asked = wire.exchange({ method: "generate_batch", params }, job(120_000, cancel.signal), false);
    for (let i = 0; i < 20_000 && (await statusOf()).queue.running === 0; i++) await sleep(1);
    const { requests } = await statusOf();
    cancel.abort();
    expect(await faultOf(asked)).toMatchObject({ code: "cancelled" });
    expect(await rest()).toBe(true);
    // The state that was at work was noted; the others were never begun.
    expect((await statusOf()).requests).toBeLessThan(requests + engine_limits.tactic_batch_max - 1);
    expect(await plainClient(home.port, request({ seed: 9 }))).toMatchObject({ status: "success" });
  });
});

describe("the daemon's life", () => {
  it("is one daemon's, however many are started at once", async () => {
    const other = await openHome();
    try {
      const clients = Array.from({ length: 4 }, () => new Tactics(other.config));
      const started = await Promise.all(clients.map((each) => each.start(job())));
      const pids = started.map((each) => (each !== "expired" && each.kind === "ours" ? each.hello.pid : 0));
      expect(new Set(pids).size).toBe(1);
      expect(pids[0]).toBeGreaterThan(0);
    } finally {
      await other.close();
    }
  });

  it("is reported by start, status, restart and stop", async () => {
    const other = await openHome();
    try {
      expect((await tell(other.env, "status")).stdout).toContain('"status": "stopped"');
      expect(await tell(other.env, "start")).toMatchObject({ status: 0 });
      const note = () => JSON.parse(readFileSync(join(other.directory, "lean", "daemon.json"), "utf8"));
      const first = note();
      expect(first).toMatchObject({ port: other.port, started_at: expect.any(String) });
      expect((await tell(other.env, "start")).stdout).toContain(`pid ${first.pid}`);
      expect((await tell(other.env, "restart")).status).toBe(0);
      expect(note().pid).not.toBe(first.pid);
      expect(runs(first.pid)).toBe(false);
      expect((await tell(other.env, "stop")).stdout).toContain("has stopped");
      expect((await tell(other.env, "stop")).stdout).toContain("No tactic daemon was running");
      expect(() => note()).toThrow("ENOENT");
    } finally {
      await other.close();
    }
  });

  const signals = [
    ["SIGTERM", 0],
    ["SIGINT", 500],
    ["SIGHUP", 0],
    ["SIGTERM", 500],
    ["SIGINT", 0],
    ["SIGHUP", 500],
  ] as const;
  it.each(some(signals, 3))("ends cleanly on %s after %d ms", async (signal, wait_ms) => {
    const other = await openHome();
    const child = spawn(process.execPath, [cli, "daemon", "run"], { env: { ...process.env, ...other.env } });
    const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)));
    let stderr = "";
    await new Promise<void>((up) => {
      child.stderr.on("data", (piece: Buffer) => {
        stderr += piece.toString();
        if (stderr.includes("listens on")) up();
      });
    });
    // While the model is loaded, libraries have listeners of their own.
    await sleep(wait_ms);
    child.kill(signal);
    expect(await ended).toBe(0);
    expect(() => readFileSync(join(other.directory, "lean", "daemon.json"))).toThrow("ENOENT");
    await other.close();
  });

  it("begins anew after it was killed in the middle of a request, which is reported", async () => {
    const other = await openHome();
    const tactics = new Tactics(other.config);
    try {
      await tactics.start(job());
      const params = { proof_state: state, max_tokens: 1500, temperature: 2, num_suggestions: 32 };
      const asked = tactics.ask("generate", params, job());
      while ((await statusOf(other.config)).queue.running === 0) await sleep(1);
      const { pid } = await statusOf(other.config);
      process.kill(pid, "SIGKILL");
      const fault = await faultOf(asked);
      expect(fault).toMatchObject({
        code: "daemon_down",
        remedy: expect.stringContaining("call again: the daemon is then restarted"),
      });
      expect(await tactics.ask("generate", { proof_state: state }, job())).toMatchObject({ status: "success" });
      expect((await statusOf(other.config)).pid).not.toBe(pid);
    } finally {
      await other.close();
    }
  });

  it("ends at once when its port is taken, or is not a port of this machine", async () => {
    const again = verdict(home.env, "run");
    expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining(`Port ${home.port} is taken.`) });
    const open = verdict({ ...home.env, TACTIC_SERVER_HOST: "0.0.0.0" }, "run");
    expect(open).toMatchObject({ status: 1, stderr: expect.stringContaining("listens only on this machine") });
    expect(await plainClient(home.port, request())).toMatchObject({ status: "success" });
    expect((await tell(home.env, "begin")).status).toBe(2);
  });

  it("that can't note who it is says so and ends, and holds no port", async () => {
    const other = await openHome();
    try {
      mkdirSync(join(other.directory, "lean", "daemon.json"));
      const result = verdict(other.env, "run");
      expect(result).toMatchObject({ status: 1, stderr: expect.stringContaining("can't write its files (EISDIR)") });
      const fault = await faultOf(new Tactics(other.config).ask("generate", { proof_state: state }, job()));
      expect(fault.error).toBe("The tactic daemon could not be started: The daemon can't write its files (EISDIR).");
      rmdirSync(join(other.directory, "lean", "daemon.json"));
      const answer = await new Tactics(other.config).ask("generate", { proof_state: state }, job());
      expect(answer).toMatchObject({ status: "success" });
    } finally {
      await other.close();
    }
  });

  it("does not trust a pid file whose process is another one by now", async () => {
    const other = await openHome();
    const stale = { pid: process.pid, host: "127.0.0.1", port: other.port, started_at: "then", start_ticks: 1 };
    writeFileSync(join(other.directory, "lean", "daemon.json"), JSON.stringify(stale));
    expect(await new Tactics(other.config).stop(job())).toBe(false);
    await other.close();
  });

  it("lets an idle model go, loads it again at the next request, and anew when its file has changed", async () => {
    const other = await openHome({ VERDICT_LEAN_IDLE: "0.2" });
    const model = join(other.directory, "own.gguf");
    copyFileSync(toyModel(), model);
    const config = { ...other.config, tactics: { ...other.config.tactics, model } };
    config.tactics = { ...config.tactics, environment: { ...config.tactics.environment, VERDICT_LEAN_MODEL: model } };
    const tactics = new Tactics(config);
    try {
      await tactics.start(job());
      const first = await tactics.ask("generate", { proof_state: state }, job());
      const other_state = { proof_state: "⊢ p → p" };
      await tactics.ask("generate", other_state, job());
      const unloaded = async () => (await statusOf(config)).state === "unloaded";
      for (let i = 0; i < 3_000 && !(await unloaded()); i++) await sleep(20);
      expect(await statusOf(config)).toMatchObject({ model_loaded: false, state: "unloaded" });
      expect(await tactics.ask("generate", { proof_state: state }, job())).toMatchObject({ status: "success" });
      const bytes = readFileSync(model);
      // The same header and the same size; other weights, and so another model.
      bytes.fill(0, bytes.length - 4096);
      writeFileSync(model, bytes);
      const again = await tactics.ask("generate", { proof_state: state }, job());
      const fingerprint = (reply: unknown) => JSON.stringify(reply).match(/"fingerprint":"(\w+)"/)?.[1];
      expect(fingerprint(first)).toMatch(/^\w{16}$/);
      expect(fingerprint(again)).not.toBe(fingerprint(first));
      // What the model before said to other questions is not this one's word.
      expect(await tactics.ask("generate", other_state, job())).toMatchObject({ cached: false });
    } finally {
      await other.close();
    }
  });

  it("keeps a log of metrics without states, and counts what came from its memory", async () => {
    const before = (await statusOf()).cache.hits;
    const asked = request({ seed: 4711 });
    expect(await plainClient(home.port, asked)).toMatchObject({ cached: false });
    expect(await plainClient(home.port, asked)).toMatchObject({ cached: true });
    expect(await plainClient(home.port, request({ seed: 4712 }))).toMatchObject({ cached: false });
    const { cache, latency_ms } = await statusOf();
    expect(cache.hits).toBe(before + 1);
    expect(latency_ms.p99).toBeGreaterThan(0);
    const path = join(home.directory, "lean", "metrics.jsonl");
    const written = () => (existsSync(path) ? readFileSync(path, "utf8") : "");
    expect(await until(() => written().includes('"ended":"cached"'), 120_000)).toBe(true);
    const log = written();
    expect(log).not.toContain("p → q");
  });
});

describe("what listens on the port", () => {
  async function listening(port: number, onSocket: (socket: Socket) => void): Promise<Server> {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      onSocket(socket);
    });
    await new Promise<void>((up) => server.listen(port, "127.0.0.1", up));
    return server;
  }

  it.each([
    [
      "another server that speaks first",
      (socket: Socket) => socket.write("SSH-2.0-OpenSSH_9.6\r\n"),
      "Another program",
    ],
    ["a web server", (socket: Socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), "Another program"],
    [
      "another user's daemon",
      (socket: Socket) => {
        const hello = { service: "verdict-tactics", version: "0", pid: 1, user: 4711, started_at: "", serves: "" };
        socket.end(`${JSON.stringify({ ...hello, status: "success" })}\n`);
      },
      "Another program",
    ],
    ["something that hangs up", (socket: Socket) => socket.destroy(), "Another program"],
  ])("is told apart when it is %s", async (_, onSocket, words) => {
    const port = await freePort();
    const server = await listening(port, onSocket);
    const config = { ...home.config, tactics: { ...home.config.tactics, port } };
    const tools = openTools(config);
    try {
      const fault = await faultOf(tools.call("bfs_suggest_tactics", { proof_state: state }));
      expect(fault).toMatchObject({ status: "daemon_down", suggestion: expect.any(String) });
      expect(fault.error).toContain(words);
      expect(await tools.call("bfs_daemon_status")).toMatchObject({ status: "unresponsive", port });
    } finally {
      tools.close();
      server.close();
    }
  });

  it("may call itself our daemon and any process its own: that process is not ended", async () => {
    const port = await freePort();
    const user = process.getuid?.() ?? null;
    const hello = { service: "verdict-tactics", version: "0", pid: process.pid, user, started_at: "", serves: "" };
    const server = await listening(port, (socket) =>
      socket.end(`${JSON.stringify({ ...hello, status: "success" })}\n`),
    );
    try {
      const config = { ...home.config, tactics: { ...home.config.tactics, port } };
      expect((await faultOf(new Tactics({ ...config, data_directory: "/nowhere" }).stop(job()))).code).toBe(
        "daemon_down",
      );
    } finally {
      server.close();
    }
  });

  it("may be silent: that is a timeout, as the source has it", async () => {
    const port = await freePort();
    const server = await listening(port, () => {});
    const config = { ...home.config, tactics: { ...home.config.tactics, port, timeout_ms: 2_500 } };
    const tools = openTools(config);
    try {
      const fault = await faultOf(tools.call("bfs_suggest_tactics", { proof_state: state }));
      expect(fault).toMatchObject({ status: "timeout", suggestion: expect.stringContaining("verdict daemon restart") });
      expect(await tools.call("bfs_daemon_status")).toMatchObject({ status: "unresponsive", port });
    } finally {
      tools.close();
      server.close();
    }
  });

  it.each([
    [
      "says that it knows no handshake",
      (socket: Socket) => socket.end('{"error":"unknown method","status":"error"}\n'),
    ],
    ["hangs up at what it does not know", (socket: Socket) => socket.destroy()],
    ["says nothing to what it does not know", () => {}],
  ])("may be a daemon that knows only the source's protocol, and %s: its tactics are taken", async (how, refuse) => {
    const port = await freePort();
    const server = await listening(port, (socket) => {
      socket.on("data", (piece) => {
        const { method, params } = JSON.parse(piece.toString());
        if (method !== "generate") return refuse(socket);
        const { proof_state, num_suggestions, temperature, max_tokens, ...unknown } = params;
        // A silent daemon may be Verdict's and busy, so it gets the complete request.
        const strict = !how.startsWith("says nothing") && Object.keys(unknown).length > 0;
        const fits = [num_suggestions, temperature, max_tokens].every((each) => typeof each === "number");
        const tactics = ["linarith", "omega", "sorry", "omega", "simp_arith"];
        const reply =
          strict || !fits || typeof proof_state !== "string"
            ? { error: `unexpected ${Object.keys(unknown)}`, status: "error" }
            : { tactics, time: 2.1, status: "success" };
        return socket.end(`${JSON.stringify(reply)}\n`);
      });
    });
    const config = { ...home.config, tactics: { ...home.config.tactics, port } };
    const tools = openTools(config);
    try {
      const goals = { goals: ["n : ℕ\n⊢ n + 0 = n"], status: "goals" };
      expect(await tools.call("bfs_suggest_tactics", { proof_state: goals, num_suggestions: 3 })).toMatchObject({
        tactics: ["linarith", "omega", "simp_arith"],
        generation_time: 2.1,
        daemon_status: "running",
      });
      if (!how.startsWith("says that")) return;
      expect(await tools.call("bfs_daemon_status")).toMatchObject({ status: "running", port, pid: null });
      const fault = await faultOf(tools.call("bfs_evaluate_tactic", { proof_state: goals, tactic: "simp" }));
      expect(fault.error).toContain("does not support evaluate");
      const wish = await faultOf(tools.call("bfs_suggest_tactics", { proof_state: goals, prefix: "rw" }));
      expect(wish.error).toContain("does not support prefix");
    } finally {
      tools.close();
      server.close();
    }
  });
});
