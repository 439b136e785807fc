import type { Deadline } from "../../kernel/deadline.ts";
import { cancelled } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import { type Child, killOne } from "../../kernel/process/child.ts";
import { outputMeter } from "../../kernel/process/output_meter.ts";
import { has_proc, startedBy, threadsOf } from "../../kernel/process/process_tree.ts";
import { isBusy, RunningTime } from "../../kernel/process/processor_time.ts";
import { jsonOf } from "../../kernel/text/json.ts";
import { LineReader } from "../../kernel/text/line_reader.ts";
import { engine_limits } from "../limits.ts";
import { Ended, endOf, GarbledFrame, type JobEnd, type JobReply, Listener, Ready, stalled_end } from "./talk.ts";

interface Pending {
  readonly listener: Listener;
  readonly time: RunningTime | undefined;
  readonly resolve: (reply: JobReply) => void;
  /** The pieces of an incomplete frame. */
  readonly pieces: string[];
  readonly meter: (piece: string) => void;
  answered: boolean;
}

/** The items to run, with a request about them if their language has several kinds of requests. */
export interface ProgramJob {
  readonly items: readonly string[];
  readonly request?: Readonly<Record<string, unknown>>;
  /** The maximum address space of the process, if the default limit is too large. */
  readonly memory_bytes_max?: number;
  /** Set if the items are only data, so that nothing runs and no system protection is needed. */
  readonly is_data?: true;
  /** The number of processors that the engines can use; by default, as many as are free. */
  readonly workers?: number;
  /** The value of `data` in the items. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Receives intermediate results of a running job. */
export type OnResult = (result: unknown) => void;

/**
 * One process that holds a language's imports and forks a child for each job. Deadlines are enforced twice: the fork
 * server kills the job; if it fails to do so, this class kills the fork server.
 */
export class ForkServer {
  /** The process's greeting, sent when it is ready; undefined if it never becomes ready. */
  readonly ready: Promise<Ready | undefined>;
  readonly #child: Child;
  readonly #lines = new LineReader(engine_limits.python_frame_chars_max);
  readonly #pending = new Map<number, Pending>();
  #greet: (ready: Ready | undefined) => void = () => {};
  #jobs = 0;
  #idle: NodeJS.Timeout | undefined;
  #watched: NodeJS.Timeout | undefined;

