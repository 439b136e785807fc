import { type ChildProcess, spawn } from "node:child_process";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { cli } from "./client.ts";

export interface HttpServer {
  readonly url: URL;
  readonly child: ChildProcess;
  stderr(): string;
  /** Sends SIGTERM and waits for the end; gives the exit code. */
  end(): Promise<number | null>;
}

/** The built server over HTTP, at a free port of this machine. */
export async function serveHttp(args: readonly string[] = [], env: Record<string, string> = {}): Promise<HttpServer> {
  const child = spawn(process.execPath, [cli, "serve", "--http", "0", ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const address = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (piece: Buffer) => {
      stderr += piece.toString();
      const url = /http:\/\/\S+\/mcp/.exec(stderr);
      if (url) resolve(url[0]);
    });
    child.once("exit", () => reject(new Error(`the server ended: ${stderr}`)));
  });
  return {
    url: new URL(address),
    child,
    stderr: () => stderr,
    end: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

/** A real MCP client over HTTP. */
export async function connectHttp(url: URL, era: "legacy" | "auto", token?: string): Promise<Client> {
  const client = new Client({ name: "verdict-tests", version: "0" }, { versionNegotiation: { mode: era } });
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }), { timeout: 100_000 });
  return client;
}
