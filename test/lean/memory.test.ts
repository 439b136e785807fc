import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { engine_limits } from "../../src/engines/limits.ts";
import { TacticDaemon } from "../../src/engines/tactic/daemon/daemon.ts";
import { Metrics } from "../../src/engines/tactic/daemon/metrics.ts";
import { lean_limits } from "../../src/tools/lean/limits.ts";
import { type FakeServer, fakeServer, sendJson } from "../support/completions.ts";
import { removeDirectory } from "../support/directories.ts";
import { generate, plainClient } from "../support/lean.ts";
import { freePort } from "../support/ports.ts";
import { openTools } from "../support/tools.ts";

const state = "h : p\n⊢ p";
const directory = mkdtempSync(join(tmpdir(), "verdict-memory-"));
const metrics = join(directory, "lean", "metrics.jsonl");

let server: FakeServer | undefined;
let daemon: TacticDaemon | undefined;
let port = 0;
afterEach(async () => {
  vi.useRealTimers();
  await daemon?.close();
  server?.close();
  removeDirectory(directory);
});

const configOf = (env: Record<string, string>) =>
  readConfig(
    { tools: "lean" },
    { ...process.env, VERDICT_DATA: directory, TACTIC_SERVER_PORT: String(port), VERDICT_LEAN_MODEL: "", ...env },
  );

interface Model {
  answers: "all" | "greedy" | "none";
}

/** A daemon in this process, whose model is a server with scripted answers. */
async function start(env: Record<string, string> = {}, onLeave = () => {}): Promise<Model> {
  const model: Model = { answers: "all" };
  server = await fakeServer((_, { temperature }, response) => {
    const choices = [{ text: temperature === 0 ? "simp" : "omega", finish_reason: "stop" }];
    if (model.answers === "all" || (model.answers === "greedy" && temperature === 0)) sendJson(response, { choices });
  });
  port = await freePort();
  const named = { VERDICT_LEAN_MODEL: "openai:scripted", VERDICT_LEAN_URL: server.url };
  daemon = new TacticDaemon(configOf({ ...named, ...env }), onLeave);
  await daemon.start();
  return model;
}

