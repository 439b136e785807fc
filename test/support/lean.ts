import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { type Config, readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { llamaDirectory } from "../../src/engines/tactic/llama/install.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Children } from "../../src/kernel/process/child.ts";
import { type CallContext, quietContext } from "../../src/kernel/tool.ts";
import { openToolsets } from "../../src/tools/index.ts";
import { removeDirectory } from "./directories.ts";

/** llama.cpp is downloaded once a machine, which takes as long as the network takes, and longer on a busy machine. */
export const llama_setup_ms_max = 1_200_000;

/** A toy model, trained at its first need; see toy_model.mjs. */
export function toyModel(): string {
  const file = resolve(".cache/toy_model/tactics.gguf");
  if (!existsSync(file)) execFileSync(process.execPath, ["test/support/toy_model.mjs", file]);
  return file;
}

/** Where llama.cpp is, installed as users get it. */
export async function llama(): Promise<string> {
  const config = readConfig({}, { ...process.env, VERDICT_DATA: resolve(".cache/test-lean") });
  const children = new Children(config.child_environment, config.child_directory);
  try {
    return await llamaDirectory({ config, children }, new Deadline(llama_setup_ms_max));
  } finally {
    children.stopAll();
  }
}

export interface LeanHome {
  readonly directory: string;
  readonly port: number;
  /** What makes a server and its daemon live here. */
  readonly env: Record<string, string>;
  readonly config: Config;
  /** Ends the daemon and takes the directory away. */
  close(): Promise<void>;
}

/** A new data directory with llama.cpp in it, and a free port. */
export async function openHome(more: Record<string, string> = {}): Promise<LeanHome> {
  const directory = mkdtempSync(join(tmpdir(), "verdict-lean-"));
  const lean = join(directory, "lean");
  mkdirSync(lean);
  const installed = await llama();
  symlinkSync(installed, join(lean, installed.split("/").at(-1) ?? ""));
  const port = await freePort();
  const env = {
    VERDICT_DATA: directory,
    VERDICT_LEAN_MODEL: toyModel(),
    VERDICT_LEAN_THREADS: "1",
    TACTIC_SERVER_PORT: String(port),
    ...more,
  };
  const config = readConfig({ tools: "lean" }, { ...process.env, ...env });
  return {
    directory,
    port,
    env,
    config,
    async close() {
      const { Tactics } = await import("../../src/engines/tactic/index.ts");
      const job = new Deadline(60_000);
      await new Tactics(config).stop(job).catch(() => {});
      removeDirectory(directory);
    },
  };
}

/**
 * A port at which nothing listens. It is none of those that the system gives away by itself (from 32,768 on): clients and
 * servers of other tests would get it before the daemon does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((found) => {
    const server = createServer();
    server.once("error", () => found(false));
    server.listen(port, "127.0.0.1", () => server.close(() => found(true)));
  });
}

export interface LeanTools {
  readonly engines: Engines;
  call(name: string, args?: Record<string, unknown>, context?: Partial<CallContext>): Promise<Record<string, unknown>>;
  close(): void;
}

/** The Lean tools in this process; the daemon is a process of its own, as users have it. */
export function openTools(config: Config): LeanTools {
  const engines = new Engines(config);
  const tools = new Map(
    openToolsets(engines, config).flatMap((set) => set.session().map((tool) => [tool.name, tool] as const)),
  );
  return {
    engines,
    async call(name, args = {}, context = {}) {
      const tool = tools.get(name);
      if (!tool) throw new Error(`no tool ${name}`);
      return (await tool.call(args, { ...quietContext(), ...context })).structured;
    },
    close: () => engines.close(),
  };
}

/** A client written from the source's section on the protocol alone: one line out, one line back. */
export function plainClient(port: number, line: string): Promise<Record<string, unknown>> {
  return new Promise((reply, fail) => {
    const socket = createConnection({ host: "127.0.0.1", port });
    socket.on("error", fail);
    createInterface({ input: socket }).once("line", (text) => {
      socket.destroy();
      reply(JSON.parse(text));
    });
    socket.on("close", () => fail(new Error("closed without a reply")));
    socket.write(line);
  });
}

export const generate = (params: Record<string, unknown>) => `${JSON.stringify({ method: "generate", params })}\n`;

/** Names of what is left in a directory of a system's memory or disk by copies of states. */
export function stateFiles(): string[] {
  return ["/dev/shm", tmpdir()]
    .filter((place) => existsSync(place))
    .flatMap((place) => readdirSync(place).filter((name) => name.startsWith("verdict-state-")));
}
