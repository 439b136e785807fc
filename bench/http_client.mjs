// The built server over HTTP, and clients of both eras, for the benches.
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { cli } from "./measure.mjs";

/** Starts `verdict serve --http`; gives its address, its process, and what ends it. */
export function serveHttp(args = [], env = {}) {
  const child = spawn(process.execPath, [cli, "serve", "--http", "0", ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let stderr = "";
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error(`the server ended: ${stderr}`)));
    child.stderr.on("data", (piece) => {
      stderr = `${stderr}${piece}`.slice(-10_000);
      const [url] = /http:\/\/\S+\/mcp/.exec(stderr) ?? [];
      if (url) resolve({ url: new URL(url), pid: child.pid, end: () => child.kill("SIGTERM") && ended });
    });
  });
}

/** A file of tokens for these principals, and their tokens. */
export function writeTokens(file, names) {
  const tokens = names.map((name) => ({ name, token: `vt_${randomBytes(32).toString("base64url")}` }));
  const entries = tokens.map(({ name, token }) => ({
    ...{ name, scopes: ["solve"], sha256: createHash("sha256").update(token).digest("hex") },
  }));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ tokens: entries }), { mode: 0o600 });
  return tokens;
}

/** A client over HTTP; `call` gives the structured answer. */
export async function connectHttp(url, era, token) {
  const client = new Client({ name: "bench", version: "0" }, { versionNegotiation: { mode: era } });
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  const call = async (name, args, options = {}) =>
    (await client.callTool({ name, arguments: args }, { timeout: 300_000, ...options })).structuredContent;
  return { client, call };
}
