import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Deadline } from "../kernel/deadline.ts";
import { cancelled, Fault } from "../kernel/fault.ts";
import type { Question } from "../kernel/tool.ts";
import { unreadable } from "./faults.ts";
import { lives, thisServer } from "./host.ts";
import { type Ending, isId, type JobHead } from "./job.ts";
import { KeptJob } from "./kept_job.ts";
import { job_limits } from "./limits.ts";
import { local_queue, type Order, type Queue, type Running } from "./queue.ts";
import type { JobStore } from "./store.ts";

/** A job as its owner sees it. */
export interface JobView {
  readonly head: JobHead;
  /** The reason why there will never be an answer, if the job was interrupted. */
  readonly interrupted?: string;
  /** How the job ended; undefined while it is running. */
  readonly ending?: Ending;
}

export interface JobsOptions {
  readonly store: JobStore;
  readonly handover_ms: number;
  readonly queue?: Queue;
  readonly clock?: () => number;
}

/** A job that has just begun. */
export interface Begun {
  readonly job: KeptJob;
  /** The reason why the job was not stored; undefined if it was. */
  readonly unwritten: string | undefined;
}

/** All jobs of one server. Each belongs to an owner. */
export class Jobs {
  /** A call that is still running after this time becomes a job; 0 means never. */
  readonly handover_ms: number;
  readonly #store: JobStore;
  readonly #queue: Queue;
  readonly #clock: () => number;
  readonly #server = thisServer();
  /** The jobs whose ending has not been written yet. */
  readonly #jobs = new Map<string, KeptJob>();
  /** Fires when the server is about to exit. Each waiting call listens to it, so there are many listeners. */
  readonly #leaving = withManyListeners(new AbortController());
  #swept_at = Number.NEGATIVE_INFINITY;

  constructor({ store, handover_ms, queue = local_queue, clock = Date.now }: JobsOptions) {
    this.#store = store;
    this.handover_ms = handover_ms;
    this.#queue = queue;
    this.#clock = clock;
  }

  /** Whether each call is made in this process. */
  get is_local(): boolean {
    return this.#queue.is_local;
  }

  /** Whether another job can run. */
  get has_room(): boolean {
    return this.#jobs.size < this.#queue.running_max;
  }

  /** Whether no job is running and all endings have been written. */
  get is_idle(): boolean {
    return this.#jobs.size === 0;
  }

