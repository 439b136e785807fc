import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { Deadline } from "../../src/kernel/deadline.ts";
import { hostNames, isLoopback, readAddress } from "../../src/server/http/address.ts";
import { addToken, Tokens } from "../../src/server/http/auth/tokens.ts";
import { scratchDirectory } from "../support/directories.ts";
import { quickest_z3 } from "../support/engines.ts";
import { openFakes } from "../support/fakes.ts";
import { connectHttp, type HttpServer, serveHttp } from "../support/http.ts";
import { endless } from "../support/scripts.ts";

const directory = scratchDirectory();
const file = join(directory, "tokens.json");
const env = { VERDICT_Z3: quickest_z3, VERDICT_DATA: join(directory, "data") };
const eras = ["legacy", "auto"] as const;
const tokens: Record<string, string> = {};

const script = { smtlib: "(declare-const x Int)(assert (> x 3))(assert (< x 5))" };
const hard = { smtlib: endless, timeout_ms: 100_000 };

/** An entry whose token nobody has. */
const ofNobody = (name: string) => ({ name, sha256: "0".repeat(64), scopes: ["solve"] });

async function callSmtlib(client: Client, args: Record<string, unknown> = script, signal?: AbortSignal) {
  const options = { timeout: 200_000, ...(signal && { signal }) };
  return (await client.callTool({ name: "solve_smtlib", arguments: args }, options)).structuredContent;
}

