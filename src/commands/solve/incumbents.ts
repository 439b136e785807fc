import type { CallContext } from "../../kernel/tool.ts";
import { watched } from "../waiting.ts";
import { solve_limits } from "./limits.ts";

/**
 * Reports better solutions on stderr while some work runs: in the spinner's line at a terminal, and otherwise as
 * separate lines. `quiet` disables the reports.
 */
export async function withIncumbents<Result>(
  signal: AbortSignal,
  quiet: boolean,
  work: (context: CallContext) => Promise<Result>,
): Promise<Result> {
  if (quiet) return work({ signal, progress: () => {}, onEvent: () => {} });
  if (process.stderr.isTTY) return watched(signal, work);
  const lines = new Lines();
  try {
    return await work({ signal, progress: () => {}, onEvent: (message) => lines.add(message) });
  } finally {
    lines.end();
  }
}

/**
 * Prints lines on stderr at a limited rate: the first line immediately, then the latest one from time to time, and
 * finally the last one.
 */
class Lines {
  #latest: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  add(message: string): void {
    this.#latest = message;
    if (this.#timer) return;
    this.#print();
    this.#timer = setInterval(() => this.#print(), solve_limits.incumbent_report_ms);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#print();
  }

  #print(): void {
    if (this.#latest !== undefined) console.error(this.#latest);
    this.#latest = undefined;
  }
}
