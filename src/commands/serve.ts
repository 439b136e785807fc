import type { Config } from "../config.ts";
import { Engines } from "../engines/index.ts";
import { openOffer } from "../jobs/index.ts";
import { buildServer } from "../server/mcp.ts";
import { serveStdio } from "../server/stdio.ts";

/** The MCP server on stdio. Nothing is started before the first call that needs it. */
export function serve(config: Config): void {
  const engines = new Engines(config);
  const { toolsets, jobs, close } = openOffer(engines, config);
  serveStdio(
    () => buildServer(toolsets, engines, jobs),
    () => {
      close();
      engines.close();
    },
  );
}
