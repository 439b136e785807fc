import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Engines } from "../engines/index.ts";
import type { Toolset } from "../kernel/tool.ts";
import { offersJobs, openToolsets } from "../tools/index.ts";
import { FileStore } from "./file_store.ts";
import { handedOver } from "./handover.ts";
import { Jobs } from "./jobs.ts";
import { OwnJobs } from "./own_jobs.ts";
import { cancelJob } from "./tools/cancel_job.ts";
import { getJob } from "./tools/get_job.ts";
import { listJobs } from "./tools/list_jobs.ts";
import { startJob } from "./tools/start_job.ts";

/** The owner of the jobs of a server with one user, who has all servers of the same data directory. */
export const local_owner = "local";

/** What a server offers: its toolsets, and the jobs of whoever is connected. */
export interface Offer {
  readonly toolsets: readonly Toolset[];
  readonly jobs: OwnJobs | undefined;
  close(): void;
}

/** Opens the requested toolsets, and jobs if they are among them. Raises `invalid_argument` for an unknown name. */
export function openOffer(engines: Engines, config: Config): Offer {
  const toolsets = openToolsets(engines, config);
  if (!offersJobs(config)) return { toolsets, jobs: undefined, close: () => {} };
  const store = new FileStore(join(config.data_directory, "jobs"));
  const all = new Jobs({ store, handover_ms: config.handover_ms });
  const jobs = new OwnJobs(all, local_owner);
  return { toolsets: [withJobs(toolsets, jobs)], jobs, close: () => all.close() };
}

/** The toolsets as one, in front of which jobs stand: each call passes them, and no tool knows of it. */
export function withJobs(toolsets: readonly Toolset[], jobs: OwnJobs): Toolset {
  return {
    name: "jobs",
    guides: toolsets.flatMap(({ guides }) => guides),
    session: () => {
      const tools = toolsets.flatMap((set) => set.session());
      return [
        ...tools.map((tool) => handedOver(tool, jobs)),
        ...[startJob(jobs, tools), getJob(jobs), cancelJob(jobs), listJobs(jobs)],
      ];
    },
  };
}
