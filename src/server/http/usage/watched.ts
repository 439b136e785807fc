import { toFault } from "../../../kernel/fault.ts";
import { charging } from "../../../kernel/process/processor_time.ts";
import type { Answer, Tool, Toolset } from "../../../kernel/tool.ts";
import type { Principal } from "../auth/principal.ts";
import type { CallLog } from "./log.ts";
import type { Meters } from "./meter.ts";
import type { Metrics } from "./metrics.ts";

/** What hears of each call. */
export interface Watch {
  readonly metrics: Metrics;
  readonly meters: Meters;
  readonly log: CallLog;
  /** Whether a call of this tool takes a turn: those that only look at jobs do not. */
  readonly takesTurn: (tool: string) => boolean;
}

/** The toolset with calls of this principal that are counted, logged, and held against its quota. */
export function watched(set: Toolset, principal: Principal, watch: Watch): Toolset {
  return { ...set, session: () => set.session().map((tool) => watchedTool(tool, principal, watch)) };
}

function watchedTool(tool: Tool, principal: Principal, { metrics, meters, log, takesTurn }: Watch): Tool {
  const { name } = tool;
  return {
    ...tool,
    call: async (question, context) => {
      // Looked up for each call: the quota of a principal can change.
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
        return answer;
      } catch (error) {
        ended(toFault(error).code);
        throw error;
      }
    },
  };
}

/** The status of an answer; most tools have one of a closed list. */
function statusOf({ structured: { status } }: Answer): string {
  return typeof status === "string" && /^[a-z_]{1,30}$/.test(status) ? status : "answered";
}
