import type { OpenTransport } from "../agent/loop/session.ts";
import type { Config } from "../config.ts";
import type { Engines } from "../engines/index.ts";
import { Children } from "../kernel/process/child.ts";
import { connectInProcess } from "../server/in_process.ts";
import { buildServer } from "../server/mcp.ts";
import { openToolsets } from "../tools/index.ts";
import { withEngines } from "./engines.ts";

/**
 * An in-process server for each conversation, restricted to the conversation's language. The server can read these data
 * files by name.
 */
export function inProcessServer(config: Config, engines: Engines, data_files: readonly string[] = []): OpenTransport {
  return async (language) => {
    const is_toolset = language === "smtlib" || language === "symbolic";
    const settings = {
      ...config,
      data_roots: [...data_files, ...config.data_roots],
      tools: [is_toolset ? language : "model"],
      language: is_toolset ? undefined : language,
    };
    return connectInProcess(buildServer(openToolsets(engines, settings), engines));
  };
}

/** `verdict ask`: the agent with an in-process server. Returns the exit code. */
export async function ask(config: Config, words: readonly string[], flags: unknown): Promise<number> {
  // The agent is a separate bundle, which a server never loads.
  const { runAsk } = await import("../agent/command.ts");
  return withEngines(config, (engines, signal) =>
    runAsk({ words, flags, signal, open: (data_files) => inProcessServer(config, engines, data_files) }),
  );
}

/** `verdict bench-agent`: runs the agent on a folder of problems. Returns the exit code. */
export async function benchAgent(config: Config, folder: string | undefined, flags: unknown): Promise<number> {
  const { runBench } = await import("../agent/bench/command.ts");
  return withEngines(config, async (engines, signal) => {
    const children = new Children(config.child_environment, process.cwd());
    const python = config.python ?? "python3";
    try {
      const open = inProcessServer(config, engines);
      return await runBench({ folder: folder ?? config.problems_directory, flags, signal, open, children, python });
    } finally {
      children.stopAll();
    }
  });
}
