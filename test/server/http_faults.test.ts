import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect as connectSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { McpServer } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod/v4";
import { treeOf } from "../../src/kernel/process/process_tree.ts";
import { anybody } from "../../src/server/http/auth/principal.ts";
import { http_limits } from "../../src/server/http/limits.ts";
import { Sessions } from "../../src/server/http/sessions.ts";
import { removeDirectory } from "../support/directories.ts";
import { quickest_z3 } from "../support/engines.ts";
import { connectHttp, serveHttp } from "../support/http.ts";
import { cpuSeconds, sees_processes } from "../support/processes.ts";
import { runs_all } from "../support/runs_all.ts";
import { open_question } from "../support/scripts.ts";

/** Faults around HTTP and jobs, with real servers, sockets, disks and solvers. */
function directoryOf(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), `verdict-${name}-`));
  onTestFinished(() => removeDirectory(directory));
  return directory;
}

async function served(data: string, more: Record<string, string> = {}) {
  const server = await serveHttp(["--tools", "smtlib,jobs"], { VERDICT_DATA: data, VERDICT_Z3: quickest_z3, ...more });
  onTestFinished(async () => void (await server.end()));
  return server;
}

const Structured = z.looseObject({ status: z.string() });
async function client(url: URL) {
  const connected = await connectHttp(url, "auto");
  onTestFinished(() => connected.close());
  return async (name: string, args: Record<string, unknown> = {}) =>
    Structured.parse((await connected.callTool({ name, arguments: args }, { timeout: 200_000 })).structuredContent);
}

const initialize = JSON.stringify({
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "0" } },
});
const post = (url: string, headers: Record<string, string> = {}, body = initialize) =>
  fetch(url, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
  });

/** Opens sessions as clients do that never end them; gives the status of each answer. */
async function openSessions(url: string, count: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  for (let i = 0; i < count; i += 50) {
    const some = Array.from({ length: Math.min(50, count - i) }, async () => {
      const response = await post(url);
      await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    });
    await Promise.all(some);
  }
  return statuses;
}

/** Ten thousand in `npm run test:long`: the cap is the same, and each request takes a millisecond or two. */
const session_requests = runs_all ? 10_000 : 5 * http_limits.principal_sessions_max;

