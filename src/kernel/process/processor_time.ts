import { AsyncLocalStorage } from "node:async_hooks";
import { availableParallelism, loadavg } from "node:os";
import { limits } from "../limits.ts";
import { has_proc, processorMs, reapedMs, tick_ms, treeOf } from "./process_tree.ts";

/** Receives the processor time that the processes of a call use. An estimate may be corrected downwards later. */
export interface TimeAccount {
  add(ms: number): void;
  /** Fires with a fault when nothing more may be used. */
  readonly spent?: AbortSignal;
}

const of_this_call = new AsyncLocalStorage<TimeAccount>();

/** Runs a call; what its processes use goes to the account, also after the call has handed itself over to a job. */
export function charging<Result>(account: TimeAccount, call: () => Result): Result {
  return of_this_call.run(account, call);
}

/** Does work that ends, with the fault of the account, when nothing more may be used for its call. */
export async function whileThereIsTime<Result>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const spent = of_this_call.getStore()?.spent;
  if (!spent) return work(signal);
  const stop = new AbortController();
  const sources = [signal, spent];
  const abort = () => stop.abort(sources.find(({ aborted }) => aborted)?.reason);
  for (const source of sources) source.addEventListener("abort", abort, { once: true });
  if (signal.aborted || spent.aborted) abort();
  try {
    return await work(stop.signal);
  } catch (error) {
    throw spent.aborted && !signal.aborted ? spent.reason : error;
  } finally {
    for (const source of sources) source.removeEventListener("abort", abort);
  }
}

/** Adds to the account of the current call what processes elsewhere used for it. Outside of a call nothing is counted. */
export function chargeTime(ms: number): void {
  of_this_call.getStore()?.add(ms);
}

/** What one job has used so far; undefined where nobody counts. */
export class JobTime {
  readonly #account: TimeAccount;
  #total_ms = 0;

  private constructor(account: TimeAccount) {
    this.#account = account;
  }

  static begin(): JobTime | undefined {
    const account = of_this_call.getStore();
    return account && new JobTime(account);
  }

  get total_ms(): number {
    return this.#total_ms;
  }

  /** The job has used this much until now. */
  reach(total_ms: number): void {
    this.#account.add(total_ms - this.#total_ms);
    this.#total_ms = total_ms;
  }
}

/**
 * What the processes of a child use for one job. On Linux it is the processor time of the whole tree, which is looked at
 * from time to time, and completed at its end from what the system has added up for all children. Elsewhere the time on
 * the wall stands for it.
 */
export class ChildTime {
  readonly #job: JobTime;
  readonly #pid: number;
  readonly #begun = performance.now();
  readonly #before_ms: number;
  #seen_at = performance.now();

  private constructor(job: JobTime, pid: number) {
    this.#job = job;
    this.#pid = pid;
    newlyReapedMs();
    this.#before_ms = has_proc ? processorMs(treeOf(pid)) : 0;
  }

  static begin(pid: number | undefined): ChildTime | undefined {
    const job = pid === undefined ? undefined : JobTime.begin();
    return job && pid !== undefined ? new ChildTime(job, pid) : undefined;
  }

  /** Notes what was used until now. */
  look(): void {
    this.#seen_at = performance.now();
    const used_ms = has_proc ? processorMs(treeOf(this.#pid)) - this.#before_ms : this.#seen_at - this.#begun;
    // A process that was left behind by its parent is no longer seen; what it used stays counted.
    if (used_ms > this.#job.total_ms) this.#job.reach(used_ms);
  }

  /** The job is over, and its process lives on. */
  rest(): void {
    this.look();
    this.#atLeastOneTick();
  }

  /**
   * The process is gone. Of the time that the system has added up since the last look, which may be that of several
   * children, this one can have used no more than has passed on all processors.
   */
  end(reaped_ms: number): void {
    const { total_ms } = this.#job;
    const most_ms = total_ms + (performance.now() - this.#seen_at) * availableParallelism();
    this.#job.reach(Math.min(Math.max(total_ms, reaped_ms - this.#before_ms), most_ms));
    this.#atLeastOneTick();
  }

  /** What is shorter than the unit of the system would count nothing. */
  #atLeastOneTick(): void {
    if (this.#job.total_ms < tick_ms) this.#job.reach(tick_ms);
  }
}

/**
 * What a job uses in a process that reports it only at the end: until then, and if it never reports, the time on the
 * wall stands for it.
 */
export class RunningTime {
  readonly #job: JobTime;
  readonly #begun = performance.now();
  readonly #poll: NodeJS.Timeout;

  private constructor(job: JobTime) {
    this.#job = job;
    this.#poll = setInterval(() => this.look(), limits.running_time_ms).unref();
  }

  static begin(): RunningTime | undefined {
    const job = JobTime.begin();
    return job && new RunningTime(job);
  }

  /** The job has ended. */
  end(used_ms?: number): void {
    clearInterval(this.#poll);
    if (used_ms === undefined) this.look();
    else this.#job.reach(used_ms);
  }

  /** Notes what was used until now. */
  look(): void {
    this.#job.reach(performance.now() - this.#begun);
  }
}

let reaped_before_ms: number | undefined;

/** The processor time of children that have ended since the last call, with all that they had waited for. */
export function newlyReapedMs(): number {
  if (!has_proc) return 0;
  const now_ms = reapedMs();
  const new_ms = reaped_before_ms === undefined ? 0 : now_ms - reaped_before_ms;
  reaped_before_ms = now_ms;
  return new_ms;
}

/** Whether other programs use the processors. Windows has no load average: there they always seem free. */
export function isBusy(): boolean {
  const [load = 0] = loadavg();
  return load > availableParallelism() + 1;
}
