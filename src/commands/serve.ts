import type { Config } from "../config.ts";
import { Engines } from "../engines/index.ts";
import { buildServer } from "../server/mcp.ts";
import { serveStdio } from "../server/stdio.ts";
import { openToolsets } from "../tools/index.ts";

/** The MCP server on stdio. Nothing is started before the first call that needs it. */
export function serve(config: Config): void {
  const engines = new Engines(config);
  const toolsets = openToolsets(engines, config);
  serveStdio(
    () => buildServer(toolsets, engines),
    () => engines.close(),
  );
}
