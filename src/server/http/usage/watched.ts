import * as z from "zod/v4";
import type { Ending } from "../../../jobs/job.ts";
import { toFault } from "../../../kernel/fault.ts";
import { charging } from "../../../kernel/process/processor_time.ts";
import type { Answer, Tool, Toolset } from "../../../kernel/tool.ts";
import type { Principal } from "../auth/principal.ts";
import type { CallLog } from "./log.ts";
import type { Meters } from "./meter.ts";
import type { Metrics } from "./metrics.ts";

/** The observer of each call. */
export interface Watch {
  readonly metrics: Metrics;
  readonly meters: Meters;
  readonly log: CallLog;
  /** Whether a call of this tool must wait for its turn. Tools that only query jobs need not. */
  readonly takesTurn: (tool: string) => boolean;
}

/** Returns the end of this principal's job, if the job is still running. */
type EndOf = (job_id: string) => Promise<Ending> | undefined;

/** Wraps a toolset so that this principal's calls are counted, logged and limited by its quota. */
export function watched(set: Toolset, principal: Principal, watch: Watch, endOf: EndOf): Toolset {
  return { ...set, session: () => set.session().map((tool) => watchedTool(tool, principal, watch, endOf)) };
}

function watchedTool(tool: Tool, principal: Principal, watch: Watch, endOf: EndOf): Tool {
  const { metrics, meters, log, takesTurn } = watch;
  const { name } = tool;
  return {
    ...tool,
    call: async (question, context) => {
      // The meter is looked up for each call, since a principal's quota can change.
      const meter = meters.current(principal);
      const end = metrics.begin(name);
      const begun = performance.now();
      let cpu_ms = 0;
      const account = meter.account((ms) => {
        cpu_ms += ms;
        metrics.addProcessor(ms / 1000);
      });
      const ended = (outcome: string) => {
        end(outcome);
        const ms = Math.round(performance.now() - begun);
        log.call({ principal: principal.name, tool: name, outcome, ms, cpu_ms: Math.round(cpu_ms), question });
      };
      try {
        const release = takesTurn(name) ? await meter.turn(context) : () => {};
        const answer = await charging(account, () => tool.call(question, context)).finally(release);
        ended(statusOf(answer));
        if (takesTurn(name)) watchJob(answer, principal, watch, { endOf, used: () => cpu_ms });
        return answer;
      } catch (error) {
        ended(toFault(error).code);
        throw error;
      }
    },
  };
}

const Begun = z.looseObject({ status: z.literal("running"), job_id: z.string(), tool: z.string() });
/**
 * Jobs whose end is already awaited. Starting an identical job returns the running one, which must not be counted
 * twice.
 */
const watched_jobs = new WeakSet<Promise<Ending>>();

/** Counts and logs the end of a job that a call became or started, with the job's usage from now on. */
function watchJob(
  { structured }: Answer,
  { name: principal }: Principal,
  { metrics, log }: Watch,
  { endOf, used }: { readonly endOf: EndOf; readonly used: () => number },
): void {
  const begun = Begun.safeParse(structured);
  const end = begun.success ? endOf(begun.data.job_id) : undefined;
  if (!begun.success || end === undefined || watched_jobs.has(end)) return;
  watched_jobs.add(end);
  const { tool } = begun.data;
  const [begun_at, used_before] = [performance.now(), used()];
  void end.then((ending) => {
    const outcome = "answer" in ending ? statusOf(ending.answer) : ending.fault.code;
    metrics.jobEnded(tool, outcome);
    const ms = Math.round(performance.now() - begun_at);
    log.job({ principal, tool, outcome, ms, cpu_ms: Math.round(used() - used_before) });
  });
}

/** Returns an answer's status. Most tools use a fixed set of statuses. */
function statusOf({ structured: { status } }: Answer): string {
  return typeof status === "string" && /^[a-z_]{1,30}$/.test(status) ? status : "answered";
}