  constructor(child: Child) {
    this.#child = child;
    this.ready = new Promise((resolve) => {
      this.#greet = resolve;
    });
    child.onText = (text) => this.#take(text);
    void child.ended.then(() => this.#flush());
    const starting = setTimeout(() => child.stop("deadline"), engine_limits.python_start_ms_max);
    void this.ready.then(() => {
      clearTimeout(starting);
      this.#rest();
    });
  }

  get alive(): boolean {
    return this.#child.usable;
  }

  /** The process's output on stderr, for the log. */
  get stderr(): string {
    return this.#child.stderr;
  }

  discard(): void {
    clearTimeout(this.#idle);
    this.#child.stop("closed");
  }

  /** Runs a program to its end, its deadline or its cancellation. Raises `cancelled`. */
  async run(program: ProgramJob, deadline: Deadline, onResult?: OnResult): Promise<JobReply> {
    const id = this.#jobs++;
    clearTimeout(this.#idle);
    if (deadline.signal.aborted) throw cancelled();
    const reply = new Promise<JobReply>((resolve) => {
      const listener = new Listener(onResult);
      const [time, meter] = [RunningTime.begin(), outputMeter()];
      this.#pending.set(id, { listener, time, resolve, pieces: [], meter, answered: false });
    });
    // The caller has already checked that this server is usable, which requires looking at all of its processes.
    if (!this.#child.ending) this.#child.write(startOf(id, program, deadline));
    else this.#flush();
    this.#watched ??= setInterval(() => this.#boundThreads(), engine_limits.python_threads_look_ms).unref();
    const late = setTimeout(() => this.#giveUp(id), deadline.left_ms + engine_limits.python_stop_ms_max);
    const abandon = () => {
      this.#child.write(`${JSON.stringify({ stop: id })}\n`);
      setTimeout(() => this.#giveUp(id), engine_limits.python_stop_ms_max).unref();
    };
    deadline.signal.addEventListener("abort", abandon, { once: true });
    try {
      return await unlessCancelled(reply, deadline.signal);
    } finally {
      clearTimeout(late);
      deadline.signal.removeEventListener("abort", abandon);
    }
  }

  #take(text: string): void {
    for (const line of this.#lines.take(text)) {
      const [, id, sign, piece = ""] = /^(\d+)([+=])(.*)$/s.exec(line) ?? [];
      const value = id === undefined ? jsonOf(line) : undefined;
      const [greeting, ended] = [Ready.safeParse(value), Ended.safeParse(value)];
      if (id !== undefined) this.#receive(Number(id), piece, sign === "=");
      else if (greeting.success) this.#greet(greeting.data);
      else if (ended.success) this.#end(ended.data);
      else this.#child.stop("output");
    }
  }

  /** Receives a piece of a frame, possibly the last one. */
  #receive(id: number, piece: string, is_last: boolean): void {
    const pending = this.#pending.get(id);
    if (!pending || pending.answered) return;
    pending.pieces.push(piece);
    if (!is_last) {
      // A frame that arrives in one piece is small, so only other pieces are counted.
      pending.meter(piece);
      return;
    }
    const reply = this.#heard(pending, pending.pieces.splice(0).join(""));
    if (!reply) return;
    pending.answered = true;
    pending.time?.look();
    pending.resolve(reply);
    this.#child.write(`${JSON.stringify({ stop: id })}\n`);
  }

  #heard({ listener }: Pending, frame: string): JobReply | undefined {
    try {
      return listener.take(frame);
    } catch (error) {
      if (error instanceof GarbledFrame) return listener.close(error.end);
      throw error;
    }
  }

  #end(ended: Ended): void {
    const pending = this.#pending.get(ended.id);
    pending?.time?.end(ended.cpu_ms);
    pending?.resolve(pending.listener.close(endOf(ended)));
    this.#forget(ended.id);
  }

  /** Removes a job whose process has ended. */
  #forget(id: number): void {
    this.#pending.delete(id);
    this.#rest();
  }

  /** Kills jobs that have started too many threads. */
  #boundThreads(): void {
    const [server = 0] = has_proc ? [this.#child.pid] : [];
    for (let family = [server]; family.length > 0; family = family.flatMap((pid) => startedBy(pid)))
      for (const pid of family) if (threadsOf(pid).length > engine_limits.python_threads_max) killOne(pid);
  }

  /** Stops the fork server after a while without jobs, since its imports occupy memory. */
  #rest(): void {
    if (this.#pending.size > 0) return;
    clearInterval(this.#watched);
    this.#watched = undefined;
    if (this.#child.ending) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.discard(), limits.spare_idle_ms_max);
    this.#idle.unref();
  }

  /**
   * Handles a job that the fork server did not end although nobody is waiting for it. The server is either busy with
   * other jobs, which would die with it, or it hangs and is unusable.
   */
  #giveUp(id: number): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    const { stalled } = this.#child;
    pending.resolve(pending.listener.close(stalled ? stalled_end : { kind: "deadline" }));
    const distrust = () => this.#pending.has(id) && this.#child.stop("deadline");
    if (stalled) distrust();
    else setTimeout(distrust, engine_limits.python_lost_ms_max).unref();
  }

  #flush(): void {
    clearInterval(this.#watched);
    this.#greet(undefined);
    const end: JobEnd = { kind: "died", how: "the process that runs programs exited", from_outside: "killed" };
    for (const { listener, time, resolve } of this.#pending.values()) {
      time?.end();
      resolve(listener.close(end));
    }
    this.#pending.clear();
  }
}

/** Waits for the reply; raises `cancelled` as soon as the signal fires. */
function unlessCancelled(reply: Promise<JobReply>, signal: AbortSignal): Promise<JobReply> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(cancelled());
    signal.addEventListener("abort", leave, { once: true });
    reply.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

/**
 * Formats a job for a fork server: what the fork server needs to know, followed by the bytes that it only passes on.
 */
function startOf(id: number, program: ProgramJob, deadline: Deadline): string {
  const job = jobOf(program, deadline);
  const text = `${JSON.stringify(job)}\n`;
  const start = { id, seconds: job.timeout_ms / 1000, rehearse: job.rehearse, bytes: Buffer.byteLength(text) };
  return `${JSON.stringify(start)}\n${text}`;
}

/** Converts a job to the form in which it is sent. */
export function jobOf({ memory_bytes_max, is_data: _, ...program }: ProgramJob, deadline: Deadline) {
  return {
    ...program,
    timeout_ms: Math.max(1, Math.round(deadline.left_ms)),
    memory_bytes: memory_bytes_max ?? limits.solver_rss_bytes_max,
    // A rehearsal makes the next job faster, but takes more CPU time than a small job.
    rehearse: !isBusy(),
  };
}
