import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, cli, connect, solve } from "../support/client.ts";
import { builds_by_itself, quickest_z3 } from "../support/engines.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { type FakeSolvers, openFakes } from "../support/fakes.ts";
import { fixture } from "../support/fixture.ts";
import { endless } from "../support/scripts.ts";

/** The generic scenarios of MCP that a server on stdio can show. */
describe.each(["legacy", "auto"] as const)("a client that opens as %s", (era) => {
  const server = fixture(() => connect({ era, env: { VERDICT_Z3: quickest_z3 } }));

  it("reads the guide as a resource and as a prompt", async () => {
    const { contents } = await server.client.readResource({ uri: "verdict://guide/smtlib" });
    const [content] = contents;
    const text = content && "text" in content ? content.text : "";
    expect(text).toContain("# Stating problems to solve_smtlib");
    const { messages } = await server.client.getPrompt({ name: "instructions", arguments: { language: "smtlib" } });
    expect(messages).toEqual([{ role: "user", content: { type: "text", text } }]);
  });

  it("reads which engines are there, without a path of the machine", async () => {
    const { contents } = await server.client.readResource({ uri: "verdict://engines" });
    const [content] = contents;
    const text = content && "text" in content ? content.text : "";
    const [z3, ...others] = JSON.parse(text);
    expect(z3).toMatchObject({ name: "z3", found: true, kind: quickest_z3 === "wasm" ? "wasm" : "native" });
    expect(others.map(({ name }: { name: string }) => name)).toEqual([
      "python",
      "z3 in python",
      "pysat",
      "crosshair",
      "cpmpy",
      "ortools",
      "cvc5",
      "bitwuzla",
      "exact",
      "pumpkin",
      "minizinc",
      "clingo",
      "lean tactics",
      "lean repl",
    ]);
    expect(text).not.toMatch(/\/(home|root|usr|tmp|work|Users)\//);
  });

  it("is refused with a protocol error for a tool, a resource or a prompt that does not exist", async () => {
    await expect(server.client.callTool({ name: "solve_everything", arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(server.client.readResource({ uri: "verdict://nothing" })).rejects.toThrow();
    await expect(server.client.getPrompt({ name: "nothing" })).rejects.toThrow();
    await expect(server.client.getPrompt({ name: "instructions", arguments: { language: "cobol" } })).rejects.toThrow();
  });

  it("gets an error result, not a protocol error, for bad arguments", async () => {
    const { isError, structured } = await solve(server, { smtlib: 1 });
    expect(isError).toBe(true);
    expect(structured["code"]).toBe("invalid_argument");
  });

  it("gets reason and remarks in a second part of the text", async () => {
    const result = await server.client.callTool({
      name: "solve_smtlib",
      arguments: { smtlib: "(set-info :status sat)(assert false)(check-sat)" },
    });
    expect(result.content).toEqual([
      { type: "text", text: "; unsat" },
      { type: "text", text: "; note: The script says (set-info :status sat), but Z3 answered unsat." },
    ]);
  });

  it("cancels a call, and is served on", async () => {
    const cancel = new AbortController();
    const call = server.client.callTool(
      { name: "solve_smtlib", arguments: { smtlib: endless } },
      { signal: cancel.signal },
    );
    setTimeout(() => cancel.abort("enough"), 400);
    await expect(call).rejects.toThrow();
    cancel.abort("again");
    const { structured } = await solve(server, { smtlib: "(check-sat)" });
    expect(structured["status"]).toBe("sat");
  });
});

/** A solver that hangs: what a client receives meanwhile costs no processor time. */
describe.each([
  ["legacy", 1],
  ["auto", 2],
] as const)("a client that opens as %s, while a solver works for long", (era, beats) => {
  let server: Connection;
  let fakes: FakeSolvers;
  beforeAll(async () => {
    fakes = openFakes();
    server = await connect({ era, env: { VERDICT_Z3: fakes.path("hang") } });
  });
  afterAll(async () => {
    await server.close();
    fakes.remove();
  });

  it("gets progress every few seconds if it asked for it", async () => {
    const heardWithin = async (timeout_ms: number) => {
      const heard: [seconds: number, message: string][] = [];
      const { structuredContent } = await server.client.callTool(
        { name: "solve_smtlib", arguments: { smtlib: endless, timeout_ms } },
        { onprogress: ({ progress, message = "" }) => heard.push([Math.round(progress), message]) },
      );
      expect(structuredContent).toMatchObject({ status: "unknown", reason: "timeout" });
      return heard;
    };
    const heard = await withEnoughTime(heardWithin, ({ length }) => length >= beats, 5_000 * beats + 1_500);
    expect(heard.length).toBeGreaterThanOrEqual(beats);
    for (const [seconds, message] of heard) expect(message).toBe(`Z3 is solving, ${seconds} s so far`);
    // A given number of times, and later each time.
    for (const [i, [seconds]] of heard.entries()) expect(seconds).toBeGreaterThanOrEqual(5 * (i + 1));
  });
});

describe("the wire", () => {
  it("carries the protocol alone, also when lines are broken or unknown", async () => {
    const server = spawn(process.execPath, [cli], { stdio: ["pipe", "pipe", "pipe"] });
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const tell = (text: string) => server.stdin.write(`${text}\n`);
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "0" } };
    tell(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }));
    expect(JSON.parse((await lines.next()).value ?? "")).toMatchObject({
      id: 1,
      result: { serverInfo: { name: "verdict" } },
    });
    tell("this is not JSON");
    expect(JSON.parse((await lines.next()).value ?? "")).toMatchObject({ id: null, error: { code: -32700 } });
    tell(JSON.stringify({ jsonrpc: "2.0", id: 2, method: "no/such/method" }));
    expect(JSON.parse((await lines.next()).value ?? "")).toMatchObject({ id: 2, error: { code: -32601 } });
    tell(JSON.stringify({ jsonrpc: "2.0", id: 3, method: "ping" }));
    expect(JSON.parse((await lines.next()).value ?? "")).toEqual({ jsonrpc: "2.0", id: 3, result: {} });
    server.stdin.end();
    expect(await once(server, "exit")).toEqual([0, null]);
  });

  it("refuses a toolset that there is not, by name", async () => {
    const server = spawn(process.execPath, [cli, "--tools", "smtlib,magic"], { stdio: ["pipe", "ignore", "pipe"] });
    let stderr = "";
    server.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    expect(await once(server, "exit")).toEqual([1, null]);
    expect(stderr).toContain('There is no toolset "magic".');
  });
});

describe.each(builds_by_itself)("sixteen calls at once on $name Z3", ({ name, z3 }) => {
  it.skipIf(z3 === undefined)(`gives fifteen right answers and one timeout (${name})`, async () => {
    const server = await connect({ env: { VERDICT_Z3: z3 ?? "" } });
    try {
      const calls = Array.from({ length: 16 }, (_, i) =>
        i === 0
          ? solve(server, { smtlib: endless, timeout_ms: 1_500 })
          : solve(server, {
              smtlib: `(declare-const x Int)(assert (= (* 2 x) ${2 * i}))(check-sat)`,
              timeout_ms: 120_000,
            }),
      );
      const answers = (await Promise.all(calls)).map(({ structured }) => structured);
      for (const [i, answer] of answers.entries()) {
        const expected =
          i === 0 ? { status: "unknown", reason: "timeout" } : { status: "sat", model: { x: String(i) } };
        expect(answer).toMatchObject(expected);
      }
    } finally {
      await server.close();
    }
  });
});
