import { cancelled } from "../kernel/fault.ts";
import { limits } from "../kernel/limits.ts";
import { timeoutUpTo } from "../kernel/timeout.ts";
import type { Answer, CallContext, Tool } from "../kernel/tool.ts";
import { type Ending, faultOf } from "./job.ts";
import type { Begun } from "./jobs.ts";
import { job_limits } from "./limits.ts";
import type { OwnJobs } from "./own_jobs.ts";
import type { Running } from "./queue.ts";

/**
 * Returns a tool whose calls become jobs if they take long. Its time limit may be as long as a job's, and its answer
 * can be that the call is still running.
 */
export function handedOver(tool: Tool, jobs: OwnJobs): Tool {
  if (jobs.handover_ms === 0)
    return jobs.is_local ? tool : { ...tool, call: (args, context) => callToItsEnd(tool, jobs, args, context) };
  return {
    ...tool,
    input: timeoutUpTo(tool.input, job_limits.timeout_ms_max),
    fault_statuses: [...tool.fault_statuses, "running"],
    call: (args, context) => callOrJob(tool, jobs, args, context),
  };
}

/** Makes a call that never becomes a job, although another process may run it. */
async function callToItsEnd(tool: Tool, jobs: OwnJobs, args: unknown, context: CallContext): Promise<Answer> {
  const { run } = jobs.run(tool, args, { watcher: context });
  await endsSoon(run, job_limits.timeout_ms_max, context.signal);
  return answerOf(run);
}

async function callOrJob(tool: Tool, jobs: OwnJobs, args: unknown, context: CallContext): Promise<Answer> {
  const { run, question } = jobs.run(tool, args, { watcher: context });
  if (await endsSoon(run, jobs.handover_ms, context.signal, jobs.leaving)) return answerOf(run);
  // If there is no room for another job, the client keeps waiting until there is room.
  while (!jobs.has_room || !run.becomeJob())
    if (await endsSoon(run, limits.room_look_ms, context.signal)) return answerOf(run);
  const begun = await jobs.keep(tool.name, run, await question);
  // The client cancelled the call while the job was being written, and will never learn its id.
  if (context.signal.aborted) run.cancel();
  return runningAnswer(begun);
}

/** Whether a run ends within this time and before `leaving` fires. If the client cancels, the run is cancelled. */
async function endsSoon(run: Running, ms: number, signal: AbortSignal, leaving?: AbortSignal): Promise<boolean> {
  const abandon = () => run.cancel();
  let leave = () => {};
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    leave = () => resolve(false);
    timer = setTimeout(leave, ms);
  });
  signal.addEventListener("abort", abandon, { once: true });
  leaving?.addEventListener("abort", leave, { once: true });
  if (signal.aborted) abandon();
  if (leaving?.aborted) leave();
  try {
    return await Promise.race([run.ended.then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abandon);
    leaving?.removeEventListener("abort", leave);
  }
}

/** Returns the answer from a run that has ended, exactly as the tool returned it. Raises the run's fault. */
function answerOf({ ending, thrown }: Running): Answer {
  if (!ending) throw cancelled();
  if ("answer" in ending) return ending.answer;
  throw thrown ?? faultOf(ending.fault);
}

/** Returns the answer from a job that has ended. Raises the job's fault. */
export function answerIn(ending: Ending): Answer {
  if ("answer" in ending) return ending.answer;
  throw faultOf(ending.fault);
}

/** The answer to a client whose call became a job: it gives the job's id and says that there is no verdict yet. */
export function runningAnswer({ job: { head }, unwritten }: Begun): Answer {
  const { id, tool, ran_s, best_so_far } = head;
  const best = best_so_far === null ? [] : [`Best so far, not the answer: ${best_so_far}.`];
  const warnings = unwritten === undefined ? [] : [unwrittenNote(unwritten)];
  return {
    goes_on_as: id,
    structured: {
      status: "running",
      job_id: id,
      tool,
      running_s: ran_s,
      ...(best_so_far !== null && { best_so_far }),
      ...(warnings.length > 0 && { warnings }),
    },
    text: [
      `running: ${tool} continues as job ${id}; nothing is decided yet.`,
      ...best,
      `Call get_job with job_id "${id}" for the answer; cancel_job stops it.`,
      ...warnings,
    ],
  };
}

/** The message about a job that could not be written. */
export function unwrittenNote(why: string): string {
  return `The job could not be recorded (${why}): it runs, but it is lost when the server exits.`;
}