  /** Fires when running calls must become jobs immediately. */
  get leaving(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Turns running calls into jobs when the server is about to exit; their clients receive the job ids. */
  handOver(): void {
    this.#leaving.abort();
  }

  begin(order: Order): Running {
    return this.#queue.begin(order);
  }

  /** Turns a running call into a job. */
  async keep(owner: string, tool: string, run: Running, question: Question | null): Promise<Begun> {
    const place = await run.placed;
    // The id is read only now, since a call that Redis could not accept has a different id.
    const identity = { id: run.id, owner, tool, server: this.#server };
    const job = new KeptJob(identity, { run, question, place }, { store: this.#store, clock: this.#clock });
    this.#jobs.set(job.id, job);
    void job.saved.then(() => this.#release(job));
    const unwritten = await job.begin();
    this.#sweepSoon();
    return { job, unwritten };
  }

  /** Returns a job on this server whose ending has not been written yet. */
  running(owner: string, id: string): KeptJob | undefined {
    const job = this.#jobs.get(id);
    return job?.owner === owner ? job : undefined;
  }

  /** Returns what is currently known about a job, without waiting; undefined if the owner has no such job. */
  async look(owner: string, id: string): Promise<JobView | undefined> {
    const job = this.running(owner, id);
    if (job) return { head: job.head, ...(job.run.ending && { ending: job.run.ending }) };
    const head = isId(id) ? await this.#store.head(id) : undefined;
    if (head === "unreadable") throw unreadable(id);
    if (head?.part.owner !== owner) return undefined;
    return this.#stored(head.part);
  }

  /** Returns an owner's latest jobs, up to a limit. */
  async list(owner: string, count: number): Promise<readonly JobView[]> {
    const own = [...this.#jobs.values()].filter((job) => job.owner === owner).map(({ head }) => ({ head }));
    const heads = await this.#store.latest(owner, count + own.length);
    // The comparison uses the earlier list of jobs, since a job may have ended in the meantime.
    const others = heads.filter((head) => !own.some((each) => each.head.id === head.id));
    const stored = await Promise.all(others.map(async (head) => this.#withoutEnding(head)));
    return [...own, ...stored].toSorted((a, b) => b.head.created_ms - a.head.created_ms).slice(0, count);
  }

  question(id: string) {
    return this.#store.question(id);
  }

  /** Asks the other server that runs a job to cancel it. */
  async askCancel(id: string): Promise<void> {
    if (!(await this.#queue.cancel(id))) await this.#store.askCancel(id);
  }

  /**
   * Acts on a job exclusively, across all servers, so that each server sees the changes made by the previous one.
   * Raises `cancelled`.
   */
  async alone<Result>(id: string, act: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    if (!isId(id)) return act();
    // By then, the hold expires, whatever happens to its server.
    const patience = new Deadline(2 * job_limits.hold_ms_max, signal);
    while (!(await this.#store.hold(id)) && !patience.is_over)
      await sleep(job_limits.hold_poll_ms, undefined, { signal }).catch(() => {
        throw cancelled();
      });
    return act().finally(() =>
      this.#store.release(id).catch((error: unknown) => {
        console.error("The lease on a job could not be released; the job can be restarted in a few seconds:", error);
      }),
    );
  }

  /**
   * Returns the job that was started in place of this one; another server may have recorded it while this server was
   * still writing the ending.
   */
  async successor({ id, restarted_as }: JobHead): Promise<string | null> {
    if (restarted_as !== null) return restarted_as;
    const stored = await this.#store.head(id);
    return stored && stored !== "unreadable" ? stored.part.restarted_as : null;
  }

  /** Records that another job answers the same question. */
  async replaced(head: JobHead, restarted_as: string): Promise<void> {
    const own = this.#jobs.get(head.id);
    if (own) return own.replaced(restarted_as);
    const state = head.state === "running" ? "interrupted" : head.state;
    await this.#store.note({ ...head, state, restarted_as }).catch((error: unknown) => {
      console.error("The restart of a job could not be recorded:", error);
    });
  }

  /** Stops writing because the process is about to end, so that other servers see which jobs were interrupted. */
  close(): void {
    for (const job of this.#jobs.values()) job.close();
  }

  async #stored(head: JobHead): Promise<JobView> {
    const view = await this.#withoutEnding(head);
    if (view.interrupted !== undefined || view.head.state === "running") return view;
    const ending = await this.#store.ending(head.id);
    if (ending && ending !== "unreadable") return { head: view.head, ending: ending.part };
    return { head: view.head, interrupted: "its answer can't be read" };
  }

  async #withoutEnding(head: JobHead): Promise<JobView> {
    if (head.state === "interrupted") return { head, interrupted: "server ended" };
    if (head.state !== "running" || (await this.#isRunning(head))) return { head };
    // The job's server may have written the ending and exited between the two checks.
    const again = await this.#store.head(head.id);
    if (again && again !== "unreadable" && again.part.state !== "running") return { head: again.part };
    return { head, interrupted: "server ended" };
  }

  async #isRunning(head: JobHead): Promise<boolean> {
    if (head.state !== "running") return false;
    if (await this.#queue.holds(head.id)) return true;
    if (head.server.id === this.#server.id) return false;
    return lives(head.server, await this.#store.touched_ms(head.id), this.#clock());
  }

  #release(job: KeptJob): void {
    this.#jobs.delete(job.id);
    this.#sweepSoon();
  }

  #sweepSoon(): void {
    const now = performance.now();
    if (now - this.#swept_at < job_limits.sweep_ms_min) return;
    this.#swept_at = now;
    this.#store
      .sweep(new Set(this.#jobs.keys()), (head) => this.#isRunning(head))
      .catch((error: unknown) => {
        console.error("Old jobs could not be deleted:", error instanceof Fault ? error.message : error);
      });
  }
}

function withManyListeners(controller: AbortController): AbortController {
  setMaxListeners(0, controller.signal);
  return controller;
}
