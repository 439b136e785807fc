import type { Config } from "../config.ts";
import { Engines } from "../engines/index.ts";
import { localBacking } from "../jobs/backing.ts";
import { openOffer } from "../jobs/index.ts";
import { wholeSchema } from "../server/listing.ts";

/** Prints the complete schemas of all tools; the server's listing only outlines the answers. */
export function schemas(config: Config): void {
  const engines = new Engines(config);
  const { toolsets } = openOffer(engines, config, localBacking(config));
  const tools = toolsets.flatMap((set) => set.session());
  const shown = tools.map(({ name, description, annotations, input, output }) => ({
    ...{ name, title: annotations.title, description, annotations },
    inputSchema: wholeSchema(input, "input"),
    outputSchema: wholeSchema(output, "output"),
  }));
  console.log(JSON.stringify(shown, null, 2));
  engines.close();
}
