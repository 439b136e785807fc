import * as z from "zod/v4";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import { job_limits } from "../limits.ts";
import type { OwnJobs } from "../own_jobs.ts";
import { job_id } from "./get_job.ts";
import { renderJob, shown_job, shownJob } from "./shown.ts";

/** `cancel_job`: stops a job and its processes. A job that has ended is not changed. */
export function cancelJob(jobs: OwnJobs): Tool {
  return defineTool({
    name: "cancel_job",
    description: "Cancel a job; a finished one stays.",
    annotations: annotated("Cancel a job", "replaces"),
    input: z.strictObject({ job_id }),
    output: shown_job,
    listed_output: ["status"],
    limit_ms: () => job_limits.cancel_wait_ms_max,
    run: async ({ job_id }, { deadline }) => shownJob(await jobs.cancel(job_id, deadline), 0),
    render: renderJob,
  });
}
