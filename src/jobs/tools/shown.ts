import * as z from "zod/v4";
import type { Rendering } from "../../kernel/tool.ts";
import { faultOf } from "../job.ts";
import type { JobView } from "../jobs.ts";

/** The common part of every answer about one job. */
export const shown_job = z.object({
  status: z.string(),
  job_id: z.string(),
  tool: z.string(),
  running_s: z.number(),
  /** The current step. */
  doing: z.string().optional(),
  best_so_far: z.string().optional(),
  /** Why the job was interrupted. */
  reason: z.string().optional(),
  /** The events from the requested number on. */
  events: z.array(z.object({ number: z.int(), at_s: z.number(), text: z.string() })).optional(),
  /** The number of the next event. */
  next: z.int().optional(),
  restarted_as: z.string().optional(),
  warnings: z.array(z.string()).optional(),
});
export type ShownJob = z.output<typeof shown_job>;

/** Returns a job's state as one word. An interrupted job has no answer and will never have one. */
export function statusOf({ head, interrupted }: JobView): string {
  return interrupted === undefined ? head.state : "interrupted";
}

/** Returns what clients see of a job, apart from its answer. */
export function shownJob(view: JobView, from: number): ShownJob {
  const { head, interrupted } = view;
  const last = head.events.at(-1);
  return {
    status: statusOf(view),
    job_id: head.id,
    tool: head.tool,
    running_s: head.ran_s,
    ...(statusOf(view) === "running" && { doing: head.doing }),
    ...(interrupted !== undefined && { reason: interrupted }),
    ...(head.best_so_far !== null && { best_so_far: head.best_so_far }),
    events: head.events.filter(({ number }) => number >= from),
    next: last === undefined ? 0 : last.number + 1,
    ...(head.restarted_as !== null && { restarted_as: head.restarted_as }),
  };
}

/** Renders a shown job as text. */
export function renderJob(job: ShownJob): Rendering {
  const { job_id, tool, running_s, doing, best_so_far, reason, events = [], restarted_as, warnings = [] } = job;
  const lines = events.map(({ number, at_s, text }) => `${number}. after ${at_s} s: ${text}`);
  return [
    [`${headline(job)} Job ${job_id} (${tool}), ${running_s} s${doing === undefined ? "" : `; now: ${doing}`}.`]
      .concat(best_so_far === undefined ? [] : `Best so far, not the answer: ${best_so_far}.`)
      .concat(lines)
      .join("\n"),
    ...(reason === undefined || restarted_as !== undefined
      ? []
      : [`Start it again: start_job with restart_job "${job_id}".`]),
    ...(restarted_as === undefined ? [] : [`It was restarted as job ${restarted_as}.`]),
    ...warnings,
  ];
}

function headline({ status, reason }: ShownJob): string {
  if (status === "running") return "running: nothing is decided yet.";
  return reason === undefined ? `${status}.` : `interrupted: ${reason}. Nothing was decided.`;
}

/** Returns everything that is known about a job. */
export function wholeJob(view: JobView): ShownJob & { readonly answer?: object; readonly fault?: object } {
  const { ending } = view;
  const shown = shownJob(view, 0);
  if (!ending) return shown;
  return "answer" in ending
    ? { ...shown, answer: ending.answer.structured }
    : { ...shown, fault: faultOf(ending.fault).report() };
}
