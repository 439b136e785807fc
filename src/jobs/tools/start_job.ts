import * as z from "zod/v4";
import { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { receivedValue } from "../../kernel/text/cut.ts";
import { nearest } from "../../kernel/text/near_miss.ts";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import { unwrittenNote } from "../handover.ts";
import { job_limits } from "../limits.ts";
import type { OwnJobs } from "../own_jobs.ts";
import { renderJob, type ShownJob, shown_job, shownJob } from "./shown.ts";

const input = z.strictObject({
  tool: z.string({ error: (issue) => `tool must be the name of a tool. ${receivedValue(issue)}` }).optional(),
  arguments: z
    .record(z.string(), z.unknown(), {
      error: (issue) => `arguments must be an object: the tool's arguments. ${receivedValue(issue)}`,
    })
    .optional(),
  restart_job: z
    .string({ error: (issue) => `restart_job must be the id of a job. ${receivedValue(issue)}` })
    .optional(),
});

/** `start_job`: starts a call of another tool as a job, or restarts an interrupted job. */
export function startJob(jobs: OwnJobs, tools: readonly Tool[]): Tool {
  return defineTool({
    name: "start_job",
    description: "Start a tool call of up to 24 h; get_job waits for it. restart_job: an interrupted job.",
    annotations: annotated("Start a job", "adds"),
    input,
    output: shown_job,
    listed_output: ["status", "job_id"],
    limit_ms: () => job_limits.cancel_wait_ms_max,
    async run({ tool, arguments: args, restart_job }, { signal }): Promise<ShownJob> {
      if (restart_job !== undefined) {
        if (tool !== undefined || args !== undefined) throw oneOfBoth();
        const { unwritten, ...view } = await jobs.restart(restart_job, tools, new Deadline(0, signal));
        return withNote(shownJob(view, 0), unwritten);
      }
      const { job, unwritten } = await jobs.start(toolNamed(tool, tools), args ?? {});
      return withNote(shownJob({ head: job.head }, 0), unwritten);
    },
    render: renderJob,
  });
}

function withNote(job: ShownJob, unwritten: string | undefined): ShownJob {
  return unwritten === undefined ? job : { ...job, warnings: [unwrittenNote(unwritten)] };
}

function toolNamed(name: string | undefined, tools: readonly Tool[]): Tool {
  const tool = tools.find((each) => each.name === name);
  if (tool) return tool;
  const names = tools.map((each) => each.name);
  const near = name === undefined ? [] : nearest(name, names);
  const what =
    name === undefined ? "No tool is named." : `There is no tool "${name.slice(0, 80)}" that can run as a job.`;
  throw new Fault("invalid_argument", what, [
    ...(near.length > 0 ? [`write ${near.join(" or ")} instead of ${name}`] : []),
    `pass tool, one of: ${names.join(", ")}`,
    "and arguments: an object with this tool's arguments",
  ]);
}

function oneOfBoth(): Fault {
  return new Fault("invalid_argument", "restart_job and tool exclude each other.", [
    "send restart_job alone: the job already has its question",
    "or tool with arguments, for a new question",
  ]);
}
