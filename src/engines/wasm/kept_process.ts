import { randomBytes } from "node:crypto";
import * as z from "zod/v4";
import type { Deadline } from "../../kernel/deadline.ts";
import { memoryRefused } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import type { Child, Ending } from "../../kernel/process/child.ts";
import { outputMeter } from "../../kernel/process/output_meter.ts";
import type { Expendable } from "../../kernel/process/pool.ts";
import { eachLine } from "../../kernel/text/line_reader.ts";
import { engine_limits } from "../limits.ts";

/** What every job has: it is returned with the end of the run, so that no output of the run can be read as the end. */
export interface Identified {
  readonly id: string;
}

/** The end of a run, as the host prints it in one line of JSON. */
const Report = z.object({
  id: z.string(),
  code: z.number(),
  /** Whether the process is of no use to another run. */
  is_spent: z.boolean(),
  memory_bytes: z.number(),
  stderr: z.string().default(""),
  files: z.record(z.string(), z.string().nullable()).default({}),
});

/** What a host has to print. */
export type Report = z.input<typeof Report>;

/** How a run ended. */
export interface RunEnd {
  readonly ending: Ending;
  readonly stderr: string;
  /** The files that were asked for; null for one that was not written. */
  readonly files: Readonly<Record<string, string | null>>;
  /** Whether the process ended with it: then the ending is that of the process. */
  readonly is_gone: boolean;
}

/**
 * A process of an embedded engine that runs one job after the other; `jobs.ts` is the side in the process. The job and
 * the end of its run are each a line of JSON; what is printed between them is the output of the run.
 */
export class KeptProcess implements Expendable {
  readonly #child: Child;
  /** The memory with which it still waits for another call. */
  readonly #kept_bytes_max: number;
  #is_spent = false;
  /** Whether a job has begun and not ended. */
  #is_running = false;
  #jobs = 0;
  #memory_bytes = 0;
  /** How the process ended. */
  #death: RunEnd | undefined;
  /** Ends the job that runs. */
  #end: (end: RunEnd) => void = nobody;

  constructor(child: Child, kept_bytes_max: number) {
    this.#child = child;
    this.#kept_bytes_max = kept_bytes_max;
    // Once, and not for each job: what waits for the end of a process that goes on would stay in memory with its call.
    void child.ended.then((ending) => {
      this.#death = { ending, stderr: "", files: {}, is_gone: true };
      this.#end(this.#death);
    });
  }

  get alive(): boolean {
    return this.#child.usable && !this.#is_spent;
  }

  /**
   * Whether the calls after this one can use it: its jobs have ended, and the host says that nothing of them can be left.
   * It is replaced from time to time all the same, and as soon as it has grown.
   */
  get is_fresh(): boolean {
    const is_young = this.#jobs < engine_limits.kept_jobs_max && this.#memory_bytes <= this.#kept_bytes_max;
    return this.alive && !this.#is_running && is_young;
  }

  discard(): void {
    this.#child.stop("closed");
  }

  /** The call is over, and its deadline and signal mean nothing to the next one. */
  rest(): void {
    this.#child.disarm();
    this.#child.onText = () => {};
  }

  /** Sends what is not a job: nothing answers it. */
  protected tell(order: object): void {
    this.#child.write(`${JSON.stringify(order)}\n`);
  }

  /**
   * Runs a job; the call's deadline and signal end the process with it. Raises `engine_failed` if the system gave the process
   * no memory.
   */
  protected async runJob(job: object, deadline: Deadline, onLine: (line: string) => unknown): Promise<RunEnd> {
    const child = this.#child;
    const id = randomBytes(16).toString("hex");
    const stderr_before = child.stderr.length;
    const stderr = () => child.stderr.slice(stderr_before);
    const meter = outputMeter();
    const ended = new Promise<RunEnd>((resolve) => {
      this.#end = (end) => {
        this.#end = nobody;
        resolve({ ...end, stderr: end.stderr || stderr() });
      };
      child.onText = eachLine((line) => {
        if (!line.includes(id)) {
          meter(line);
          child.forget(onLine(line));
          return;
        }
        const { code, files, is_spent, memory_bytes, stderr: complete } = Report.parse(JSON.parse(line));
        this.#is_spent = is_spent;
        this.#is_running = false;
        this.#memory_bytes = memory_bytes;
        this.#end({ ending: { kind: "exited", code }, stderr: complete, files, is_gone: false });
      }, limits.stdout_bytes_max);
    });
    if (this.#death) this.#end(this.#death);
    this.#is_running = true;
    this.#jobs++;
    child.arm(deadline);
    this.tell({ id, ...job });
    const end = await ended;
    const short = end.is_gone ? memoryRefused("the engine", child.stderr) : undefined;
    if (short) throw short;
    return end;
  }
}

/** No job runs. */
function nobody(): void {}
