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

/**
 * The id of a job. It is returned in the report on the run's end, so that no output of the run can be mistaken for that
 * report.
 */
export interface Identified {
  readonly id: string;
}

/** The report on a run's end, which the host prints as one line of JSON. */
const Report = z.object({
  id: z.string(),
  code: z.number(),
  /** Whether the process can't be used for another run. */
  is_spent: z.boolean(),
  memory_bytes: z.number(),
  stderr: z.string().default(""),
  files: z.record(z.string(), z.string().nullable()).default({}),
});

/** The report that a host has to print. */
export type Report = z.input<typeof Report>;

/** How a run ended. */
export interface RunEnd {
  readonly ending: Ending;
  readonly stderr: string;
  /** The requested files; null for a file that was not written. */
  readonly files: Readonly<Record<string, string | null>>;
  /** Whether the process ended during the run; `ending` then describes the process. */
  readonly is_gone: boolean;
}

/**
 * A process of an embedded engine that runs one job after another; `jobs.ts` is the part inside the process. The job
 * and the report on its end are one line of JSON each; everything printed between them is the run's output.
 */
export class KeptProcess implements Expendable {
  readonly #child: Child;
  /** The maximum memory with which the process is kept for another call. */
  readonly #kept_bytes_max: number;
  #is_spent = false;
  /** Whether a job has begun but not yet ended. */
  #is_running = false;
  #jobs = 0;
  #memory_bytes = 0;
  /** How the process ended. */
  #death: RunEnd | undefined;
  /** Ends the running job. */
  #end: (end: RunEnd) => void = nobody;

  constructor(child: Child, kept_bytes_max: number) {
    this.#child = child;
    this.#kept_bytes_max = kept_bytes_max;
    // The handler is added once, not for each job: a handler that waits for the end of a long-running process would
    // keep its call in memory.
    void child.ended.then((ending) => {
      this.#death = { ending, stderr: "", files: {}, is_gone: true };
      this.#end(this.#death);
    });
  }

  get alive(): boolean {
    return this.#child.usable && !this.#is_spent;
  }

  /**
   * Whether later calls can use the process: its jobs have ended, and the host reports that nothing of them can be
   * left. Even so, the process is replaced after a number of jobs, and as soon as it has grown too large.
   */
  get is_fresh(): boolean {
    const is_young = this.#jobs < engine_limits.kept_jobs_max && this.#memory_bytes <= this.#kept_bytes_max;
    return this.alive && !this.#is_running && is_young;
  }

  discard(): void {
    this.#child.stop("closed");
  }

  /** Ends a call; its deadline and its signal do not apply to the next call. */
  rest(): void {
    this.#child.disarm();
    this.#child.onText = () => {};
  }

  /** Sends an order that is not a job, so that no answer is expected. */
  protected tell(order: object): void {
    this.#child.write(`${JSON.stringify(order)}\n`);
  }

  /**
   * Runs a job; if the call's deadline or signal ends it, the process ends, too. Raises `engine_failed` if the system
   * refused memory to the process.
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

/** Receives a run's end while no job is running. */
function nobody(): void {}
