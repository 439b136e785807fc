import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { type Config, readConfig } from "../../src/config.ts";
import { llamaDirectory } from "../../src/engines/tactic/llama/install.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Children } from "../../src/kernel/process/child.ts";
import { removeDirectory } from "./directories.ts";
import { freePort } from "./ports.ts";

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
