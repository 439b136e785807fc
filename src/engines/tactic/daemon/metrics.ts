import { appendFile, rename, stat } from "node:fs/promises";
import { engine_limits } from "../../limits.ts";

/** The record of a request. It contains neither the state nor the tactics, which belong to the user. */
export interface Measured {
  readonly method: string;
  readonly ms: number;
  readonly ended: "answered" | "cached" | "timed_out" | "fault";
  readonly tactics: number;
  readonly fingerprint: string | null;
}

/** Collects the number and times of requests, in memory and in a log of JSON lines. */
export class Metrics {
  readonly #log: string;
  readonly #times: number[] = [];
  #requests = 0;
  #unwritten = "";
  #due: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #complained = false;

  constructor(log: string) {
    this.#log = log;
  }

  note(measured: Measured): void {
    this.#requests++;
    this.#times.push(measured.ms);
    if (this.#times.length > engine_limits.tactic_times_kept_max) this.#times.shift();
    const ms = Math.round(measured.ms * 10) / 10;
    this.#unwritten += `${JSON.stringify({ at: new Date().toISOString(), ...measured, ms })}\n`;
    // The record is not written immediately, since the measured request has not been answered yet.
    this.#due ??= setTimeout(() => void this.write(), engine_limits.tactic_log_ms).unref();
  }

  get requests(): number {
    return this.#requests;
  }

  get percentiles(): { p50: number | null; p90: number | null; p99: number | null } {
    const sorted = this.#times.toSorted((a, b) => a - b);
    const at = (share: number) => {
      const quantile = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
      return quantile === undefined ? null : Math.round(quantile * 10) / 10;
    };
    return { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
  }

  /**
   * Writes the records that have been added since the last call; resolves once all records, including those from
   * earlier calls, are written.
   */
  async write(): Promise<void> {
    clearTimeout(this.#due);
    const lines = this.#unwritten;
    this.#due = undefined;
    this.#unwritten = "";
    if (lines !== "")
      this.#writing = this.#writing.then(() => this.#append(lines)).catch((error: unknown) => this.#complain(error));
    await this.#writing;
  }

  /** Reports an error only once, since the daemon's log has no size limit. */
  #complain(error: unknown): void {
    if (!this.#complained) console.error("The metrics log can't be written:", error);
    this.#complained = true;
  }

  async #append(lines: string): Promise<void> {
    const size = await stat(this.#log).then(
      (stats) => stats.size,
      () => 0,
    );
    if (size > engine_limits.tactic_log_bytes_max) await rename(this.#log, `${this.#log}.1`);
    await appendFile(this.#log, lines, { mode: 0o600 });
  }
}
