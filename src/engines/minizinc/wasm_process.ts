import { randomBytes } from "node:crypto";
import * as z from "zod/v4";
import type { Deadline } from "../../kernel/deadline.ts";
import type { Child } from "../../kernel/process/child.ts";
import type { Expendable } from "../../kernel/process/pool.ts";
import { engine_limits } from "../limits.ts";
import { eachLine, type OnLine, type Task, type TaskEnd } from "./task.ts";

/** A job as the host reads it, one line of JSON. */
export interface HostJob extends Omit<Task, "time_limit_ms"> {
  /** Returned with the end of the run, so that a line of a model can't be read as the end. */
  readonly id: string;
  /** When the run is to end by itself, in milliseconds of the system's clock: the process may start only now. */
  readonly ends_at?: number | undefined;
}

const End = z.object({
  id: z.string(),
  code: z.number(),
  message: z.string().optional(),
  /** Whether the process is of no use to another run. */
  is_spent: z.boolean(),
  memory_bytes: z.number(),
  stderr: z.string().optional(),
  files: z.record(z.string(), z.string().nullable()),
});

/** A process that runs the embedded MiniZinc, one task after the other. */
export class WasmProcess implements Expendable {
  readonly #child: Child;
  #is_spent = false;
  /** Whether a task has begun and not ended. */
  #is_running = false;
  #tasks = 0;
  #memory_bytes = 0;
  /** How the process ended. */
  #death: TaskEnd | undefined;
  /** Ends the task that runs. */
  #end: (end: TaskEnd) => void = nobody;

  constructor(child: Child) {
    this.#child = child;
    // Once, and not for each task: what waits for the end of a process that goes on would stay in memory with its call.
    void child.ended.then((ending) => {
      this.#death = { ending, stderr: "", kept_files: {} };
      this.#end(this.#death);
    });
  }

  get alive(): boolean {
    return this.#child.usable && !this.#is_spent;
  }

  /**
   * Whether the calls after this one can use it: its tasks have ended, and left nothing but memory that is restored. It
   * is replaced from time to time all the same, and as soon as it has grown.
   */
  get is_fresh(): boolean {
    const { minizinc_tasks_max: tasks_max, minizinc_kept_bytes_max: bytes_max } = engine_limits;
    return this.alive && !this.#is_running && this.#tasks < tasks_max && this.#memory_bytes <= bytes_max;
  }

  discard(): void {
    this.#child.stop("closed");
  }

  /** The job is over, and its deadline and signal mean nothing to the next one. */
  rest(): void {
    this.#child.disarm();
    this.#child.onText = () => {};
  }

  /** Runs a task; the job's deadline and signal end the process with it. */
  async run({ time_limit_ms, ...task }: Task, deadline: Deadline, onLine: OnLine): Promise<TaskEnd> {
    const ends_at = time_limit_ms === undefined ? undefined : Date.now() + time_limit_ms;
    const child = this.#child;
    const id = randomBytes(16).toString("hex");
    const stderr_before = child.stderr.length;
    const stderr = () => child.stderr.slice(stderr_before);
    const ended = new Promise<TaskEnd>((resolve) => {
      this.#end = (end) => {
        this.#end = nobody;
        resolve({ ...end, stderr: end.stderr || stderr() });
      };
      child.onText = eachLine((line) => {
        if (!line.includes(id)) return onLine(line);
        const { code, files, is_spent, memory_bytes, stderr: complete } = End.parse(JSON.parse(line));
        this.#is_spent = is_spent;
        this.#is_running = false;
        this.#memory_bytes = memory_bytes;
        const remaining = Object.entries(files).flatMap(([name, text]) =>
          text === null ? [] : [[name, text] as const],
        );
        this.#end({
          ending: { kind: "exited", code },
          stderr: complete ?? "",
          kept_files: Object.fromEntries(remaining),
        });
      });
    });
    if (this.#death) this.#end(this.#death);
    this.#is_running = true;
    this.#tasks++;
    child.arm(deadline);
    const job: HostJob = { id, ends_at, ...task };
    child.write(`${JSON.stringify(job)}\n`);
    return await ended;
  }
}

/** No task runs. */
function nobody(): void {}
