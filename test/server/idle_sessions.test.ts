import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { McpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Deadline } from "../../src/kernel/deadline.ts";
import { anybody } from "../../src/server/http/auth/principal.ts";
import { addToken } from "../../src/server/http/auth/tokens.ts";
import { Sessions } from "../../src/server/http/sessions.ts";
import { scratchDirectory } from "../support/directories.ts";
import { type HttpServer, serveHttp } from "../support/http.ts";

const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
});

describe("a session that nobody uses", () => {
  const sessions = new Sessions(300, 50);
  let ended = 0;
  const server = createServer(async (request, response) => {
    const of_client = new McpServer({ name: "t", version: "1" });
    of_client.server.onclose = () => {
      ended++;
    };
    await sessions.handle(await sessions.open(anybody, of_client), request, response, JSON.parse(initialize));
  });
  afterAll(async () => {
    await sessions.close();
    server.close();
  });

  it("ends by itself, with its server", async () => {
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        resolve(typeof address === "object" && address ? address.port : 0);
      });
    });
    const opened = await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", headers, body: initialize });
    await opened.text();
    const id = opened.headers.get("mcp-session-id") ?? "";
    expect(sessions.find(id, anybody)).toBeDefined();
    while (sessions.size > 0) await sleep(20);
    expect(sessions.find(id, anybody)).toBeUndefined();
    expect(ended).toBe(1);
  });
});

describe("sessions", () => {
  const directory = scratchDirectory();
  const file = join(directory, "tokens.json");
  const names = ["a", "b", "c", "d", "e", "f"];
  const tokens: string[] = [];
  let server: HttpServer;
  beforeAll(async () => {
    for (const name of names) tokens.push(await addToken(file, { name, scopes: ["solve"] }, new Deadline(60_000)));
    server = await serveHttp(["--tokens", file], { VERDICT_DATA: join(directory, "data") });
  });
  afterAll(async () => {
    await server.end();
  });

  const open = async (token: string | undefined) => {
    const authorization = `Bearer ${token}`;
    const answer = await fetch(server.url, {
      method: "POST",
      headers: { ...headers, authorization },
      body: initialize,
    });
    await answer.text();
    return answer;
  };

  it("are bounded for each principal, and in all; one that is ended makes room", async () => {
    const opened: string[] = [];
    for (let i = 0; i < 100; i++) opened.push((await open(tokens[0])).headers.get("mcp-session-id") ?? "");
    expect(new Set(opened).size).toBe(100);
    const refused = await open(tokens[0]);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).not.toBeNull();
    const end = { authorization: `Bearer ${tokens[0]}`, "mcp-session-id": opened[0] ?? "" };
    expect((await fetch(server.url, { method: "DELETE", headers: { ...headers, ...end } })).status).toBe(200);
    expect((await open(tokens[0])).status).toBe(200);
    for (const token of tokens.slice(1, 5)) for (let i = 0; i < 100; i++) expect((await open(token)).status).toBe(200);
    // All 500 are taken, and this principal has none.
    expect((await open(tokens[5])).status).toBe(503);
    expect((await fetch(new URL("/readyz", server.url))).status).toBe(200);
  });
});