describe("many sessions that nobody ends", () => {
  afterEach(() => void vi.useRealTimers());

  it("are capped; who had none is served as before", async () => {
    const { url } = await served(directoryOf("sessions"));
    expect(await openSessions(url.href, session_requests)).toEqual(
      new Map([
        [200, http_limits.principal_sessions_max],
        [503, session_requests - http_limits.principal_sessions_max],
      ]),
    );
    // A client without a session needs none.
    const call = await client(url);
    expect(await call("solve_smtlib", { smtlib: "(assert false)" })).toMatchObject({ status: "unsat" });
  });

  it("expire when they are idle, whatever the clock says, and make room", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance", "Date"] });
    const sessions = new Sessions();
    const cap = http_limits.principal_sessions_max;
    const server = createServer(async (request, response) => {
      if (!sessions.hasRoom(anybody)) return response.writeHead(503).end();
      const session = await sessions.open(anybody, new McpServer({ name: "test", version: "0" }));
      return sessions.handle(session, request, response, JSON.parse(await readText(request)));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = z.object({ port: z.number() }).parse(server.address());
    const url = `http://127.0.0.1:${port}/mcp`;
    for (let i = 0; i < cap; i++) expect((await post(url)).status).toBe(200);
    expect((await post(url)).status).toBe(503);
    // The clock of the system is set a year ahead.
    vi.setSystemTime(Date.now() + 365 * 24 * 3_600_000);
    vi.advanceTimersByTime(http_limits.session_sweep_ms);
    expect(sessions.size, "a clock that jumps ends nothing").toBe(cap);
    vi.advanceTimersByTime(http_limits.session_idle_ms_max + 2 * http_limits.session_sweep_ms);
    await expect.poll(() => sessions.size).toBe(0);
    expect((await post(url)).status).toBe(200);
    vi.useRealTimers();
    await sessions.close();
    server.close();
    server.closeAllConnections();
  });
});

describe("a client that sends its body drop by drop", () => {
  it("is left after the time for a whole request", async () => {
    const { url } = await served(directoryOf("slow"));
    const socket = connectSocket(Number(url.port), "127.0.0.1");
    let heard = "";
    socket.on("data", (piece) => {
      heard += piece.toString();
    });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n`;
    socket.write(head);
    const drops = setInterval(() => socket.write(" "), 1_000);
    await closed;
    clearInterval(drops);
    expect(heard).toMatch(/^HTTP\/1\.1 408/);
    const call = await client(url);
    expect(await call("solve_smtlib", { smtlib: "(assert false)" })).toMatchObject({ status: "unsat" });
  });
});

describe("a wish to cancel that overtakes its request", () => {
  it("ends the call of a client of 2025", async () => {
    const { url } = await served(directoryOf("overtake"), { VERDICT_HANDOVER_MS: "0" });
    const session = { "mcp-session-id": (await post(url.href)).headers.get("mcp-session-id") ?? "" };
    const cancel = async (requestId: number) => {
      const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
      expect((await post(url.href, session, body)).status).toBe(202);
    };
    // Also after many that came too late: their requests were answered.
    for (let i = 0; i < http_limits.cancelled_early_max; i++) await cancel(1_000 + i);
    await cancel(7);
    const params = { name: "solve_smtlib", arguments: { ...open_question, timeout_ms: 600_000 } };
    const request = { jsonrpc: "2.0", id: 7, method: "tools/call", params };
    // No answer follows; with none of this the call would last for ten minutes.
    expect(await (await post(url.href, session, JSON.stringify(request))).text()).not.toContain("result");
    const next = { ...request, id: 8, params: { ...params, arguments: { smtlib: "(assert false)" } } };
    expect(await (await post(url.href, session, JSON.stringify(next))).text()).toContain("unsat");
  });
});

describe.runIf(sees_processes)("a client of 2025 that vanishes in the middle of a call", () => {
  it("finds its call as a job when it comes back", async () => {
    const { url, child } = await served(directoryOf("vanish"), { VERDICT_HANDOVER_MS: "3000" });
    const id = (await post(url.href)).headers.get("mcp-session-id") ?? "";
    const gone = new AbortController();
    const request = { jsonrpc: "2.0", id: 2, method: "tools/call" };
    const body = JSON.stringify({ ...request, params: { name: "solve_smtlib", arguments: open_question } });
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const stream = fetch(url, {
      method: "POST",
      headers: { ...headers, "mcp-session-id": id },
      body,
      signal: gone.signal,
    });
    const atWork = () => treeOf(child.pid ?? 0).filter((pid) => pid !== child.pid && cpuSeconds(pid) > 0.5);
    await stream;
    await expect.poll(() => atWork().length, { timeout: 100_000, interval: 50 }).toBeGreaterThan(0);
    gone.abort();
    const call = await client(url);
    const Jobs = z.object({ jobs: z.array(z.object({ job_id: z.string(), state: z.string() })) });
    const jobs = async () => Jobs.parse(await call("list_jobs")).jobs;
    await expect.poll(async () => (await jobs())[0]?.state, { timeout: 100_000, interval: 200 }).toBe("running");
    const [job] = await jobs();
    expect(await call("cancel_job", { job_id: job?.job_id })).toMatchObject({ status: "cancelled" });
  });
});

describe("two servers on one data directory", () => {
  it("show each other's jobs to their clients, and cancel them", async () => {
    const data = directoryOf("shared");
    const [one, two] = await Promise.all([served(data), served(data)]);
    const [first, second] = await Promise.all([client(one.url), client(two.url)]);
    const { job_id } = await first("start_job", { tool: "solve_smtlib", arguments: open_question });
    expect(await second("get_job", { job_id, wait_s: 0 })).toMatchObject({ status: "running", tool: "solve_smtlib" });
    expect(await second("cancel_job", { job_id })).toMatchObject({ status: "cancelled" });
    const done = await second("start_job", { tool: "solve_smtlib", arguments: { smtlib: "(assert false)" } });
    expect(await first("get_job", { job_id: done["job_id"], wait_s: 40 })).toMatchObject({ status: "unsat" });
  });
});

describe("a full disk", () => {
  it("costs a job only the keeping: it runs, says so, and is written when there is room", async ({ skip }) => {
    const disk = join(directoryOf("disk"), "disk");
    mkdirSync(disk);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", disk], { stdio: "ignore" });
    } catch {
      return skip("only root can make a small file system");
    }
    onTestFinished(() => void execFileSync("umount", ["-l", disk]));
    const { url } = await served(disk);
    const call = await client(url);
    const filler = join(disk, "filler");
    for (let i = 0; i < 200; i++) {
      try {
        writeFileSync(`${filler}${i}`, "x".repeat(4_096));
      } catch {
        // It is full now.
        break;
      }
    }
    const begun = await call("start_job", { tool: "solve_smtlib", arguments: { smtlib: "(assert false)" } });
    expect(begun["warnings"]).toEqual([expect.stringContaining("ENOSPC")]);
    const { job_id } = begun;
    expect(await call("get_job", { job_id, wait_s: 40 })).toMatchObject({ status: "unsat" });
    for (const name of readdirSync(disk)) if (name.startsWith("filler")) rmSync(join(disk, name));
    const isWritten = () => readdirSync(join(disk, "jobs")).includes(`${job_id}.ending.json`);
    while (!isWritten()) await sleep(200);
    expect(await call("get_job", { job_id, wait_s: 0 })).toMatchObject({ status: "unsat" });
  });
});

describe("a client that asks before it sends its body", () => {
  it("gets no 100 Continue for a token that is refused, and one where it is welcome", async () => {
    const directory = directoryOf("continue");
    const tokens = join(directory, "tokens.json");
    writeFileSync(tokens, '{"tokens":[]}');
    const answerOf = async (url: URL) => {
      const socket = connectSocket(Number(url.port), "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      socket.write(
        `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${url.port}\r\nAuthorization: Bearer wrong\r\nContent-Type: application/json\r\n` +
          `Accept: application/json, text/event-stream\r\nExpect: 100-continue\r\nContent-Length: ${initialize.length}\r\n\r\n`,
      );
      const [piece] = await once(socket, "data");
      return String(piece).split("\r\n")[0];
    };
    const closed = await serveHttp(["--tools", "smtlib", "--tokens", tokens], { VERDICT_DATA: directory });
    onTestFinished(async () => void (await closed.end()));
    expect(await answerOf(closed.url)).toBe("HTTP/1.1 401 Unauthorized");
    const open = await served(directory);
    expect(await answerOf(open.url)).toBe("HTTP/1.1 100 Continue");
  });
});
