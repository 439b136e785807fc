import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pythonWith } from "../python.ts";

export interface PlannedCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** How a call ended, or the words with which the client lost it. */
export interface CallEnd {
  readonly lost?: string;
  readonly is_error?: boolean;
  readonly text?: string;
  readonly structured?: Record<string, unknown> | null;
}

const here = resolve("test/support/python_client");

/** Lists the tools of a server and makes these calls, one after the other, with the public client for Python. */
export async function callFromPython(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  calls: readonly PlannedCall[],
): Promise<{ tools: string[]; ends: CallEnd[] }> {
  const client = spawn(await pythonWith(here), ["-I", join(here, "client.py")], { stdio: ["pipe", "pipe", "inherit"] });
  client.stdin.end(JSON.stringify({ command: process.execPath, args, env, calls }));
  return JSON.parse(await text(client.stdout));
}
