import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { Deadline } from "../../src/kernel/deadline.ts";
import { addToken } from "../../src/server/http/auth/tokens.ts";
import { CallLog } from "../../src/server/http/usage/log.ts";
import { Meter } from "../../src/server/http/usage/meter.ts";
import { readQuota } from "../../src/server/http/usage/quota.ts";
import { command } from "../support/command_line.ts";
import { scratchDirectory } from "../support/directories.ts";
import { quickest_z3 } from "../support/engines.ts";
import { connectHttp, type HttpServer, serveHttp } from "../support/http.ts";
import { endless } from "../support/scripts.ts";

const hard = { smtlib: endless, timeout_ms: 180_000, engine: "z3" };
const easy = { smtlib: "(declare-const secret_name Int)(assert (> secret_name 3))" };

describe("a quota", () => {
  it("is read from a text", () => {
    expect(readQuota("calls_at_once=4, processor_s_per_hour=1.5")).toEqual({
      calls_at_once: 4,
      processor_s_per_hour: 1.5,
    });
  });

  it.each([
    ["", "calls_at_once"],
    ["calls=4", "calls_at_once"],
    ["calls_at_once=0", "quota"],
    ["calls_at_once=1.5", "quota"],
    ["calls_at_once", "none"],
    ["calls_at_once=-1", "none"],
  ])("is refused: %j", (text, words) => {
    expect(() => readQuota(text)).toThrow(/quota can't be used/);
    expect(() => readQuota(text)).toThrow(
      expect.objectContaining({ remedy: expect.stringContaining("calls_at_once") }),
    );
    expect(words).not.toBe("");
  });
});

describe("the meter of a principal", () => {
  it("refuses calls above the processor time, says for how long, and ends those that run at twice that", () => {
    const meter = new Meter({ processor_s_per_hour: 3_600 });
    let ms = 0;
    const account = meter.account((more) => {
      ms += more;
    });
    const { spent } = account;
    account.add(3_000_000);
    expect(meter.refusesCall()).toBeUndefined();
    account.add(1_200_000);
    const { status, headers } = meter.refusesCall() ?? {};
    expect(status).toBe(429);
    // 600 s too much, and one is forgotten each second.
    expect(Number(headers?.["retry-after"])).toBeGreaterThan(500);
    expect(Number(headers?.["retry-after"])).toBeLessThanOrEqual(601);
    expect(spent?.aborted).toBe(false);
    account.add(3_600_000);
    expect(spent?.aborted).toBe(true);
    expect(spent?.reason).toMatchObject({ code: "busy" });
    expect(ms).toBe(7_800_000);
    expect(meter.is_idle).toBe(false);
  });

  it("takes an estimate back", () => {
    const meter = new Meter({ processor_s_per_hour: 100 });
    const account = meter.account(() => {});
    account.add(150_000);
    expect(meter.refusesCall()).toBeDefined();
    account.add(-140_000);
    expect(meter.refusesCall()).toBeUndefined();
  });

  it("follows a quota that changes", () => {
    const meter = new Meter({ bytes_per_hour: 1_000 });
    meter.addBytes(5_000);
    expect(meter.refusesMessage()?.status).toBe(429);
    meter.quota = { bytes_per_hour: 1_000_000 };
    expect(meter.refusesMessage()).toBeUndefined();
    meter.quota = {};
    meter.addBytes(10 ** 12);
    expect(meter.refusesMessage()).toBeUndefined();
  });
});

describe("the log", () => {
  const record = { principal: 'a"b\n', tool: "solve", outcome: "sat", ms: 5, cpu_ms: 3, question: { smtlib: "x" } };

  it("has a line of JSON for a call, without the question", () => {
    const lines: string[] = [];
    new CallLog((line) => lines.push(line), false).call(record);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.endsWith("\n")).toBe(true);
    const { question: _, ...shown } = record;
    expect(JSON.parse(lines[0] ?? "")).toEqual({ time: expect.any(String), event: "call", ...shown });
  });

  it("has the question where that is asked for, cut if it is long", () => {
    const lines: string[] = [];
    const log = new CallLog((line) => lines.push(line), true);
    log.call(record);
    log.call({ ...record, question: { smtlib: "y".repeat(100_000) } });
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ question: { smtlib: "x" } });
    expect((lines[1] ?? "").length).toBeLessThan(12_000);
  });

  it("does not repeat a flood of refusals line by line", async () => {
    const lines: string[] = [];
    const log = new CallLog((line) => lines.push(line), false);
    for (let i = 0; i < 1_000; i++) log.refused(401, "no token");
    expect(lines.length).toBeLessThan(100);
    await sleep(1_100);
    log.refused(401, "no token");
    const counts = lines.map((line) => JSON.parse(line)).map(({ event, count }) => (event === "refused" ? 1 : count));
    expect(counts.reduce((sum: number, each: number) => sum + each, 0)).toBe(1_001);
  });
});

