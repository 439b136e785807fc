import { AsyncLocalStorage } from "node:async_hooks";
import { availableParallelism, loadavg } from "node:os";
import { limits } from "../limits.ts";
import { has_proc, processorMs, reapedMs, tick_ms, treeOf } from "./process_tree.ts";

/** Receives the processor time that a call's processes use. A later negative amount may correct an estimate. */
export interface TimeAccount {
  add(ms: number): void;
  /** Fires with a fault once no more processor time may be used. */
  readonly spent?: AbortSignal;
}

const of_this_call = new AsyncLocalStorage<TimeAccount>();

/** Runs a call and charges its processes' time to the account, even after the call has become a job. */
export function charging<Result>(account: TimeAccount, call: () => Result): Result {
  return of_this_call.run(account, call);
}

/** Runs work that is stopped with the account's fault once its call may not use any more time. */
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

/** Charges the current call's account for time that processes elsewhere used. Outside a call, nothing is counted. */
export function chargeTime(ms: number): void {
  of_this_call.getStore()?.add(ms);
}

/** The processor time that one job has used so far. `begin` returns undefined if nobody counts it. */
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

  /** Sets the total that the job has used so far. */
  reach(total_ms: number): void {
    this.#account.add(total_ms - this.#total_ms);
    this.#total_ms = total_ms;
  }
}

/**
 * The processor time that a child's processes use for one job. On Linux, the time of the whole process tree is sampled.
 * When the child ends, the system's total for all ended children completes it. Elsewhere, wall-clock time is used
 * instead.
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

  /** Records what has been used so far. */
  look(): void {
    this.#seen_at = performance.now();
    const used_ms = has_proc ? processorMs(treeOf(this.#pid)) - this.#before_ms : this.#seen_at - this.#begun;
    // A process whose parent has ended is no longer in the tree, but the time that it has used stays counted.
    if (used_ms > this.#job.total_ms) this.#job.reach(used_ms);
  }

  /** Finishes the accounting for a job whose process keeps running. */
  rest(): void {
    this.look();
    this.#atLeastOneTick();
  }

  /**
   * Finishes the accounting for a process that is gone. The time that the system has added up since the last reading
   * may come from several children. This child can have used at most the time that has passed, times the number of
   * processors.
   */
  end(reaped_ms: number): void {
    const { total_ms } = this.#job;
    const most_ms = total_ms + (performance.now() - this.#seen_at) * availableParallelism();
    this.#job.reach(Math.min(Math.max(total_ms, reaped_ms - this.#before_ms), most_ms));
    this.#atLeastOneTick();
  }

  /** Counts at least one tick, because a job shorter than the system's unit would otherwise count as nothing. */
  #atLeastOneTick(): void {
    if (this.#job.total_ms < tick_ms) this.#job.reach(tick_ms);
  }
}

/**
 * The processor time of a job whose process reports it only at the end. Until then, or if no report arrives, wall-clock
 * time is used instead.
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

  /** Finishes the accounting for the job. */
  end(used_ms?: number): void {
    clearInterval(this.#poll);
    if (used_ms === undefined) this.look();
    else this.#job.reach(used_ms);
  }

  /** Records what has been used so far. */
  look(): void {
    this.#job.reach(performance.now() - this.#begun);
  }
}

let reaped_before_ms: number | undefined;

/**
 * Returns the processor time of the children that have ended since the last call, including the processes that they had
 * waited for.
 */
export function newlyReapedMs(): number {
  if (!has_proc) return 0;
  const now_ms = reapedMs();
  const new_ms = reaped_before_ms === undefined ? 0 : now_ms - reaped_before_ms;
  reaped_before_ms = now_ms;
  return new_ms;
}

/** Whether other programs keep the processors busy. Windows has no load average, so its processors always seem free. */
export function isBusy(): boolean {
  const [load = 0] = loadavg();
  return load > availableParallelism() + 1;
}