/** Waits until a condition holds; fails by the limit of the test. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

describe("the address of a server", () => {
  it.each([
    ["8321", { host: "127.0.0.1", port: 8321 }, true],
    ["localhost:80", { host: "localhost", port: 80 }, true],
    ["[::1]:8321", { host: "::1", port: 8321 }, true],
    ["0.0.0.0:8321", { host: "0.0.0.0", port: 8321 }, false],
    ["verdict.example:1", { host: "verdict.example", port: 1 }, false],
  ])("is read: %s", (text, address, is_loopback) => {
    expect(readAddress(text)).toEqual(address);
    expect(isLoopback(address)).toBe(is_loopback);
  });

  it.each(["", "http", "1:2:3", "65536", "[1]:2", "host:", ":8000", "host name:1"])("is refused: %j", (text) => {
    expect(() => readAddress(text)).toThrow("[HOST:]PORT");
  });

  it("is one of the names that a client may use", () => {
    expect(hostNames({ host: "::", port: 1 }, ["verdict.example"])).toEqual([
      "localhost",
      "127.0.0.1",
      "[::1]",
      "[::]",
      "verdict.example",
    ]);
  });
});

describe("tokens", () => {
  const own = join(directory, "own.json");
  const soon = () => new Deadline(60_000);

  it("are kept as hashes only, in a file that only the owner reads", async () => {
    const token = await addToken(own, { name: "ann", scopes: ["solve"] }, soon());
    await addToken(own, { name: "bob", scopes: ["lean"], expires: "2001-01-01T00:00:00Z" }, soon());
    expect(readFileSync(own, "utf8")).not.toContain(token);
    expect(statSync(own).mode & 0o777).toBe(0o600);
    const all = new Tokens(own);
    await all.load();
    expect(await all.identify(token)).toEqual({
      kind: "known",
      principal: {
        ...{ id: "token:ann", name: "ann", folder: ["principals", "ann"], scopes: ["solve"] },
        quota: { calls_at_once: 16, calls_waiting: 48 },
      },
    });
    expect(await all.identify(`${token}x`)).toMatchObject({ kind: "refused" });
  });

  it("end when they expire, and when they are taken out of the file", async () => {
    const late = await addToken(own, { name: "late", scopes: ["solve"], expires: "2001-01-01T00:00:00Z" }, soon());
    const good = await addToken(own, { name: "good", scopes: ["solve"] }, soon());
    const all = new Tokens(own);
    await all.load();
    expect(await all.identify(late)).toEqual({ kind: "refused", reason: "the token has expired" });
    expect(await all.identify(good)).toMatchObject({ kind: "known" });
    writeFileSync(own, '{"tokens":[]}');
    await until(async () => (await all.identify(good)).kind === "refused");
  });

  it("end when the file is edited in place, and has its old size and time again", async () => {
    const token = await addToken(own, { name: "edited", scopes: ["solve"] }, soon());
    const all = new Tokens(own);
    await all.load();
    const { mtime } = statSync(own);
    const text = readFileSync(own, "utf8");
    writeFileSync(
      own,
      text.replaceAll(/"sha256": "./g, (field) => `${field.slice(0, -1)}${field.endsWith("0") ? 1 : 0}`),
    );
    utimesSync(own, mtime, mtime);
    await until(async () => (await all.identify(token)).kind === "refused");
  });

  it.each([
    ["{", "it is not JSON"],
    ['{"tokens":[{"name":"../x","sha256":"","scopes":["solve"]}]}', "tokens.0.name"],
    ['{"tokens":[{"name":"x","sha256":"00","scopes":["solve"]}]}', "tokens.0.sha256"],
    ['{"tokens":[],"more":1}', "more"],
    [JSON.stringify({ tokens: ["Ann", "ann"].map(ofNobody) }), "differ only in case"],
  ])("are refused in a file that is wrong: %s", async (text, words) => {
    writeFileSync(own, text);
    await expect(new Tokens(own).load()).rejects.toThrow(words);
  });

  it("of one name have one quota: another one is refused, in the file and for a new token", async () => {
    const quota = { calls_at_once: 2, bytes_per_hour: 5_000 };
    const words = "ann have different quotas (bytes_per_hour=5000,calls_at_once=2; none of its own)";
    writeFileSync(own, JSON.stringify({ tokens: [{ ...ofNobody("ann"), quota }, ofNobody("ann")] }));
    await expect(new Tokens(own).load()).rejects.toThrow(words);
    const same = JSON.stringify({ tokens: [{ ...ofNobody("ann"), quota }, ofNobody("bob")] });
    writeFileSync(own, same);
    await expect(addToken(own, { name: "ann", scopes: ["solve"] }, soon())).rejects.toThrow(words);
    // The tokens that are there stay valid.
    expect(readFileSync(own, "utf8")).toBe(same);
    await addToken(own, { name: "ann", scopes: ["solve"], quota: { bytes_per_hour: 5_000, calls_at_once: 2 } }, soon());
    await new Tokens(own).load();
  });
});

describe("a server on this machine", () => {
  let server: HttpServer;
  beforeAll(async () => {
    server = await serveHttp([], env);
  });
  afterAll(() => server.end());

  it.each(eras)("solves for a client of the %s era", async (era) => {
    const client = await connectHttp(server.url, era);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("solve_smtlib");
    expect(await callSmtlib(client)).toMatchObject({ status: "sat", model: { x: "4" } });
    await client.close();
  });

  it("solves for a client of the first SDK", async () => {
    const client = new OldClient({ name: "old", version: "1" });
    await client.connect(new OldTransport(server.url));
    const { structuredContent } = await client.callTool({ name: "solve_smtlib", arguments: script });
    expect(structuredContent).toMatchObject({ status: "sat" });
    await client.close();
  });

  it.each(eras)("keeps the models of a client of the %s era between its calls", async (era) => {
    const client = await connectHttp(server.url, era);
    const call = (name: string, args: Record<string, unknown>) =>
      client.callTool({ name, arguments: { model_id: era, ...args } }, { timeout: 200_000 });
    await call("clear_model", { language: "asp" });
    await call("add_item", { item: "a." });
    expect((await call("get_model", {})).structuredContent).toMatchObject({ items: [expect.anything()] });
    await client.close();
  });

  it.each(eras)("ends the call when a client of the %s era cancels", async (era) => {
    const client = await connectHttp(server.url, era);
    const giving_up = new AbortController();
    const call = callSmtlib(client, hard, giving_up.signal).catch(() => "cancelled");
    await until(async () => (await metricOf(server, "verdict_calls_running")) > 0);
    giving_up.abort();
    expect(await call).toBe("cancelled");
    await until(async () => (await metricOf(server, "verdict_calls_running")) === 0);
    await client.close();
  });

  it("ends the call when a client of 2026 vanishes in the middle", async () => {
    const client = await connectHttp(server.url, "auto");
    const call = callSmtlib(client, hard).catch(() => "gone");
    await until(async () => (await metricOf(server, "verdict_calls_running")) > 0);
    await client.close();
    await until(async () => (await metricOf(server, "verdict_calls_running")) === 0);
    await Promise.race([call, sleep(1_000)]);
  });

  const post = (headers: Record<string, string>, body: string | undefined = "{}", path = "/mcp") =>
    fetch(new URL(path, server.url), {
      method: "POST",
      headers: { accept: "application/json", ...headers },
      ...(body !== undefined && { body }),
    });

  it.each([
    ["another host", { host: "evil.example" }],
    ["the page of another site", { origin: "https://evil.example" }],
  ])("refuses a request of %s", async (_, headers) => {
    expect(await statusOfRaw(server.url, headers)).toBe(403);
    expect(server.stderr()).toContain('"event":"refused","status":403');
    expect(server.stderr()).not.toContain("evil.example");
  });

  it("refuses what is not a message, another path, another method and a session that is not there", async () => {
    expect((await post({}, "{")).status).toBe(400);
    expect((await post({}, "[]")).status).toBe(400);
    expect((await post({}, "{}", "/")).status).toBe(404);
    expect((await fetch(server.url, { method: "PUT" })).status).toBe(405);
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const of_nobody = await post({ "mcp-session-id": "x", "content-type": "application/json" }, ping);
    expect(of_nobody.status).toBe(404);
  });

  it("refuses a client of the older transport HTTP+SSE, and says what to set", async () => {
    for (const path of ["/mcp", "/sse"]) {
      const url = new URL(path, server.url);
      const client = new OldClient({ name: "verdict-tests", version: "0" });
      await expect(client.connect(new SSEClientTransport(url))).rejects.toThrow("405");
      const response = await fetch(url, { headers: { accept: "text/event-stream" } });
      expect(await response.json()).toMatchObject({
        error: { message: expect.stringMatching(/^The older transport HTTP\+SSE is not served: set .*\/mcp/) },
      });
    }
  });

  it("refuses a message that is too long, and serves the next one", async () => {
    const long = await post({ "content-type": "application/json" }, " ".repeat(10 * 1024 * 1024 + 1)).then(
      ({ status }) => status,
      () => 413, // The connection may end while the client still sends.
    );
    expect(long).toBe(413);
    const announced = { "content-length": String(10 * 1024 * 1024 + 1) };
    expect(await statusOfRaw(server.url, announced), "before it is sent").toBe(413);
    expect((await fetch(new URL("/healthz", server.url))).status).toBe(200);
  });

  it("leaves a client that never sends its headers", async () => {
    const socket = connectSocket(Number(server.url.port), server.url.hostname);
    socket.on("error", () => {});
    socket.write("POST /mcp HTTP/1.1\r\nhost: localhost\r\n");
    const drip = setInterval(() => socket.write("x-a: b\r\n"), 500);
    let response = "";
    socket.on("data", (piece: Buffer) => {
      response += piece.toString();
    });
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(drip);
    expect(response).toContain("408");
  });

  it("counts no error of its own where a client goes in the middle of its request", async () => {
    const socket = connectSocket(Number(server.url.port), server.url.hostname);
    const begin =
      "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{";
    await new Promise((resolve) => socket.write(begin, resolve));
    await new Promise((resolve) => setTimeout(resolve, 500));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await (await fetch(new URL("/metrics", server.url))).text()).not.toContain('code="500"');
    expect(server.stderr()).not.toContain("aborted");
  });

  it("says how it is, and counts without the text of users", async () => {
    expect((await fetch(new URL("/readyz", server.url))).status).toBe(200);
    const text = await (await fetch(new URL("/metrics", server.url))).text();
    expect(text).toMatch(/verdict_calls_total\{tool="solve_smtlib",outcome="sat"\} [1-9]/);
    expect(text).not.toContain("declare-const");
  });
});

describe("a server with tokens", () => {
  let server: HttpServer;
  beforeAll(async () => {
    const soon = new Deadline(60_000);
    tokens["ann"] = await addToken(file, { name: "ann", scopes: ["solve"] }, soon);
    tokens["bob"] = await addToken(file, { name: "bob", scopes: ["solve", "symbolic", "admin"] }, soon);
    server = await serveHttp(["--tokens", file], env);
  });
  afterAll(() => server.end());

  it.each([
    ["no token", {}],
    ["a wrong one", { authorization: "Bearer vt_wrong" }],
    ["another scheme", { authorization: "Basic YTpi" }],
  ])("refuses %s", async (_, headers: Record<string, string>) => {
    const { status, headers: given } = await fetch(server.url, { method: "POST", headers, body: "{}" });
    expect(status).toBe(401);
    expect(given.get("www-authenticate")).toContain("Bearer");
  });

  it("refuses a token in the address", async () => {
    const url = new URL(`${server.url.href}?access_token=${tokens["ann"]}&token=${tokens["ann"]}`);
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401);
  });

  it.each(eras)("offers each principal of the %s era the tools of its scopes, and its own models", async (era) => {
    const ann = await connectHttp(server.url, era, tokens["ann"]);
    const bob = await connectHttp(server.url, era, tokens["bob"]);
    const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names(ann)).not.toContain("symbolic_check");
    expect(await names(bob)).toContain("symbolic_check");
    const model = { model_id: `secret-${era}` };
    await ann.callTool({ name: "clear_model", arguments: { ...model, language: "asp" } });
    const seen = await bob.callTool({ name: "get_model", arguments: model });
    const unknown = await bob.callTool({ name: "get_model", arguments: { model_id: `nobody-${era}` } });
    expect(JSON.stringify(seen.content).replaceAll("secret", "nobody")).toBe(JSON.stringify(unknown.content));
    await ann.close();
    await bob.close();
  });

  it.each(eras)("keeps the jobs of a principal of the %s era from the others", async (era) => {
    const ann = await connectHttp(server.url, era, tokens["ann"]);
    const bob = await connectHttp(server.url, era, tokens["bob"]);
    const job = { tool: "solve_smtlib", arguments: script };
    const started = await ann.callTool({ name: "start_job", arguments: job });
    const id = z.object({ job_id: z.string() }).parse(started.structuredContent).job_id;
    const answer = await ann.callTool({ name: "get_job", arguments: { job_id: id, wait_s: 40 } }, { timeout: 100_000 });
    expect(JSON.stringify(answer.structuredContent)).toContain('"sat"');
    const other = `${id.slice(0, -4)}${id.endsWith("zzzz") ? "yyyy" : "zzzz"}`;
    const seen = await bob.callTool({ name: "get_job", arguments: { job_id: id } });
    const unknown = await bob.callTool({ name: "get_job", arguments: { job_id: other } });
    expect(seen.isError).toBe(true);
    expect(JSON.stringify(seen.content).replaceAll(id, "")).toBe(JSON.stringify(unknown.content).replaceAll(other, ""));
    await ann.close();
    await bob.close();
  });

  it("lets nobody use the session of another", async () => {
    const initialize = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    };
    const headers = (name: string) => ({
      authorization: `Bearer ${tokens[name]}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    });
    const opened = await fetch(server.url, {
      method: "POST",
      headers: headers("ann"),
      body: JSON.stringify(initialize),
    });
    const id = opened.headers.get("mcp-session-id") ?? "";
    expect(id).not.toBe("");
    await opened.text();
    const ping = async (name: string, session: string) => {
      const sent = { ...headers(name), "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
      const body = '{"jsonrpc":"2.0","id":2,"method":"ping"}';
      const answer = await fetch(server.url, { method: "POST", headers: sent, body });
      return { status: answer.status, text: await answer.text() };
    };
    expect((await ping("ann", id)).status).toBe(200);
    expect(await ping("bob", id)).toEqual(await ping("bob", "00000000-0000-0000-0000-000000000000"));
    expect((await ping("bob", id)).status).toBe(404);
  });

  it("shows the metrics to those with the scope only", async () => {
    const ask = (name: string) =>
      fetch(new URL("/metrics", server.url), { headers: { authorization: `Bearer ${tokens[name]}` } });
    expect((await ask("ann")).status).toBe(403);
    expect((await ask("bob")).status).toBe(200);
  });
});

/** A solver that hangs takes no processor time from the others. */
const fakes = openFakes();
afterAll(() => fakes.remove());

