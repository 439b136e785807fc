import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** The server's metrics in the Prometheus text format. No label contains user text. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #calls = new Counter({
    name: "verdict_calls_total",
    help: "Tool calls by tool and outcome: the status of the answer, or the code of the fault.",
    labelNames: ["tool", "outcome"],
    registers: [this.#registry],
  });
  readonly #jobs = new Counter({
    name: "verdict_jobs_total",
    help: "Finished jobs, by tool and by the outcome of the call.",
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
    help: "Tool calls that have not been answered yet.",
    registers: [this.#registry],
  });
  readonly #cancelled = new Counter({
    name: "verdict_cancellations_total",
    help: "Tool calls that their clients abandoned.",
    registers: [this.#registry],
  });
  readonly #processor = new Gauge({
    name: "verdict_processor_seconds",
    help: "Processor time used by solvers for calls and jobs.",
    registers: [this.#registry],
  });
  readonly #refused = new Counter({
    name: "verdict_requests_refused_total",
    help: "Rejected HTTP requests, by status code.",
    labelNames: ["code"],
    registers: [this.#registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** Adds a value that is computed when the metrics are requested. */
  gauge(name: string, help: string, value: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      async collect() {
        this.set(await value());
      },
    });
  }

  refused(code: number): void {
    this.#refused.inc({ code: String(code) });
  }

  /** Starts a call. The returned function ends it with its outcome. */
  begin(tool: string): (outcome: string) => void {
    this.#running.inc();
    const end = this.#seconds.startTimer({ tool });
    return (outcome) => {
      end();
      this.#running.dec();
      this.#calls.inc({ tool, outcome });
      if (outcome === "cancelled") this.#cancelled.inc();
    };
  }

  jobEnded(tool: string, outcome: string): void {
    this.#jobs.inc({ tool, outcome });
  }

  /** Adds solvers' processor time. A negative amount may correct an estimate. */
  addProcessor(seconds: number): void {
    this.#processor.inc(seconds);
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
