import type { Config } from "../config.ts";
import { Engines } from "../engines/index.ts";
import { openBacking } from "../jobs/backing.ts";
import { openOffer } from "../jobs/index.ts";
import { ClientRoots } from "../server/client_roots.ts";
import { buildServer } from "../server/mcp.ts";
import { serveStdio } from "../server/stdio.ts";

/** The MCP server on stdio. An engine is started only by the first call that needs it. */
export async function serve(config: Config): Promise<void> {
  const backing = await openBacking(config);
  const engines = new Engines(config);
  const roots = new ClientRoots();
  const client_roots = () => roots.list();
  const { toolsets, jobs, close } = openOffer(engines, { ...config, client_roots }, backing);
  serveStdio(
    () => buildServer(toolsets, engines, { jobs, roots }),
    () => {
      close();
      backing.close();
      engines.close();
    },
  );
}