describe("starting and ending", () => {
  it.each([
    [["--http", "0.0.0.0:0"], "no token would be required"],
    [["--http", "nonsense"], "[HOST:]PORT"],
    [["--http", "0", "--tokens", join(directory, "none.json")], "could not be read (ENOENT)"],
  ])("is refused: %j", async (args, words) => {
    await expect(serveHttp(args, env)).rejects.toThrow(words);
  });

  it.each(eras)("waits at SIGTERM for a running call of the %s era, and takes no new one", async (era) => {
    const server = await serveHttp([], { ...env, VERDICT_Z3: fakes.path("hang") });
    const client = await connectHttp(server.url, era);
    const running = callSmtlib(client, { ...hard, timeout_ms: 3_000 });
    await until(async () => (await metricOf(server, "verdict_calls_running")) > 0);
    const ended = server.end();
    await until(async () => (await fetch(new URL("/readyz", server.url))).status === 503);
    expect((await fetch(server.url, { method: "POST", body: "{}" })).status).toBe(503);
    expect(await running).toMatchObject({ status: "unknown" });
    expect(await ended).toBe(0);
  });
});

describe("a call that goes on at SIGTERM", () => {
  it("becomes a job, which the next server knows; a client that waits for a job gets it too", async () => {
    const data = { VERDICT_DATA: join(directory, "handed_over"), VERDICT_Z3: fakes.path("hang") };
    const server = await serveHttp([], data);
    const one = await connectHttp(server.url, "auto");
    const begin = { name: "start_job", arguments: { tool: "solve_smtlib", arguments: { ...hard, engine: "z3" } } };
    const begun = Running.parse((await one.callTool(begin)).structuredContent);
    const read = { name: "get_job", arguments: { job_id: begun.job_id, wait_s: 40 } };
    const waiting = one.callTool(read, { timeout: 100_000 });
    const running = callSmtlib(one, { ...hard, engine: "z3" });
    await until(async () => (await metricOf(server, "verdict_calls_running")) > 1);
    const ended = server.end();
    const answer = Running.parse(await running);
    expect((await waiting).structuredContent).toMatchObject({ status: "running", job_id: begun.job_id });
    expect(await ended).toBe(0);
    const next = await serveHttp([], data);
    const client = await connectHttp(next.url, "auto");
    const { structuredContent } = await client.callTool({ name: "get_job", arguments: { job_id: answer.job_id } });
    expect(structuredContent).toMatchObject({ status: "interrupted", job_id: answer.job_id, tool: "solve_smtlib" });
    await next.end();
  });
});

const Running = z.object({ status: z.literal("running"), job_id: z.string() });

/** The value of a metric without labels. */
async function metricOf(server: HttpServer, name: string): Promise<number> {
  const text = await (await fetch(new URL("/metrics", server.url))).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
}

/** The status of a request with headers that `fetch` does not let through. */
function statusOfRaw(url: URL, headers: Record<string, string>): Promise<number> {
  const all = { host: url.host, "content-length": "2", connection: "close", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return new Promise((resolve, reject) => {
    const socket = connectSocket(Number(url.port), url.hostname);
    let text = "";
    socket.on("data", (piece: Buffer) => {
      text += piece.toString();
    });
    socket.once("error", reject);
    socket.once("close", () => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1])));
    socket.write(`POST ${url.pathname} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n{}`);
  });
}