const ask = (params: object) => plainClient(port, generate({ proof_state: state, ...params }));
const noted = () =>
  readFileSync(metrics, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("the daemon's memory", () => {
  it("has no answer that time cut off", async () => {
    const model = await start();
    // The first request of a process takes longer; it is none of those below.
    await ask({ seed: 99 });
    model.answers = "greedy";
    expect(await ask({ timeout_ms: 2_500 })).toMatchObject({ tactics: ["simp"], timed_out: true, cached: false });
    model.answers = "all";
    expect(await ask({})).toMatchObject({ tactics: ["omega", "simp"], timed_out: false, cached: false });
    expect(await ask({})).toMatchObject({ tactics: ["omega", "simp"], cached: true });
  });

  it("tells apart what is asked for, and knows the defaults for what they are", async () => {
    await start();
    const defaults = { num_suggestions: 5, temperature: 0.7, max_tokens: 128, seed: 1, goals: "first", prefix: "" };
    expect(await ask({})).toMatchObject({ cached: false });
    expect(await ask({ ...defaults, single_line: false, timeout_ms: 9_000 })).toMatchObject({ cached: true });
    for (const other of [
      { seed: 2 },
      { temperature: 0.8 },
      { num_suggestions: 4 },
      { max_tokens: 64 },
      { prefix: "simp" },
      { single_line: true },
      { prompt: "llmstep" },
      { proof_state: "h : q\n⊢ q" },
    ])
      expect([other, await ask(other)]).toMatchObject([other, { cached: false }]);
  });
});

it("the prompt of the setting is used where none is asked for", async () => {
  await start({ VERDICT_LEAN_PROMPT: "llmstep" });
  await ask({ num_suggestions: 1 });
  await ask({ num_suggestions: 1, prompt: "bfs-prover" });
  const prompts = new Set(server?.bodies.map(({ prompt }) => prompt));
  expect([...prompts]).toEqual([`[GOAL]${state}[PROOFSTEP]`, `${state}:::`]);
});

it("a model that is loaded but too slow is not waited for again: the steps say to ask for less", async () => {
  const model = await start();
  await ask({});
  model.answers = "none";
  const late = await ask({ seed: 2, timeout_ms: 400 });
  expect(late).toMatchObject({ code: "timeout", suggestion: expect.stringContaining("ask for fewer suggestions") });
});

it("a batch has one deadline, and its answers in order", async () => {
  const model = await start();
  const batch = (params: object) =>
    plainClient(port, `${JSON.stringify({ method: "generate_batch", params: { temperature: 0, ...params } })}\n`);
  const { results } = await batch({ proof_states: [state, "⊢ p ∧ q", ""] });
  expect(results).toMatchObject([{ tactics: ["simp"] }, { tactics: ["simp"] }, { status: "error" }]);
  model.answers = "none";
  const late = await batch({ proof_states: ["⊢ q → p", "⊢ q → q"], timeout_ms: 400 });
  const [first, second] = [...JSON.stringify(late).matchAll(/timeout after ([\d.]+)s/g)].map(([, s]) => Number(s));
  // The second one had what the first left.
  expect(second).toBeLessThan(first ?? 0);
});

describe("metrics", () => {
  it("tell how each request ended, and none is lost when the daemon ends", async () => {
    const model = await start();
    await ask({});
    await ask({});
    model.answers = "greedy";
    await ask({ seed: 2, timeout_ms: 2_500 });
    await ask({ prompt: "gpt" });
    await daemon?.close();
    const common = { method: "generate", fingerprint: expect.stringMatching(/^\w{16}$/), ms: expect.any(Number) };
    expect(noted()).toMatchObject([
      { ...common, ended: "answered", tactics: 2 },
      { ...common, ended: "cached", tactics: 2 },
      { ...common, ended: "timed_out", tactics: 1 },
    ]);
  });

  it("tell faults, too", async () => {
    await start({ VERDICT_LEAN_MODEL: "" });
    expect(await ask({})).toMatchObject({ status: "error", code: "engine_missing" });
    await daemon?.close();
    expect(noted()).toMatchObject([{ ended: "fault", fingerprint: null }]);
  });

  it("are on the disk when a write settles, although another one was under way", async () => {
    port = await freePort();
    await start();
    const log = new Metrics(metrics);
    log.note({ method: "generate", ms: 1, ended: "answered", tactics: 1, fingerprint: null });
    void log.write();
    await log.write();
    expect(noted()).toHaveLength(1);
  });

  it("have percentiles of the times, and a log that does not grow for ever", async () => {
    port = await freePort();
    await start();
    const log = new Metrics(metrics);
    expect(log.percentiles).toEqual({ p50: null, p90: null, p99: null });
    const note = (ms: number) => log.note({ method: "generate", ms, ended: "answered", tactics: 1, fingerprint: null });
    for (const ms of [30, 10, 20]) note(ms);
    expect(log.percentiles).toEqual({ p50: 20, p90: 30, p99: 30 });
    await log.write();
    writeFileSync(metrics, " ".repeat(engine_limits.tactic_log_bytes_max + 1));
    note(40);
    await log.write();
    expect(noted()).toHaveLength(1);
    expect(statSync(`${metrics}.1`).size).toBe(engine_limits.tactic_log_bytes_max + 1);
    expect(existsSync(`${metrics}.2`)).toBe(false);
  });
});

it("a daemon that nobody asks for anything leaves, and each request puts that off", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const onLeave = vi.fn();
  await start({}, onLeave);
  await vi.advanceTimersByTimeAsync(engine_limits.tactic_leave_ms_max - 1);
  await plainClient(port, '{"method":"hello"}\n');
  await vi.advanceTimersByTimeAsync(engine_limits.tactic_leave_ms_max - 1);
  expect(onLeave).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(onLeave).toHaveBeenCalledOnce();
});

it("an answer holds a limited number of characters of tactics; the others are counted", async () => {
  port = await freePort();
  const long = Array.from({ length: 32 }, (_, i) => `exact h${i}${"x".repeat(990)}`);
  const plain = createServer((socket) =>
    socket.once("data", () => socket.end(`${JSON.stringify({ tactics: long, time: 1, status: "success" })}\n`)),
  );
  await new Promise<void>((up) => plain.listen(port, "127.0.0.1", up));
  const tools = openTools(configOf({}));
  try {
    const answer = await tools.call("bfs_suggest_tactics", { proof_state: state, num_suggestions: 32 });
    const fitting = Math.floor(lean_limits.tactics_answer_chars_max / (long[0]?.length ?? 1));
    expect(answer["tactics"]).toEqual(long.slice(0, fitting));
    expect(answer["dropped"]).toEqual({ left_out: 32 - fitting });
  } finally {
    tools.close();
    plain.close();
  }
});
