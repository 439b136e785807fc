import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect } from "vitest";
import * as z from "zod/v4";
import { cli } from "./client.ts";
import { all_toolsets, samples } from "./every_tool.ts";
import { envelope, mutated } from "./odd_calls.ts";

const Answer = z.object({
  id: z.union([z.string(), z.number()]).nullable(),
  result: z
    .object({ structuredContent: z.object({ code: z.string().optional() }).loose().optional() })
    .loose()
    .optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});
type Answer = z.output<typeof Answer>;

/** How long an answer may take: the shortest limits of the tools, on a busy machine. */
const answer_ms_max = 120_000;

/** A server of all tools, to which anything can be sent; each answer is passed to the caller that waits for its id. */
export class RawServer {
  readonly #server: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #ids = 0;

  constructor(env: Readonly<Record<string, string>>) {
    this.#server = spawn(process.execPath, [cli, ...all_toolsets], { env: { ...process.env, ...env } });
    this.#server.stderr.resume();
    createInterface({ input: this.#server.stdout }).on("line", (line) => {
      const answer = Answer.safeParse(JSON.parse(line));
      if (answer.success && typeof answer.data.id === "number") this.#waiting.get(answer.data.id)?.(answer.data);
    });
  }

  /** Sends a request under an id of its own and gives its answer; fails when there is none. */
  async ask(message: object): Promise<Answer> {
    const id = ++this.#ids;
    const answer = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message, id })}\n`);
    const heard = await Promise.race([answer, sleep(answer_ms_max, undefined, { ref: false })]);
    this.#waiting.delete(id);
    if (!heard) throw new Error(`no answer to ${JSON.stringify(message)}`);
    return heard;
  }

  async open(): Promise<void> {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "odd", version: "0" } };
    await this.ask({ method: "initialize", params });
    this.#server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  }

  close(): void {
    this.#server.kill();
  }
}

/** Every envelope is answered, and the server lives on. */
export function answersEnvelopes(server: RawServer) {
  return fc.asyncProperty(envelope, async (message) => {
    const { result, error } = await server.ask(message);
    expect(result ?? error).toBeDefined();
  });
}

/** No arguments of any tool make it fail in a way that it did not foresee. */
export function answersCalls(server: RawServer) {
  // Their work is bounded by no argument: a solve of what is there, and a daemon.
  const names = Object.keys(samples).filter((name) => !/^(solve_model|bfs_)/.test(name));
  const call = fc
    .constantFrom(...names)
    .chain((name) => mutated({ ...samples[name]?.fault }).map((args) => ({ name, arguments: args })));
  return fc.asyncProperty(call, async (params) => {
    const { result, error } = await server.ask({ method: "tools/call", params });
    expect(error?.code ?? 0, JSON.stringify(error)).not.toBe(-32603);
    expect(result?.structuredContent?.code, JSON.stringify(result)).not.toBe("internal");
    expect(JSON.stringify(result ?? error)).not.toContain("[object Object]");
  });
}
