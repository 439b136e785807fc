import * as z from "zod/v4";
import { limits } from "../../kernel/limits.ts";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import type { JobView } from "../jobs.ts";
import { job_limits } from "../limits.ts";
import type { OwnJobs } from "../own_jobs.ts";
import { statusOf } from "./shown.ts";

const output = z.object({
  status: z.literal("ok"),
  /** The jobs, the latest first. */
  jobs: z.array(
    z.object({
      job_id: z.string(),
      tool: z.string(),
      state: z.string(),
      /** The start time in ISO 8601, by the clock of the server that ran the job. */
      begun: z.string(),
      running_s: z.number(),
      best_so_far: z.string().optional(),
    }),
  ),
  /** Whether there are older jobs. */
  more: z.boolean(),
});

/** `list_jobs`: lists this owner's latest jobs. */
export function listJobs(jobs: OwnJobs): Tool {
  return defineTool({
    name: "list_jobs",
    description: "Your jobs, the latest first.",
    annotations: annotated("List jobs", "reads"),
    input: z.strictObject({}),
    output,
    listed_output: ["jobs"],
    limit_ms: () => limits.file_wait_ms_max,
    async run() {
      const { listed_max } = job_limits;
      const views = await jobs.list(listed_max + 1);
      return { status: "ok" as const, jobs: views.slice(0, listed_max).map(line), more: views.length > listed_max };
    },
    render: ({ jobs, more }) => [
      [`${jobs.length} job${jobs.length === 1 ? "" : "s"}${more ? ", the latest ones; there are more" : ""}`]
        .concat(
          jobs.map(
            ({ job_id, tool, state, begun, running_s }) => `${job_id} ${state}: ${tool}, ${begun}, ${running_s} s`,
          ),
        )
        .join("\n"),
    ],
  });
}

function line(view: JobView) {
  const { id, tool, created_ms, ran_s, best_so_far } = view.head;
  const begun = new Date(created_ms).toISOString();
  const best = best_so_far !== null && { best_so_far };
  return { job_id: id, tool, state: statusOf(view), begun, running_s: ran_s, ...best };
}
