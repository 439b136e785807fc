import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { privatePython } from "../python.ts";

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
const run = promisify(execFile);

/** A virtual environment with the client, made once for these requirements. */
async function clientPython(): Promise<string> {
  const requirements = join(here, "requirements.txt");
  const hash = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 16);
  const place = resolve(".cache/test-mcp", hash);
  const program = process.platform === "win32" ? "Scripts/python.exe" : "bin/python";
  if (existsSync(place)) return join(place, program);
  mkdirSync(dirname(place), { recursive: true });
  const made = `${place}.${process.pid}`;
  await run((await privatePython()).python, ["-m", "venv", "--clear", made]);
  const options = ["--quiet", "--disable-pip-version-check", "--require-hashes", "--only-binary", ":all:"];
  await run(join(made, program), ["-m", "pip", "install", ...options, "-r", requirements]);
  renameSync(made, place);
  return join(place, program);
}

/** Lists the tools of a server and makes these calls, one after the other, with the public client for Python. */
export async function callFromPython(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  calls: readonly PlannedCall[],
): Promise<{ tools: string[]; ends: CallEnd[] }> {
  const client = spawn(await clientPython(), ["-I", join(here, "client.py")], { stdio: ["pipe", "pipe", "inherit"] });
  client.stdin.end(JSON.stringify({ command: process.execPath, args, env, calls }));
  return JSON.parse(await text(client.stdout));
}
