import { spawn } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cli } from "../support/client.ts";
import { type LlamaServer, openLlamaServer } from "../support/llama_server/index.ts";
import { real_setup_ms_max } from "../support/python.ts";

let server: LlamaServer | undefined;
beforeAll(async () => {
  server = await openLlamaServer(1);
}, real_setup_ms_max);
afterAll(() => server?.close());

/** The toy model knows no tools, and its context does not hold the first step: the state in which most small models end. */
it("a llama.cpp server whose model is too small ends the question in a clear state", async () => {
  const args = ["ask", "Which integer lies between 3 and 5?", "--json", "--no-review", "--timeout", "60"];
  const child = spawn(
    process.execPath,
    [cli, ...args, "--language", "smtlib", "--model", "compatible:toy", "--model-url", server?.url ?? ""],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  let stdout = "";
  child.stdout.on("data", (text) => (stdout += text));
  const code = await new Promise((done) => child.on("close", done));
  expect(JSON.parse(stdout)).toMatchObject({ status: "failed", verdict: null, answer: null, values: {} });
  expect(JSON.parse(stdout).reason).toContain("context");
  expect(code).toBe(2);
});
