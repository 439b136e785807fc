import { readFile } from "node:fs/promises";
import { basename, delimiter } from "node:path";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { ModelSettings } from "../../config.ts";
import { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { cut } from "../../kernel/text/cut.ts";
import { isItemLanguage } from "../languages.ts";
import { agent_limits } from "../limits.ts";
import { isAddress } from "../task.ts";
import type { OpenTransport } from "./session.ts";

/**
 * A connection to a server over HTTP. It also ends its session there, since servers limit the number of sessions per
 * client.
 */
class RemoteTransport extends StreamableHTTPClientTransport {
  override async close(): Promise<void> {
    // If the server is gone, so is our session.
    await this.terminateSession().catch(() => {});
    await super.close();
  }
}

/**
 * Opens the server given by `--mcp`: an address, or the command of an MCP server on stdio. If the command is Verdict,
 * it can also read these data files.
 */
export function namedServer(
  named: string,
  { mcp_token, mcp_environment }: ModelSettings,
  data_files: readonly string[],
): OpenTransport {
  if (isAddress(named)) {
    if (!URL.canParse(named)) throw noServer(named);
    const headers = mcp_token === undefined ? {} : { authorization: `Bearer ${mcp_token}` };
    return async () => new RemoteTransport(new URL(named), { requestInit: { headers } });
  }
  const [command, ...args] = wordsOf(named);
  if (command === undefined) throw noServer(named);
  const { VERDICT_DATA_DIR = "" } = mcp_environment;
  const files = { VERDICT_DATA_DIR: [...data_files, VERDICT_DATA_DIR].join(delimiter) };
  return async () => started(command, args, { ...mcp_environment, ...(data_files.length > 0 && files) });
}

/**
 * Sends data files to a Verdict server over HTTP, which keeps them for the token's owner. Raises `engine_missing` if
 * the server rejects a file.
 */
export async function sendFiles(
  named: string,
  { mcp_token }: ModelSettings,
  data_files: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const headers = mcp_token === undefined ? {} : { authorization: `Bearer ${mcp_token}` };
  const send = async (path: string, bounded: AbortSignal) => {
    const name = basename(path);
    const refused = (why: string) =>
      new Fault("engine_missing", `The server did not accept ${name}: ${why}.`, [
        "check VERDICT_MCP_TOKEN, and that the server is Verdict",
        "or leave --mcp out to use the server in this program",
      ]);
    const body = await readFile(path, { signal: bounded });
    const url = new URL(`/files/${encodeURIComponent(name)}`, named);
    const request = { method: "PUT", headers, body, redirect: "error", signal: bounded } as const;
    const response = await fetch(url, request).catch((error: unknown) => {
      throw refused(error instanceof Error ? error.message : String(error));
    });
    const text = cut(await response.text(), agent_limits.refusal_chars_max);
    if (!response.ok) throw refused(`HTTP ${response.status} ${text.replace(/\.?\s*$/, "")}`);
  };
  const deadline = new Deadline(agent_limits.connect_ms_max, signal);
  for (const path of data_files) await deadline.signalling((bounded) => send(path, bounded));
}

/** Our own server as a child process, restricted to a language. */
export function ownServer({ server }: ModelSettings): OpenTransport {
  const [command = process.execPath, ...args] = server.program;
  return async (language) => {
    const is_items = isItemLanguage(language);
    const fixed_settings = { VERDICT_TOOLS: is_items ? "model" : language, VERDICT_LANGUAGE: is_items ? language : "" };
    return started(command, args, { ...server.environment, ...fixed_settings, VERDICT_HANDOVER_MS: "0" });
  };
}

/**
 * A server as a child process. Besides the given variables, it gets only those that the SDK passes to every child
 * process, such as the path and the home directory, but no keys. Its log is discarded.
 */
function started(command: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  return new StdioClientTransport({ command, args: [...args], env: { ...env }, stderr: "ignore" });
}

/** Splits a command line into words; words with spaces are quoted. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

function noServer(named: string): Fault {
  return new Fault("invalid_argument", `--mcp "${named}" does not name a server.`, [
    'give the address of an MCP server over HTTP, such as --mcp http://127.0.0.1:8080/mcp, or a command, such as --mcp "npx -y @verdict-mcp/verdict"',
  ]);
}
