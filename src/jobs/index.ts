import type { Config } from "../config.ts";
import type { Engines } from "../engines/index.ts";
import type { Toolset } from "../kernel/tool.ts";
import { offersJobs, openToolsets } from "../tools/index.ts";
import type { Files } from "../tools/model/data/files.ts";
import { withLargeCallsApart } from "./apart/apart.ts";
import { handedOver } from "./handover.ts";
import { Jobs } from "./jobs.ts";
import { OwnJobs } from "./own_jobs.ts";
import type { Backing } from "./queue.ts";
import { cancelJob } from "./tools/cancel_job.ts";
import { getJob } from "./tools/get_job.ts";
import { listJobs } from "./tools/list_jobs.ts";
import { startJob } from "./tools/start_job.ts";

/** The owner of all jobs on a single-user server; that user owns all servers with the same data directory. */
export const local_owner = "local";

/** What a server offers: its toolsets, and the jobs of the connected owner. */
export interface Offer {
  readonly toolsets: readonly Toolset[];
  readonly jobs: OwnJobs | undefined;
  /** Whether no job is running. */
  isIdle(): boolean;
  /** Turns running calls into jobs before the server exits. */
  handOver(): void;
  close(): void;
}

/** Opens the requested toolsets, and jobs if they are among them. Raises `invalid_argument` for an unknown name. */
export function openOffer(
  engines: Engines,
  { client_roots, takes_uploads, ...config }: Config & Pick<Files, "client_roots" | "takes_uploads">,
  backing: Backing,
  owner: string = local_owner,
): Offer {
  const opened = openToolsets(engines, { ...config, client_roots, takes_uploads });
  const toolsets = opened.map((set) => withLargeCallsApart(set, engines, config));
  const { queue, storeFor } = backing;
  const has_jobs = offersJobs(config);
  if (!has_jobs && queue.is_local)
    return { toolsets, jobs: undefined, isIdle: () => true, handOver: () => {}, close: () => {} };
  const handover_ms = has_jobs ? config.handover_ms : 0;
  const all = new Jobs({ store: storeFor(config.data_directory), handover_ms, queue });
  const jobs = new OwnJobs(all, owner);
  const ends = { isIdle: () => all.is_idle, handOver: () => all.handOver(), close: () => all.close() };
  if (!has_jobs) return { toolsets: toolsets.map((set) => throughQueue(set, jobs)), jobs: undefined, ...ends };
  return { toolsets: [withJobs(toolsets, jobs)], jobs, ...ends };
}

/** Returns a toolset without the job tools; its calls still go through the queue. */
function throughQueue(set: Toolset, jobs: OwnJobs): Toolset {
  return { ...set, session: () => set.session().map((tool) => handedOver(tool, jobs)) };
}

/**
 * Combines the toolsets and adds the job tools. Any call can become a job; the tools do not notice.
 */
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
