import {
  CLIENT_CAPABILITIES_META_KEY,
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import { faultOf } from "../jobs/job.ts";
import type { JobView } from "../jobs/jobs.ts";
import { job_limits } from "../jobs/limits.ts";
import type { OwnJobs } from "../jobs/own_jobs.ts";
import { Deadline } from "../kernel/deadline.ts";
import { Fault } from "../kernel/fault.ts";
import type { Answer } from "../kernel/tool.ts";
import { server_limits } from "./limits.ts";
import { answerResult, faultResult } from "./results.ts";

/**
 * The protocol extension in which jobs are tasks, for clients of revision 2026-07-28 that name it in their requests.
 */
export const tasks_extension = "io.modelcontextprotocol/tasks";

const Envelope = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({
    extensions: z.looseObject({ [tasks_extension]: z.looseObject({}) }),
  }),
});
const WithTask = z.looseObject({ taskId: z.string() });

/** Returns the protocol's fields for a task in any state. */
function taskOf({ head, interrupted }: JobView) {
  const { id, state, created_ms, ended_ms, doing, best_so_far } = head;
  const now = state === "running" ? doing : state;
  const activity = best_so_far === null ? now : `${now}; best so far, not the answer: ${best_so_far}`;
  return {
    taskId: id,
    status: statusOf(state, interrupted),
    statusMessage: interrupted === undefined ? activity : `interrupted: ${interrupted}`,
    createdAt: new Date(created_ms).toISOString(),
    lastUpdatedAt: new Date(ended_ms ?? Math.max(created_ms, Date.now())).toISOString(),
    ttlMs: job_limits.kept_ms_max,
    pollIntervalMs: server_limits.task_poll_ms,
  };
}

/**
 * Returns a task's status. A tool's fault is also a result; a task has failed only if its result says nothing about the
 * call.
 */
function statusOf(state: JobView["head"]["state"], interrupted: string | undefined) {
  if (interrupted !== undefined) return "failed";
  if (state === "running") return "working";
  return state === "cancelled" ? "cancelled" : "completed";
}

/**
 * Returns the task that continues a call, if the client supports tasks. Otherwise returns undefined, and the client
 * gets a job.
 */
export async function createdTask(answer: Answer, jobs: OwnJobs, context: ServerContext) {
  const { goes_on_as } = answer;
  if (goes_on_as === undefined || !knowsTasks(context)) return undefined;
  const { head } = await jobs.view(goes_on_as, new Deadline(0));
  // The job may have ended in the meantime, but a task's result is read separately. The SDK accepts no tool result
  // without the job's fields, so they are also included.
  return { ...answerResult(answer), resultType: "task" as const, ...taskOf({ head: { ...head, state: "running" } }) };
}

/** Adds the extension's methods. Verdict's tools never ask their clients anything, so an update needs no answer. */
export function addTasks({ server }: McpServer, jobs: OwnJobs): void {
  const complete = { resultType: "complete" as const };
  const jobOfTask = (context: ServerContext, id: string) => {
    if (!knowsTasks(context)) throw notDeclared();
    return jobs.view(id, new Deadline(0)).catch(asProtocolError);
  };
  server.setRequestHandler("tasks/get", { params: WithTask }, async ({ taskId }, context) => {
    const view = await jobOfTask(context, taskId);
    return { ...complete, ...endedTask(view) };
  });
  server.setRequestHandler("tasks/cancel", { params: WithTask }, async ({ taskId }, context) => {
    await jobOfTask(context, taskId);
    await jobs.cancel(taskId, new Deadline(job_limits.cancel_wait_ms_max)).catch(asProtocolError);
    return complete;
  });
  server.setRequestHandler("tasks/update", { params: WithTask }, async ({ taskId }, context) => {
    await jobOfTask(context, taskId);
    return complete;
  });
}

/** Returns a finished task with its result. */
function endedTask(view: JobView) {
  const { ending, interrupted } = view;
  const task = taskOf(view);
  if (interrupted !== undefined) {
    const message = `interrupted: ${interrupted}. Nothing was decided; start_job with restart_job restarts it`;
    return { ...task, error: { code: ProtocolErrorCode.InternalError, message } };
  }
  if (!ending) return task;
  if ("answer" in ending) return { ...task, result: answerResult(ending.answer) };
  const { code, message } = ending.fault;
  if (code === "cancelled") return task;
  // An `internal` fault concerns this server rather than the call.
  if (code === "internal")
    return { ...task, status: "failed" as const, error: { code: ProtocolErrorCode.InternalError, message } };
  return { ...task, result: faultResult(faultOf(ending.fault)) };
}

function knowsTasks({ mcpReq }: ServerContext): boolean {
  return Envelope.safeParse(mcpReq.envelope).success;
}

function notDeclared(): Error {
  return new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [tasks_extension]: {} } } });
}

/** Raises a protocol error: an unknown id, or the id of somebody else's job, is an invalid argument. */
function asProtocolError(thrown: unknown): never {
  if (!(thrown instanceof Fault)) throw thrown;
  const code = thrown.code === "invalid_argument" ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  throw new ProtocolError(code, thrown.message);
}
