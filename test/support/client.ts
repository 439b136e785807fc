import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export const cli = fileURLToPath(new URL("../../dist/cli.mjs", import.meta.url));

/** How long our clients wait for any answer: servers on a busy machine start in seconds. */
export const patience_ms = 200_000;

export interface Connection {
  readonly client: Client;
  readonly pid: number;
  /** What the server wrote on stderr so far. */
  stderr(): string;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** `legacy` opens with the 2025 `initialize`, `auto` with the 2026 discovery. */
  readonly era?: "legacy" | "auto";
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
}

/** A real MCP client on the built server, over stdio. */
export async function connect({ era = "legacy", env = {}, args = [] }: ConnectOptions = {}): Promise<Connection> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])),
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, ...args],
    env: { ...inherited, ...env },
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const client = new Client({ name: "verdict-tests", version: "0" }, { versionNegotiation: { mode: era } });
  await client.connect(transport, { timeout: patience_ms });
  const pid = transport.pid;
  if (pid === null) throw new Error("the server has no pid");
  return { client, pid, stderr: () => stderr, close: () => client.close() };
}

export interface ToolReply {
  readonly structured: Record<string, unknown>;
  readonly text: string;
  readonly isError: boolean;
}

/** Calls solve_smtlib; the arguments may be as wrong as a test wants them. */
export async function solve(connection: Connection, args: Record<string, unknown>): Promise<ToolReply> {
  const result = await connection.client.callTool({ name: "solve_smtlib", arguments: args }, { timeout: patience_ms });
  const first = result.content[0];
  return {
    structured: { ...(result.structuredContent ?? {}) },
    text: first?.type === "text" ? first.text : "",
    isError: result.isError === true,
  };
}
