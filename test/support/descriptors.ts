import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { connect } from "./client.ts";

/** Linux can lower the limit of a process that runs. */
export const can_limit_descriptors = process.platform === "linux" && spawnSync("prlimit", ["--version"]).status === 0;

/** A call of a running server that can open a few more files, and has none left for the pipes of a process. */
export async function callWhenShort(
  tool: string,
  args: Record<string, unknown>,
  env: Record<string, string>,
): Promise<unknown> {
  const { client, pid, close } = await connect({ env });
  try {
    await client.listTools();
    const limit = readdirSync(`/proc/${pid}/fd`).length + 3;
    spawnSync("prlimit", ["--pid", String(pid), `--nofile=${limit}:${limit}`]);
    return (await client.callTool({ name: tool, arguments: args }, { timeout: 200_000 })).structuredContent;
  } finally {
    await close();
  }
}
