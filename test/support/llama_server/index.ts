import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { toyModel } from "../lean.ts";
import { freePort } from "../ports.ts";
import { pythonWith } from "../python.ts";

const here = resolve("test/support/llama_server");

export interface LlamaServer {
  /** The base of its OpenAI-compatible endpoints. */
  readonly url: string;
  close(): Promise<void>;
}

/** A real llama.cpp server with the toy model, on a free port. It draws at most `slots` choices for one request. */
export async function openLlamaServer(slots: number): Promise<LlamaServer> {
  const python = await pythonWith(here);
  const port = await freePort();
  const child = spawn(python, ["-I", resolve(here, "serve.py"), toyModel(), String(port), String(slots)], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const listening = await Promise.race([once(lines, "line").then(() => true), ended.then(() => false)]);
  if (!listening) throw new Error(`the llama.cpp server ended with ${child.exitCode ?? child.signalCode}`);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async close() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
