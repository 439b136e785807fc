import { setTimeout as sleep } from "node:timers/promises";
import type { Deadline } from "../kernel/deadline.ts";
import { cancelled, Fault } from "../kernel/fault.ts";
import type { CallContext, Question, Tool } from "../kernel/tool.ts";
import { notOffered, notRestarted, notSelfContained, tooMany, unknownJob } from "./faults.ts";
import type { Ending } from "./job.ts";
import type { Begun, Jobs, JobView } from "./jobs.ts";
import { job_limits } from "./limits.ts";
import type { Running } from "./queue.ts";

const long = { timeout_ms_max: job_limits.timeout_ms_max };

type Restarted = JobView & { unwritten?: string | undefined };

/** The jobs of one owner. */
export class OwnJobs {
  readonly #jobs: Jobs;
  readonly #owner: string;

  constructor(jobs: Jobs, owner: string) {
    this.#jobs = jobs;
    this.#owner = owner;
  }

  get handover_ms(): number {
    return this.#jobs.handover_ms;
  }

  /** Fires when running calls must become jobs immediately. */
  get leaving(): AbortSignal {
    return this.#jobs.leaving;
  }

  get is_local(): boolean {
    return this.#jobs.is_local;
  }

  get has_room(): boolean {
    return this.#jobs.has_room;
  }

  /** Starts a tool call. If no client is listening to its progress, it is a job from the start. */
  run(
    tool: Tool,
    args: unknown,
    { watcher, after }: { readonly watcher?: CallContext; readonly after?: Promise<void> } = {},
  ): { run: Running; question: Promise<Question | null> } {
    // The call itself reports errors in the arguments. The call's files are read first; a cancellation stops that, too.
    const early = { ...long, ...(watcher && { signal: watcher.signal }) };
    const question = unlessFault(tool.question(args, early));
    const call = (context: CallContext) =>
      after ? after.then(() => tool.call(args, context)) : tool.call(args, context);
    const remoteCall = () => unlessFault(tool.remoteCall(args, early));
    const order = { owner: this.#owner, is_job: watcher === undefined, question, remoteCall, call };
    return { run: this.#jobs.begin({ ...order, ...(watcher && { watcher }) }), question };
  }

  /** Turns a running call into a job. */
  keep(tool: string, run: Running, question: Question | null): Promise<Begun> {
    return this.#jobs.keep(this.#owner, tool, run, question);
  }

  /** Begins a job. Raises `busy`, and the faults for invalid arguments. */
  async start(tool: Tool, args: unknown): Promise<Begun> {
    tool.check(args, long);
    if (!this.has_room) throw tooMany();
    // Starting a solver blocks the process for milliseconds, so the job is first written and its id returned.
    let begin = () => {};
    const after = new Promise<void>((resolve) => {
      begin = () => void setImmediate(resolve);
    });
    try {
      const { run, question } = this.run(tool, args, { after });
      return await this.keep(tool.name, run, await question);
    } finally {
      begin();
    }
  }

  /**
   * Returns a job's state once the job has ended, the time has run out, or the server is about to exit. Raises
   * `invalid_argument` and `cancelled`.
   */
  async view(id: string, wait: Deadline): Promise<JobView> {
    const own = this.#jobs.running(this.#owner, id);
    if (own) await endOrLeave(own.run.ended, this.leaving, wait);
    for (;;) {
      const view = await this.#jobs.look(this.#owner, id);
      if (!view) throw unknownJob(id);
      if (own || wait.is_over || this.leaving.aborted || view.ending || view.interrupted !== undefined) return view;
      await sleep(Math.min(job_limits.poll_ms, wait.left_ms), undefined, { signal: wait.signal }).catch(() => {
        throw cancelled();
      });
    }
  }

  /** Resolves to the ending of a job on this server; undefined for other jobs. */
  ended(id: string): Promise<Ending> | undefined {
    return this.#jobs.running(this.#owner, id)?.run.ended;
  }

  /** Returns the latest jobs, up to a limit. */
  list(count: number): Promise<readonly JobView[]> {
    return this.#jobs.list(this.#owner, count);
  }

  /** Cancels a job, and waits briefly for its end. Raises `invalid_argument`. */
  async cancel(id: string, wait: Deadline): Promise<JobView> {
    const own = this.#jobs.running(this.#owner, id);
    if (own) own.run.cancel();
    else {
      const view = await this.#jobs.look(this.#owner, id);
      if (!view) throw unknownJob(id);
      if (view.head.state !== "running" || view.interrupted !== undefined) return view;
      await this.#jobs.askCancel(id);
    }
    return this.view(id, wait);
  }

  /**
   * Restarts a job that has no answer, and returns the new job. If the job was already restarted, here or on another
   * server, returns that job. Raises `cancelled`, and `invalid_argument` if the job can't be restarted.
   */
  restart(id: string, tools: readonly Tool[], wait: Deadline): Promise<Restarted> {
    return this.#jobs.alone(id, () => this.#restart(id, tools, wait), wait.signal);
  }

  async #restart(id: string, tools: readonly Tool[], wait: Deadline): Promise<Restarted> {
    const { head, ending, interrupted } = await this.view(id, wait);
    if (interrupted === undefined && (!ending || "answer" in ending)) throw notRestarted(id, ending !== undefined);
    const successor = await this.#jobs.successor(head);
    const before = successor === null ? undefined : await this.#jobs.look(this.#owner, successor);
    if (before && before.interrupted === undefined) return before;
    const question = await this.#jobs.question(id);
    if (!question || question === "unreadable" || question.part === null) throw notSelfContained(head);
    const { tool: name, arguments: args } = question.part;
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw notOffered(name);
    const { job, unwritten } = await this.start(tool, args);
    await this.#jobs.replaced(head, job.id);
    return { head: job.head, unwritten };
  }
}

/** Waits until the run ends, the server is about to exit, or the wait is over. */
async function endOrLeave(ended: Promise<unknown>, leaving: AbortSignal, wait: Deadline): Promise<void> {
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  leaving.addEventListener("abort", leave, { once: true });
  if (leaving.aborted) leave();
  // A finished wait must not leave a listener on a signal that lives as long as the server.
  await wait.within(Promise.race([ended, left])).finally(() => leaving.removeEventListener("abort", leave));
}

function unlessFault<Result>(result: Promise<Result>): Promise<Result | null> {
  return result.catch((error: unknown) => {
    if (error instanceof Fault) return null;
    throw error;
  });
}