describe("a server with quotas", () => {
  const directory = scratchDirectory();
  const file = join(directory, "tokens.json");
  const tokens: Record<string, string> = {};
  let server: HttpServer;
  beforeAll(async () => {
    const quotas = {
      ann: { calls_at_once: 1, calls_waiting: 1 },
      bob: { processor_s_per_hour: 1 },
      cat: { bytes_per_hour: 20_000 },
      dan: undefined,
      root: undefined,
    };
    for (const [name, quota] of Object.entries(quotas)) {
      const scopes = name === "root" ? ["solve" as const, "admin" as const] : ["solve" as const];
      tokens[name] = await addToken(file, { name, scopes, ...(quota && { quota }) }, new Deadline(60_000));
    }
    server = await serveHttp(["--tokens", file], { VERDICT_Z3: quickest_z3, VERDICT_DATA: join(directory, "data") });
  });
  afterAll(async () => {
    await server.end();
  });

  const ask = (client: Client, args: object, signal?: AbortSignal) =>
    client.callTool({ name: "solve_smtlib", arguments: { ...args } }, { timeout: 200_000, ...(signal && { signal }) });
  const metrics = async () => {
    const headers = { authorization: `Bearer ${tokens["root"]}` };
    return (await fetch(new URL("/metrics", server.url), { headers })).text();
  };
  const metric = async (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(await metrics())?.[1]);
  /** The lines of the log about a principal. */
  const logged = (principal: string) =>
    server
      .stderr()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line))
      .filter((line) => line.principal === principal);
  const raw = (name: string, tool: string) =>
    fetch(server.url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${tokens[name]}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: {} } }),
    });

  it("lets as many calls run and wait as a principal may have, and refuses the next one", async () => {
    const ann = await connectHttp(server.url, "auto", tokens["ann"]);
    const giving_up = new AbortController();
    const first = ask(ann, hard, giving_up.signal).catch(() => "gone");
    while ((await metric("verdict_calls_running")) < 1) await sleep(20);
    const second = ask(ann, easy);
    while ((await metric("verdict_calls_running")) < 2) await sleep(20);
    const third = await raw("ann", "solve_smtlib");
    expect(third.status).toBe(429);
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await third.text()).toContain("1 calls at once");
    // Others are served, and jobs can be looked at.
    const dan = await connectHttp(server.url, "auto", tokens["dan"]);
    expect((await ask(dan, easy)).structuredContent).toMatchObject({ status: "sat" });
    expect((await ann.callTool({ name: "list_jobs", arguments: {} })).isError ?? false).toBe(false);
    giving_up.abort();
    expect(await first).toBe("gone");
    expect((await second).structuredContent).toMatchObject({ status: "sat" });
    expect(await metric("verdict_cancellations_total")).toBeGreaterThan(0);
    await Promise.all([ann.close(), dan.close()]);
  });

  it.runIf(process.platform === "linux")(
    "ends a call that uses twice the processor time, and refuses the next",
    async () => {
      const bob = await connectHttp(server.url, "legacy", tokens["bob"]);
      const { isError, structuredContent } = await ask(bob, hard);
      expect(isError).toBe(true);
      expect(structuredContent).toMatchObject({ code: "busy", error: expect.stringContaining("processor time") });
      const next = await raw("bob", "solve_smtlib");
      expect(next.status).toBe(429);
      expect(Number(next.headers.get("retry-after"))).toBeGreaterThan(60);
      // What uses no solver is served.
      expect((await bob.listTools()).tools.length).toBeGreaterThan(0);
      const line = logged("bob").find(({ outcome }) => outcome === "busy");
      expect(line).toMatchObject({ event: "call", tool: "solve_smtlib", cpu_ms: expect.any(Number) });
      expect(line.cpu_ms).toBeGreaterThanOrEqual(2_000);
      expect(await metric("verdict_processor_seconds")).toBeGreaterThanOrEqual(2);
      await bob.close();
    },
  );

  it("refuses messages above the bytes of an hour", async () => {
    const cat = await connectHttp(server.url, "auto", tokens["cat"]);
    let status = 200;
    for (let i = 0; i < 100 && status !== 429; i++) status = (await raw("cat", "x".repeat(2_000))).status;
    expect(status).toBe(429);
    await cat.close();
  });

  it("logs each call in a line, and no question", async () => {
    const dan = await connectHttp(server.url, "auto", tokens["dan"]);
    await ask(dan, easy);
    await dan.close();
    expect(logged("dan").at(-1)).toEqual({
      time: expect.any(String),
      event: "call",
      principal: "dan",
      tool: "solve_smtlib",
      outcome: "sat",
      ms: expect.any(Number),
      cpu_ms: expect.any(Number),
    });
    expect(server.stderr()).not.toContain("secret_name");
    expect(server.stderr()).toContain('"event":"refused"');
    expect(await metrics()).not.toContain("secret_name");
  });

  it("logs and counts the end of each job once, with what it used", async () => {
    const dan = await connectHttp(server.url, "auto", tokens["dan"]);
    const call = async (name: string, args: object) =>
      z
        .looseObject({ job_id: z.string() })
        .parse((await dan.callTool({ name, arguments: { ...args } })).structuredContent);
    const ends = () => logged("dan").filter(({ event }) => event === "job");
    await call("start_job", { tool: "solve_smtlib", arguments: easy });
    while (ends().length < 1) await sleep(20);
    const { job_id } = await call("start_job", { tool: "solve_smtlib", arguments: hard });
    while ((await metric("verdict_solver_processes")) < 1) await sleep(20);
    await call("cancel_job", { job_id });
    while (ends().length < 2) await sleep(20);
    // Started again twice, it is one new job.
    const again = await call("start_job", { restart_job: job_id });
    expect((await call("start_job", { restart_job: job_id })).job_id).toBe(again.job_id);
    await call("cancel_job", { job_id: again.job_id });
    while (ends().length < 3) await sleep(20);
    const numbers = { time: expect.any(String), ms: expect.any(Number), cpu_ms: expect.any(Number) };
    expect(ends()).toEqual(
      ["sat", "cancelled", "cancelled"].map((outcome) => ({
        ...{ event: "job", principal: "dan", tool: "solve_smtlib", outcome },
        ...numbers,
      })),
    );
    const text = await metrics();
    expect(text).toContain('verdict_jobs_total{tool="solve_smtlib",outcome="sat"} 1');
    expect(text).toContain('verdict_jobs_total{tool="solve_smtlib",outcome="cancelled"} 2');
    await dan.close();
  });

  it("shows memory and the queue of solvers", async () => {
    const text = await metrics();
    for (const name of ["verdict_calls_waiting", "verdict_solver_processes", "verdict_solver_resident_bytes"])
      expect(text).toMatch(new RegExp(`^${name} \\d`, "m"));
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  });

  it("has quotas from the command line", async () => {
    const own = join(directory, "own.json");
    const args = ["token", "eve", "--file", own, "--quota", "calls_at_once=2,bytes_per_hour=5000"];
    expect((await command(args)).status).toBe(0);
    expect(JSON.parse(readFileSync(own, "utf8")).tokens[0].quota).toEqual({ calls_at_once: 2, bytes_per_hour: 5_000 });
    const wrong = await command(["token", "eve", "--file", own, "--quota", "calls_at_onc=2"]);
    expect(wrong.status).not.toBe(0);
    expect(wrong.stderr).toContain("write calls_at_once if you meant that");
  });
});
