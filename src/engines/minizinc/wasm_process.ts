import type { Deadline } from "../../kernel/deadline.ts";
import type { Child } from "../../kernel/process/child.ts";
import { engine_limits } from "../limits.ts";
import { type Identified, KeptProcess } from "../wasm/kept_process.ts";
import { isReadable, type OnLine, type Task, type TaskEnd } from "./task.ts";

/** A task as the host reads it: one line of JSON. */
export interface HostJob extends Identified, Omit<Task, "time_limit_ms"> {
  /**
   * The system time in milliseconds at which the run should end on its own. It is absolute, since the process may only
   * just be starting.
   */
  readonly ends_at?: number | undefined;
}

/** A process that runs the embedded MiniZinc, one task after another. */
export class WasmProcess extends KeptProcess {
  constructor(child: Child) {
    super(child, engine_limits.minizinc_kept_bytes_max);
  }

  /** Runs a task; if the deadline or the signal ends it, the process ends, too. */
  async run({ time_limit_ms, ...task }: Task, deadline: Deadline, onLine: OnLine): Promise<TaskEnd> {
    const ends_at = time_limit_ms === undefined ? undefined : Date.now() + time_limit_ms;
    const job: Omit<HostJob, "id"> = { ends_at, ...task };
    const { ending, stderr, files } = await this.runJob(job, deadline, onLine);
    const written = Object.entries(files).flatMap(([name, text]) =>
      text === null ? [] : [[name, isReadable(text.length) ? text : null] as const],
    );
    return { ending, stderr, kept_files: Object.fromEntries(written) };
  }
}
