import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quickest_z3 } from "../support/engines.ts";
import { type HttpServer, serveHttp } from "../support/http.ts";
import { cpuSeconds, sees_processes } from "../support/processes.ts";
import { some } from "../support/runs_all.ts";

/**
 * One message must not keep the server from its other clients. What counts is the processor time of the server's own
 * process, which other programs do not change; that of the largest plain message is the measure.
 */
const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));
const repeated = (count: number, each: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => each(i)).join("");
const call = (name: string, args: unknown, more = {}) => ({ name, arguments: args, ...more });
const smtlib = (script: string, timeout_ms = 1_000) => call("solve_smtlib", { smtlib: script, timeout_ms });
const mzn = (more: object) => call("solve", { language: "minizinc", timeout_ms: 1_000, ...more });

const messages: Readonly<Record<string, object>> = {
  "20,000 constants without a declaration": smtlib(repeated(20_000, (i) => `(assert (> w${i} 3))\n`)),
  "40,000 named assertions": smtlib(
    `(declare-const x Int)${repeated(40_000, (i) => `(assert (! (> x ${i}) :named n${i}))\n`)}(check-sat)`,
  ),
  "20,000 scopes": smtlib(`${"(push)".repeat(20_000)}(check-sat)`),
  "30,000 constructors, 3,000 misspelt": smtlib(
    `(declare-datatype C (${repeated(30_000, (i) => `(c${i}) `)}))(declare-const x C)` +
      `(assert (match x (${repeated(3_000, (i) => `(d${i} true) `)})))(check-sat)`,
  ),
  "800,000 unknown arguments": call("solve_smtlib", { smtlib: "(check-sat)", ...fields(800_000) }),
  "400,000 arguments that are null": call(
    "solve_model",
    Object.fromEntries(Array.from({ length: 400_000 }, (_, i) => [`k${i}`, null])),
  ),
  "500,000 names in data": mzn({ model: "var 1..3: x;", data: fields(500_000) }),
  "a million items of a wrong type": call("solve", { items: Array(1_000_000).fill(1) }),
  "300,000 fields in _meta": call("get_memo", {}, { _meta: fields(300_000) }),
  "300,000 fields in params": call("get_memo", {}, fields(300_000)),
  "300,000 arguments of a job": call("start_job", { tool: "solve_smtlib", arguments: fields(300_000) }),
  "40,000 numbers in a MiniZinc list": mzn({ model: `array[int] of int: a = [${"1,".repeat(40_000)}];` }),
};

/** Models of a line, whose answers are large. */
const large_answers: Readonly<Record<string, object>> = {
  "100,000 atoms out of order": call("solve", {
    language: "asp",
    model: "p((X * 7919) \\ 100003) :- X = 1..100000.",
    timeout_ms: 200_000,
  }),
  "1,000 solutions of 500 values": mzn({
    model: "array[1..500] of var 1..3: x; solve satisfy;",
    max_solutions: 1_000,
    timeout_ms: 200_000,
  }),
  "300,000 atoms": call("solve", { language: "asp", model: "p(1..300000).", timeout_ms: 200_000 }),
};

describe.skipIf(!sees_processes)("a message that is expensive to read", () => {
  let server: HttpServer;
  /** Each on a connection of its own: one that was idle may have been closed meanwhile. */
  async function post(params: object, method = "tools/call") {
    const sending = request(server.url, {
      agent: false,
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(session && { "mcp-session-id": session }),
      },
    });
    sending.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    const [response]: IncomingMessage[] = await once(sending, "response");
    if (!response) throw new Error("there is no response");
    return { headers: response.headers, answer: await text(response) };
  }
  let session = "";
  /** The server's processor time for one message, and its answer. */
  async function costOf(params: object): Promise<{ seconds: number; answer: string }> {
    const before = cpuSeconds(server.child.pid ?? 0);
    const { answer } = await post(params);
    return { seconds: cpuSeconds(server.child.pid ?? 0) - before, answer };
  }

  /** The most processor time that the server used before it answered one of the questions beside a message. */
  async function longestWaitBeside(params: object): Promise<{ seconds: number; answer: string }> {
    let answer: string | undefined;
    const sending = post(params).then((response) => {
      answer = response.answer;
    });
    let seconds = 0;
    while (answer === undefined) {
      const before = cpuSeconds(server.child.pid ?? 0);
      await (await fetch(new URL("/healthz", server.url))).text();
      seconds = Math.max(seconds, cpuSeconds(server.child.pid ?? 0) - before);
      // Questions without a pause would use both processors.
      await sleep(20);
    }
    await sending;
    return { seconds, answer };
  }

  beforeAll(async () => {
    server = await serveHttp(["--tools", "smtlib,model,memo,jobs"], { VERDICT_Z3: quickest_z3 });
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "0" } };
    const { headers } = await post(hello, "initialize");
    session = String(headers["mcp-session-id"]);
    await costOf(smtlib("(check-sat)"));
  });
  afterAll(async () => void (await server.end()));

  it("costs the server no more than a long text does", async () => {
    const plain = await costOf(smtlib("x".repeat(9_000_000)));
    const allowed = 15 * Math.max(plain.seconds, 0.1);
    const expensive: string[] = [];
    for (const [name, params] of Object.entries(messages)) {
      const { seconds, answer } = await costOf(params);
      if (seconds > allowed) expensive.push(`${name}: ${seconds} s`);
      if (answer.length > 100_000) expensive.push(`${name}: an answer of ${answer.length} characters`);
    }
    expect(expensive).toEqual([]);
  }, 300_000);

  it("keeps nobody waiting for longer than a long text does, where the answer is large", async () => {
    const plain = await longestWaitBeside(smtlib("x".repeat(9_000_000)));
    const allowed = 2 * Math.max(plain.seconds, 0.1);
    const expensive: string[] = [];
    for (const [name, params] of some(Object.entries(large_answers), 2)) {
      const { seconds, answer } = await longestWaitBeside(params);
      expect(answer).toContain('"status":"sat"');
      if (seconds > allowed) expensive.push(`${name}: ${seconds} s`);
    }
    expect(expensive).toEqual([]);
  }, 600_000);

  it("names at most five unknown arguments", async () => {
    const { answer } = await costOf(call("solve_smtlib", { smtlib: "(check-sat)", ...fields(2_000) }));
    expect(answer.match(/Unknown argument/g)).toHaveLength(10);
    expect(answer).toContain("1995 more unknown arguments.");
  });

  it("is answered as a small one is, where it is made in a process of its own", async () => {
    const script = (count: number) =>
      smtlib(
        `(declare-const x Int)${repeated(count, (i) => `(assert (> x ${i}))\n`)}(assert (< x 3))(check-sat)`,
        60_000,
      );
    const [small, large] = [await costOf(script(4)), await costOf(script(1_000))];
    expect(small.answer).toContain('"status":"unsat"');
    expect(large.answer).toContain('"status":"unsat"');
    const wrong = await costOf(
      smtlib(
        repeated(1_000, (i) => `(assert (> w${i} 3))\n`),
        60_000,
      ),
    );
    expect(wrong.answer).toContain('"code":"input_rejected"');
    expect(wrong.answer).toContain("and 996 more");
  });
});
