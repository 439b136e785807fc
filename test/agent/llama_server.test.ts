import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cli } from "../support/client.ts";
import { removeDirectory } from "../support/directories.ts";
import { type LlamaServer, openLlamaServer } from "../support/llama_server/index.ts";
import { real_setup_ms_max } from "../support/python.ts";

let server: LlamaServer | undefined;
beforeAll(async () => {
  server = await openLlamaServer(1);
}, real_setup_ms_max);
afterAll(() => server?.close());

async function asked(args: readonly string[]) {
  const child = spawn(process.execPath, [cli, "ask", ...args, "--model-url", server?.url ?? ""], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let stdout = "";
  child.stdout.on("data", (text) => (stdout += text));
  const code = await new Promise((done) => child.on("close", done));
  return { code, outcome: JSON.parse(stdout) };
}

const question = "Which integer lies between 3 and 5?";

/** The toy model knows no tools, and its context does not hold the first step: the state in which most small models end. */
it("a llama.cpp server whose model is too small ends the question in a clear state", async () => {
  const args = [question, "--json", "--no-review", "--timeout", "60", "--language", "smtlib"];
  const { code, outcome } = await asked([...args, "--model", "compatible:toy"]);
  expect(outcome).toMatchObject({ status: "failed", verdict: null, answer: null, values: {} });
  expect(outcome.reason).toContain("context");
  expect(code).toBe(2);
});

it("leaves an answer as it is, without a checker and a review, if it is to write them", async () => {
  const directory = mkdtempSync(join(tmpdir(), "verdict-toy-"));
  try {
    const script = join(directory, "script.json");
    const solve = { tool: "solve", input: { model: "var 4..4: x; solve satisfy;" } };
    const answer = { tool: "answer", input: { verdict: "sat", answer: "It is 4." } };
    writeFileSync(script, JSON.stringify({ agent: [{ calls: [solve] }, { calls: [answer] }] }));
    const args = [question, "--json", "--timeout", "120", "--language", "minizinc", "--model", `scripted:${script}`];
    const { code, outcome } = await asked([...args, "--reviewer-model", "compatible:toy"]);
    expect(outcome).toMatchObject({
      ...{ status: "solved", values: { x: 4 }, review: { result: "unknown" } },
      checker: { status: "failed", text: null, reason: expect.stringContaining("no checker was written") },
    });
    expect(code).toBe(0);
  } finally {
    removeDirectory(directory);
  }
});
