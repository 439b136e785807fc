import { engine_limits } from "../limits.ts";
import type { OnLine, Task, TaskEnd } from "./task.ts";

/**
 * What MiniZinc printed about the texts that it read last. Edits, plans and questions about a model require the same
 * text to be read again, which takes as long as solving a small model.
 */
export class Readings {
  readonly #lines = new Map<string, readonly string[]>();

  /** Prints again what a task printed, if it succeeded not long ago; otherwise runs it. */
  async read<End extends TaskEnd | "expired">(
    task: Task,
    onLine: OnLine,
    run: (onLine: OnLine) => Promise<End>,
  ): Promise<End | TaskEnd> {
    const key = JSON.stringify(task);
    const known = this.#lines.get(key);
    if (known) {
      for (const line of known) onLine(line);
      return { ending: { kind: "exited", code: 0 }, stderr: "", kept_files: {} };
    }
    const lines: string[] = [];
    const end = await run((line) => {
      lines.push(line);
      return onLine(line);
    });
    const has_succeeded = end !== "expired" && end.ending.kind === "exited" && end.ending.code === 0;
    const chars = lines.reduce((sum, { length }) => sum + length, key.length);
    if (has_succeeded && chars <= engine_limits.minizinc_reading_chars_max) this.#keep(key, lines);
    return end;
  }

  #keep(key: string, lines: readonly string[]): void {
    this.#lines.set(key, lines);
    const [oldest] = this.#lines.keys();
    if (this.#lines.size > engine_limits.minizinc_readings_max && oldest !== undefined) this.#lines.delete(oldest);
  }
}
