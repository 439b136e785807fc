import * as z from "zod/v4";
import { readArguments } from "../../kernel/arguments.ts";
import { Deadline } from "../../kernel/deadline.ts";
import { receivedValue } from "../../kernel/text/cut.ts";
import { type Answer, annotated, type CallContext, defineTool, type Tool } from "../../kernel/tool.ts";
import { answerIn } from "../handover.ts";
import type { JobView } from "../jobs.ts";
import { job_limits } from "../limits.ts";
import type { OwnJobs } from "../own_jobs.ts";
import { renderJob, shown_job, shownJob } from "./shown.ts";

/** The argument that identifies the job. */
export const job_id = z.string({
  error: (issue) => `job_id must be a string: the id of a job, as shown by list_jobs. ${receivedValue(issue)}`,
});

const { wait_s_max } = job_limits;
const wait_error = (issue: { input?: unknown }) =>
  `wait_s must be a number of seconds from 0 to ${wait_s_max}. ${receivedValue(issue)}`;
const from_error = (issue: { input?: unknown }) =>
  `from must be the number of an event, counted from 0. ${receivedValue(issue)}`;

const input = z.strictObject({
  job_id,
  wait_s: z
    .number({ error: wait_error })
    .min(0, { error: wait_error })
    .max(wait_s_max, { error: wait_error })
    .default(job_limits.wait_s_default),
  from: z.int({ error: from_error }).min(0, { error: from_error }).default(0),
});

/**
 * `get_job`: waits for a job. It returns the answer of the job's tool or raises its fault; both also contain the job's
 * id. For a job that is still running, it returns the progress so far.
 */
export function getJob(jobs: OwnJobs): Tool {
  const tool = defineTool({
    name: "get_job",
    description: "Wait for a job: the answer of its tool, or its progress so far.",
    annotations: annotated("Read a job", "reads"),
    input,
    output: shown_job.loose(),
    listed_output: ["status"],
    limit_ms: ({ wait_s }) => wait_s * 1000,
    // `call` below replaces this for calls, because a job's answer has its own text.
    run: async ({ job_id, from }, { deadline }) => shownJob(await jobs.view(job_id, deadline), from),
    render: renderJob,
  });
  return { ...tool, call: (args, context) => call(jobs, args, context) };
}

async function call(jobs: OwnJobs, args: unknown, { signal }: CallContext): Promise<Answer> {
  const { job_id, wait_s, from } = readArguments({ name: "get_job", input }, args);
  const view = await jobs.view(job_id, new Deadline(wait_s * 1000, signal));
  if (view.ending) return answered(view, answerIn(view.ending));
  const shown = shownJob(view, from);
  return { structured: shown, text: renderJob(shown) };
}

function answered({ head: { id, tool, ran_s } }: JobView, { structured, text }: Answer): Answer {
  return {
    structured: { ...structured, job_id: id, tool, running_s: ran_s },
    text: [...text, `This is the answer of ${tool}, job ${id}, after ${ran_s} s.`],
  };
}
