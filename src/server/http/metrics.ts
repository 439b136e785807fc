import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { toFault } from "../../kernel/fault.ts";
import type { Tool, Toolset } from "../../kernel/tool.ts";

/** What the server counts, in the text format of Prometheus. No label has text of a user. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #calls = new Counter({
    name: "verdict_calls_total",
    help: "Tool calls by tool and outcome: the status of the answer, or the code of the fault.",
    labelNames: ["tool", "outcome"],
    registers: [this.#registry],
  });
  readonly #seconds = new Histogram({
    name: "verdict_call_seconds",
    help: "Seconds from a tool call to its answer.",
    labelNames: ["tool"],
    buckets: [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 3600],
    registers: [this.#registry],
  });
  readonly #running = new Gauge({
    name: "verdict_calls_running",
    help: "Tool calls that are not answered yet.",
    registers: [this.#registry],
  });
  readonly #refused = new Counter({
    name: "verdict_requests_refused_total",
    help: "HTTP requests that were refused, by status code.",
    labelNames: ["code"],
    registers: [this.#registry],
  });

  constructor(sessions: () => number) {
    collectDefaultMetrics({ register: this.#registry });
    new Gauge({
      name: "verdict_sessions",
      help: "Open sessions of clients of the 2025 revision.",
      registers: [this.#registry],
      collect() {
        this.set(sessions());
      },
    });
  }

  refused(code: number): void {
    this.#refused.inc({ code: String(code) });
  }

  /** The toolset with calls that are counted. */
  counting(set: Toolset): Toolset {
    return { ...set, session: () => set.session().map((tool) => this.#counted(tool)) };
  }

  #counted(tool: Tool): Tool {
    const { name } = tool;
    return {
      ...tool,
      call: async (args, context) => {
        this.#running.inc();
        const end = this.#seconds.startTimer({ tool: name });
        try {
          const answer = await tool.call(args, context);
          this.#calls.inc({ tool: name, outcome: statusOf(answer.structured) });
          return answer;
        } catch (error) {
          this.#calls.inc({ tool: name, outcome: toFault(error).code });
          throw error;
        } finally {
          end();
          this.#running.dec();
        }
      },
    };
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

/** The status of an answer; most tools have one of a closed list. */
function statusOf(structured: Readonly<Record<string, unknown>>): string {
  const { status } = structured;
  return typeof status === "string" && /^[a-z_]{1,30}$/.test(status) ? status : "answered";
}
