import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createConnection, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { TacticDaemon } from "../../src/engines/tactic/daemon/daemon.ts";
import { MessageReader } from "../../src/engines/tactic/message_reader.ts";
import { type FakeServer, fakeServer, sendJson } from "../support/completions.ts";
import { removeDirectory } from "../support/directories.ts";
import { faultOf } from "../support/faults.ts";
import { plainClient } from "../support/lean.ts";
import { freePort } from "../support/ports.ts";
import { openTools } from "../support/tools.ts";

const state = "h1 : p\n⊢ p → q";

let directory: string;
let model: FakeServer;
let port: number;
let daemon: TacticDaemon;

const configOf = (env: Record<string, string>) =>
  readConfig({ tools: "lean" }, { VERDICT_DATA: directory, TACTIC_SERVER_PORT: String(port), ...env });
const named = () => ({ VERDICT_LEAN_MODEL: "openai:scripted", VERDICT_LEAN_URL: model.url });

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "verdict-foreign-"));
  model = await fakeServer((_, { temperature, n }, response) => {
    const texts = Array.from({ length: Number(n ?? 1) }, (_each, i) => (temperature === 0 ? "simp" : `exact h${i}`));
    sendJson(response, { choices: texts.map((text) => ({ text, finish_reason: "stop" })) });
  });
  port = await freePort();
  daemon = new TacticDaemon(
    configOf({ ...named(), TACTIC_SERVER_PID_FILE: join(directory, ".tactic_server.pid") }),
    () => {},
  );
  await daemon.start();
});
afterAll(async () => {
  await daemon?.close();
  model?.close();
  removeDirectory(directory);
});

/** Sends bytes in pieces, and gives all that comes until the connection ends. */
function untilEnd(pieces: readonly string[]): Promise<string> {
  return new Promise((done, fail) => {
    const socket = createConnection({ host: "127.0.0.1", port, allowHalfOpen: true });
    let response = "";
    socket.on("error", fail).on("data", (piece) => {
      response += piece.toString();
    });
    socket.on("end", () => {
      socket.destroy();
      done(response);
    });
    for (const piece of pieces) socket.write(piece);
  });
}

describe("the daemon takes", () => {
  it("a complete object without a line end", async () => {
    const request = JSON.stringify({ method: "generate", params: { proof_state: `h : "}" = "\\""\n${state}` } });
    expect(await plainClient(port, request)).toMatchObject({ status: "success", tactics: expect.any(Array) });
    expect(await plainClient(port, `  ${request}`)).toMatchObject({ status: "success" });
  });

  it("the older form, and answers in it; the connection ends then, as its clients may wait for that", async () => {
    const asked = { state, num: 3, temp: 1, max_tokens: 16 };
    const line = JSON.stringify(asked);
    for (const pieces of [[line], [`${line}\n`], [line.slice(0, 20), line.slice(20)]]) {
      const reply = JSON.parse(await untilEnd(pieces));
      expect(reply).toEqual({ tactics: ["simp", "exact h0", "exact h1"], time: expect.any(Number), num_generated: 3 });
    }
    expect(model.bodies.at(-1)).toMatchObject({ max_tokens: 16 });
    expect(JSON.parse(await untilEnd([JSON.stringify({ state })]))).toMatchObject({
      num_generated: expect.any(Number),
    });
    expect(JSON.parse(await untilEnd([JSON.stringify({ ...asked, temp: null })]))).toMatchObject({ num_generated: 3 });
  });

  it("the older form with a fault in it, and says so", async () => {
    for (const [wrong, words] of [
      [{ state: "" }, "non-empty"],
      [{ state, num: 99 }, "num_suggestions must be"],
      [{ state, temp: "hot" }, "temperature must be"],
    ] as const)
      expect(JSON.parse(await untilEnd([JSON.stringify(wrong)]))).toMatchObject({
        error: expect.stringContaining(words),
      });
  });
});

it("messages are read out of any pieces", () => {
  const stream = Buffer.from('{"a":{"b":"}\\\\"}}{"c":[1]}\n\n  {"d":"⊢ \\" {"}\nplain text {"x":1}\n{"e":\n{"f":1');
  const expected = ['{"a":{"b":"}\\\\"}}', '{"c":[1]}', '  {"d":"⊢ \\" {"}', 'plain text {"x":1}\n', '{"e":\n'];
  for (let size = 1; size <= stream.length; size++) {
    const reader = new MessageReader(1_000);
    const read: string[] = [];
    for (let at = 0; at < stream.length; at += size) {
      const more = reader.take(stream.subarray(at, at + size));
      if (more !== "too_long") read.push(...more);
    }
    expect(read).toEqual(expected);
    expect(reader.rest).toBe('{"f":1');
  }
  expect(new MessageReader(10).take(stream)).toBe("too_long");
  expect(new MessageReader(10).take(Buffer.from('{"aaaaaaaaaaaaa'))).toBe("too_long");
});

