import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cli } from "../support/client.ts";
import { all_toolsets, everyToolHome, samples } from "../support/every_tool.ts";
import { real_setup_ms_max } from "../support/python.ts";
import { type CallEnd, callFromPython } from "../support/python_client/index.ts";

/** The client libraries of most hosts validate every result with the listed schema: it must accept all of them. */
const args = [cli, ...all_toolsets];
const calls = Object.entries(samples).flatMap(([name, { answer, fault }]) => [
  { name, arguments: fault, faulty: true },
  { name, arguments: answer, faulty: false },
]);
let home: Awaited<ReturnType<typeof everyToolHome>>;
let env: Record<string, string>;

beforeAll(async () => {
  home = await everyToolHome();
  const inherited = Object.entries(process.env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]]));
  env = { ...Object.fromEntries(inherited), ...home.env };
}, real_setup_ms_max);
afterAll(() => home.close());

function expectWhole(ends: readonly CallEnd[]): void {
  const surprises = ends.flatMap((end, i) => (end.is_error === calls[i]?.faulty ? [] : [{ call: calls[i], end }]));
  expect(surprises).toEqual([]);
  for (const [i, { text, structured }] of ends.entries()) {
    expect(text).not.toBe("");
    if (!calls[i]?.faulty) {
      const { proof } = { proof: null, ...structured };
      if (proof) expect(Object.keys(proof)).toEqual(["method", "engine", "assumptions"]);
      continue;
    }
    expect(text).toContain("What to do: (1) ");
    expect(structured).toMatchObject({
      status: expect.any(String),
      error: expect.any(String),
      code: expect.any(String),
    });
    expect(structured?.["code"]).not.toBe("internal");
  }
}

describe("an answer and a fault of every tool reach", () => {
  it("a client on version 1 of the TypeScript SDK", async () => {
    const client = new Client({ name: "verdict-tests", version: "0" });
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort(), "every tool has a sample").toEqual(Object.keys(samples).sort());
    const ends: CallEnd[] = [];
    for (const { name, arguments: given } of calls) {
      ends.push(
        await client.callTool({ name, arguments: given }).then(
          (answered) => {
            const { content, isError = false, structuredContent } = CallToolResultSchema.parse(answered);
            const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
            return { is_error: isError, text, structured: structuredContent ?? null };
          },
          (error: Error) => ({ lost: error.message }),
        ),
      );
    }
    await client.close();
    expectWhole(ends);
  });

  it("the public client for Python", { timeout: real_setup_ms_max }, async () => {
    const { tools, ends } = await callFromPython(args, env, calls);
    expect(tools.sort()).toEqual(Object.keys(samples).sort());
    expectWhole(ends);
  });
});
