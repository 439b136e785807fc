import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cli } from "../support/client.ts";
import { removeDirectory } from "../support/directories.ts";
import { type FakeSolvers, openFakes } from "../support/fakes.ts";
import { endAll, leftOver, sees_processes } from "../support/processes.ts";
import { easy } from "../support/scripts.ts";

let fakes: FakeSolvers;
let server: ChildProcessWithoutNullStreams;
let next_id = 0;

beforeEach(() => {
  fakes = openFakes();
});

afterEach(() => {
  server.kill("SIGKILL");
  if (sees_processes) endAll(fakes.directory);
  fakes.remove();
});

function start(z3: string): void {
  const env = { ...process.env, TMPDIR: fakes.directory, VERDICT_Z3: z3 };
  server = spawn(process.execPath, [cli, "serve"], { env });
  server.stdin.on("error", () => {});
  initialize();
}

function send(message: Record<string, unknown>): void {
  server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function initialize(): void {
  const clientInfo = { name: "verdict-tests", version: "0" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  send({ id: next_id++, method: "initialize", params });
  send({ method: "notifications/initialized" });
}

function solve(smtlib: string): number {
  send({ id: next_id, method: "tools/call", params: { name: "solve_smtlib", arguments: { smtlib } } });
  return next_id++;
}

/** What comes on stdout until the answer to this call is there. */
async function answerTo(id: number): Promise<string> {
  let text = "";
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes(`"id":${id}}`) && text.endsWith("\n")) return text;
  }
  throw new Error(`the server ended before it answered ${id}`);
}

describe("a server whose client", () => {
  /** Its solver dies with words on stderr, so that each call makes the server log. */
  const startLogging = () => start(fakes.path("exit_3_with_words"));

  test("does not listen to its log goes on answering", async () => {
    startLogging();
    server.stderr.destroy();
    for (let i = 0; i < 3; i++) {
      expect(await answerTo(solve(easy))).toContain("engine_failed");
      await sleep(100);
    }
    expect(server.exitCode).toBeNull();
  });

  test("does not listen to its answers ends, and leaves nothing", { skip: !sees_processes }, async () => {
    startLogging();
    server.stdout.destroy();
    const ended = once(server, "exit");
    for (let i = 0; i < 3; i++) solve(easy);
    await ended;
    expect(await leftOver(fakes.directory)).toEqual([]);
  });

  test("does not read its answers still can end it", { skip: !sees_processes }, async () => {
    startLogging();
    server.stdout.pause();
    const ended = once(server, "exit");
    for (let i = 0; i < 50; i++) solve(`${easy}(echo "${"x".repeat(50_000)}")`);
    await sleep(1_000);
    server.kill("SIGTERM");
    await ended;
    expect(await leftOver(fakes.directory)).toEqual([]);
  });

  test("sends nonsense goes on answering", async () => {
    startLogging();
    server.stdin.write('nonsense\n{"jsonrpc":"2.0"}\n[]\n\u0000\n');
    expect(await answerTo(solve(easy))).toContain("engine_failed");
  });
});

describe.skipIf(process.platform === "win32")("a server whose solver", () => {
  test("can't be started any more goes on answering", async () => {
    const directory = join(fakes.directory, "bin");
    mkdirSync(directory);
    symlinkSync(fakes.path("good"), join(directory, "good"));
    start(join(directory, "good"));
    expect(await answerTo(solve(easy))).toContain('"sat"');
    // Its spare is there by now, and serves the next call; the one after that finds none.
    await sleep(500);
    removeDirectory(directory);
    writeFileSync(directory, "no directory any more");
    for (let i = 0; i < 3; i++) {
      await sleep(200);
      expect(await answerTo(solve(easy))).toMatch(/"sat"|engine_failed/);
    }
    expect(server.exitCode).toBeNull();
  });
});
