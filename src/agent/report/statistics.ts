import type { CallRecord } from "../evidence/calls.ts";
import type { Budget, Role, Tokens } from "../loop/budget.ts";
import type { Event } from "../loop/events.ts";
import { repairsIn } from "../loop/patience.ts";

export interface ToolStatistics {
  readonly calls: number;
  readonly faults: number;
  readonly seconds: number;
}

/** The cost of a question. */
export interface Statistics {
  /** The number of requests to the models. */
  readonly steps: number;
  /** The number of calls that corrected an earlier fault. */
  readonly repairs: number;
  readonly tools: Readonly<Record<string, ToolStatistics>>;
  readonly tokens: Readonly<Record<Role, Tokens>>;
  /** Whether a provider did not report its tokens, so that some numbers are estimates. */
  readonly tokens_estimated: boolean;
  /** The price in the provider's currency; null if the provider reports none. */
  readonly price: number | null;
  readonly seconds: number;
  /**
   * The part of `seconds` spent in tools; `solver_seconds` is the time that the engines reported as spent in their own
   * work.
   */
  readonly tool_seconds: number;
  readonly solver_seconds: number;
}

/** Counts what happens while a question is answered. */
export class Tally {
  readonly #start = performance.now();
  readonly #records = new Map<string, CallRecord[]>();
  #steps = 0;

  take(event: Event): void {
    if (event.kind === "step") this.#steps++;
    if (event.kind !== "call") return;
    const { role, record } = event;
    this.#records.set(role, [...(this.#records.get(role) ?? []), record]);
  }

  statistics(budget: Budget): Statistics {
    const records = [...this.#records.values()].flat();
    const tools = [...new Set(records.map(({ tool }) => tool))];
    return {
      steps: this.#steps,
      repairs: [...this.#records.values()].reduce((sum, each) => sum + repairsIn(each), 0),
      tools: Object.fromEntries(tools.map((name) => [name, ofTool(records.filter(({ tool }) => tool === name))])),
      tokens: {
        agent: budget.spentBy("agent"),
        checker: budget.spentBy("checker"),
        reviewer: budget.spentBy("reviewer"),
        router: budget.spentBy("router"),
      },
      tokens_estimated: budget.is_estimated,
      price: budget.price ?? null,
      seconds: seconds(performance.now() - this.#start),
      tool_seconds: seconds(records.reduce((sum, { ms }) => sum + ms, 0)),
      solver_seconds: seconds(records.reduce((sum, record) => sum + solverTime(record), 0)),
    };
  }
}

function ofTool(calls: readonly CallRecord[]): ToolStatistics {
  return {
    calls: calls.length,
    faults: calls.filter(({ is_fault }) => is_fault).length,
    seconds: seconds(calls.reduce((sum, { ms }) => sum + ms, 0)),
  };
}

/** The engine's time as stated in the answer, in milliseconds. */
function solverTime({ structured }: CallRecord): number {
  const { solve_time, time_seconds, time_ms } = structured;
  const s = [solve_time, time_seconds].find((time) => typeof time === "number");
  if (typeof s === "number") return s * 1000;
  return typeof time_ms === "number" ? time_ms : 0;
}

function seconds(ms: number): number {
  return Math.round(ms) / 1000;
}
