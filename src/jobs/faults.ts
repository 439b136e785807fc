import { Fault } from "../kernel/fault.ts";
import type { JobHead } from "./job.ts";
import { job_limits } from "./limits.ts";

/**
 * The fault for a job that was not found. The message is the same whether the job is unknown, was deleted, or belongs
 * to another owner.
 */
export function unknownJob(id: string): Fault {
  const days = job_limits.kept_ms_max / (24 * 3_600_000);
  const kept = `A job is deleted ${days} days after its end, or earlier if there are more than ${job_limits.kept_max}.`;
  return new Fault("invalid_argument", `There is no job "${id.slice(0, 80)}". ${kept}`, [
    "call list_jobs, and use the job_id of one of your jobs",
    "or start the call again with start_job",
  ]);
}

/** The fault if there is a file in place of the data directory. */
export function noDirectory(): Fault {
  return new Fault("engine_failed", "The jobs can't be read: the data directory of this server is not a directory.", [
    "ask the user to set VERDICT_DATA to a directory",
    "or go on without: jobs still run, but they are lost when the server exits",
  ]);
}

/** The fault if a job's file is damaged. */
export function unreadable(id: string): Fault {
  return new Fault(
    "engine_failed",
    `The file of job "${id}" can't be read: it is damaged. Nothing is known about its answer.`,
    ["send the call again", "check the disk: a completely written file has been changed or truncated"],
  );
}

/** The fault if no more jobs can run at the moment. */
export function tooMany(): Fault {
  return new Fault("busy", `${job_limits.running_max} jobs are already running; this one was rejected.`, [
    "wait until one has finished (get_job), or cancel one (cancel_job)",
    "call list_jobs to see the jobs",
  ]);
}

/** The fault for a job that can't be restarted because it is running or has an answer. */
export function notRestarted(id: string, is_answered: boolean): Fault {
  const why = is_answered ? "has an answer" : "still runs";
  return new Fault("invalid_argument", `Job "${id}" ${why}; only a job without an answer can be started again.`, [
    `read it with get_job, job_id "${id}"`,
    "for a different job, pass tool and arguments",
  ]);
}

/** The fault if a job's question was not kept, so that the job can't be restarted. */
export function notSelfContained({ id, tool }: JobHead): Fault {
  return new Fault(
    "invalid_argument",
    `Job "${id}" can't be started again: ${tool} depends on a session that has ended, or its question can't be read.`,
    ["send the call again, with everything that it needs", "for a model, send the whole model to solve"],
  );
}

/** The fault if this server does not offer the job's tool. */
export function notOffered(tool: string): Fault {
  return new Fault("invalid_argument", `The job is a call to ${tool}, which this server does not offer.`, [
    "start the server with a --tools list that includes it",
    "or send the question to another tool",
  ]);
}