describe("a daemon that speaks the older form only", () => {
  let server: Server;
  afterEach(() => server?.close());

  /** What it knows, and what it does with the rest. */
  type Manner = "says an error" | "hangs up" | "writes for an empty state" | "says an error with a status";

  async function older(manner: Manner, ends = "\n") {
    const asked: unknown[] = [];
    server = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (piece) => {
        const request = JSON.parse(piece.toString());
        asked.push(request);
        if (!("state" in request) && manner === "hangs up") return socket.destroy();
        if (!("state" in request) && manner.startsWith("says an error"))
          return socket.end(
            JSON.stringify({ error: "'state'", ...(manner.endsWith("status") && { status: "error" }) }),
          );
        const { state: given = "", num = 5 } = request;
        if (given === "fail") return socket.write(JSON.stringify({ error: "out of memory" }) + ends);
        const tactics = given === "" ? ["garbage"] : ["linarith", "omega", "sorry"].slice(0, num);
        return socket.write(JSON.stringify({ tactics, time: 1.5, num_generated: tactics.length }) + ends);
      });
    });
    const own = await freePort();
    await new Promise<void>((up) => server.listen(own, "127.0.0.1", up));
    return { tools: openTools(configOf({ TACTIC_SERVER_PORT: String(own) })), asked };
  }

  it.each([
    ["says an error", "\n"],
    ["says an error", ""],
    ["says an error with a status", "\n"],
    ["hangs up", "\n"],
    ["writes for an empty state", ""],
  ] as const)("and %s at what it does not know (its replies end with %j) is asked in it", async (manner, ends) => {
    const { tools, asked } = await older(manner, ends);
    const order = { proof_state: state, num_suggestions: 3, temperature: 1, max_tokens: 32 };
    for (let i = 0; i < 2; i++)
      expect(await tools.call("bfs_suggest_tactics", order)).toMatchObject({
        tactics: ["linarith", "omega"],
        generation_time: 1.5,
      });
    expect(asked.at(-1)).toEqual({ state, num: 3, temp: 1, max_tokens: 32 });
    const evaluated = await faultOf(tools.call("bfs_evaluate_tactic", { proof_state: state, tactic: "simp" }));
    expect(evaluated.code).toBe("daemon_down");
    tools.close();
  });

  it("and fails is a fault in its words", async () => {
    const { tools } = await older("says an error");
    server.removeAllListeners("connection").on("connection", (socket) => {
      socket.on("error", () => {}).on("data", () => socket.end('{"error":"out of memory"}'));
    });
    const fault = await faultOf(tools.call("bfs_suggest_tactics", { proof_state: state }));
    expect(fault.error).toContain("out of memory");
    tools.close();
  });
});

describe("the file of the bare pid", () => {
  const file = () => join(directory, ".tactic_server.pid");

  it("is written where the user names it, and read for a daemon that reports no pid", async () => {
    expect(Number(readFileSync(file(), "utf8"))).toBe(process.pid);
    const server = createServer((socket) => socket.end('{"error":"unknown method","status":"error"}\n'));
    const own = await freePort();
    await new Promise<void>((up) => server.listen(own, "127.0.0.1", up));
    const tools = openTools(configOf({ TACTIC_SERVER_PORT: String(own), TACTIC_SERVER_PID_FILE: file() }));
    expect(await tools.call("bfs_daemon_status")).toMatchObject({ status: "running", pid: process.pid });
    tools.close();
    server.close();
  });

  it("is taken away at the end, is none but ours, and a file of something else is left as it is", async () => {
    const [own, other] = [join(directory, "own.pid"), join(directory, "notes.txt")];
    writeFileSync(own, "4711\n");
    writeFileSync(other, "my notes");
    const start = async (path: string) => {
      const env = { ...named(), VERDICT_DATA: join(directory, "second"), TACTIC_SERVER_PORT: String(await freePort()) };
      const second = new TacticDaemon(configOf({ ...env, TACTIC_SERVER_PID_FILE: path }), () => {});
      await second.start();
      return second;
    };
    const second = await start(own);
    expect(Number(readFileSync(own, "utf8"))).toBe(process.pid);
    await second.close();
    expect(() => readFileSync(own)).toThrow("ENOENT");
    const fault = await faultOf(start(other));
    expect(fault.error).toContain(`${other}, which TACTIC_SERVER_PID_FILE names`);
    expect(readFileSync(other, "utf8")).toBe("my notes");
  });
});
