import { setTimeout as sleep } from "node:timers/promises";
import type { Job as BullJob } from "bullmq";
import { cancelled, Fault } from "../../kernel/fault.ts";
import { charging } from "../../kernel/process/processor_time.ts";
import { jsonOf } from "../../kernel/text/json.ts";
import type { Question, Tool } from "../../kernel/tool.ts";
import { type Ending, isId, stateOf, storedFault } from "../job.ts";
import { job_limits } from "../limits.ts";
import { Run } from "../run.ts";
import { questionIn } from "../stored.ts";
import { channels, keys } from "./keys.ts";
import { redis_limits } from "./limits.ts";
import { codeOf, type Link } from "./link.ts";
import { turns_max } from "./scripts.ts";
import { Call, type End, type Live, readJson } from "./wire.ts";

export interface ClaimedCallOptions {
  readonly link: Link;
  readonly session: () => readonly Tool[];
  readonly lock_ms: number;
  readonly kept_ms?: number;
}

interface Place {
  readonly capability: string;
  /** The token with which this worker holds the call's lock. */
  readonly token: string;
}

/** A call that this worker has claimed from its queue. */
export class ClaimedCall {
  readonly id: string;
  /** Settles when the call has left this worker, whatever the outcome. */
  readonly done: Promise<void>;
  /** Whether the call is a job, so that no client waits for it. */
  is_job: boolean;
  readonly #job: BullJob;
  readonly #place: Place;
  readonly #options: ClaimedCallOptions;
  #run: Run | undefined;
  #call: Call | undefined;
  /** Whether this worker has given up the call. No ending is then written. */
  #is_dropped = false;
  #is_cancelled = false;
  #live_at = Number.NEGATIVE_INFINITY;
  #telling: NodeJS.Timeout | undefined;
  #session_update: Readonly<Record<string, unknown>> | undefined;
  /** Processor time that has not yet been reported to the call's server. */
  #unsaid_ms = 0;
  #charging: NodeJS.Timeout | undefined;

  constructor(job: BullJob, place: Place, options: ClaimedCallOptions) {
    this.id = job.id ?? "";
    this.#job = job;
    this.#place = place;
    this.#options = options;
    this.is_job = (job.opts.priority ?? 0) > turns_max;
    this.done = this.#process().catch((error: unknown) => {
      // The lock expires, and the call returns to the queue as if its worker were lost.
      console.error("A call could not be carried out:", error instanceof Fault ? error.message : error);
    });
  }

  /** Cancels the call for its client. */
  cancel(): void {
    this.#is_cancelled = true;
    this.#run?.cancel();
  }

  /** Stops the run and returns the call to its queue. Another worker then runs the call from the start. */
  async giveBack(): Promise<void> {
    this.#is_dropped = true;
    this.#run?.cancel();
    await this.#job.moveToWait(this.#place.token).catch(() => 0);
    await this.#options.link.client.publish(channels.added, this.#place.capability).catch(() => 0);
  }

  /** Renews the lock. Stops the run if the lock is lost or nobody needs the answer any more. */
  async renew(): Promise<void> {
    if (!this.#run || this.#run.ending || this.#is_dropped) return;
    try {
      if (!(await this.#hasLock()) || !(await this.#isWanted())) this.#drop();
    } catch {
      // Redis is unreachable: the lock is checked again once Redis is back.
    }
  }

  #drop(): void {
    this.#is_dropped = true;
    this.#run?.cancel();
  }

  async #hasLock(): Promise<boolean> {
    const { token, capability } = this.#place;
    const { lock_ms, link } = this.#options;
    if ((await this.#job.extendLock(token, lock_ms)) === 1) return true;
    const places = [`${keys.queued(capability, this.id)}:lock`, keys.active(capability), keys.stalled(capability)];
    return (await link.run("lock_again", places, [token, lock_ms, this.id])) === 1;
  }

  /**
   * Whether the call should continue: a job runs until it is cancelled, any other call as long as its server is alive.
   */
  async #isWanted(): Promise<boolean> {
    const { client } = this.#options.link;
    const key = keys.call(this.id);
    const [is_job, is_cancelled, lives] = await Promise.all([
      client.hexists(key, "head"),
      client.hexists(key, "cancel"),
      client.exists(keys.server(this.#call?.server ?? "")),
    ]);
    this.is_job ||= is_job === 1;
    // If no job slot is free now, the next check tries again.
    if (this.is_job) this.#run?.becomeJob();
    if (is_cancelled === 1) this.cancel();
    return this.is_job || lives === 1;
  }

  async #process(): Promise<void> {
    if (!isId(this.id)) return this.#leave();
    const { client } = this.#options.link;
    const [call, question, end] = await client.hmget(keys.call(this.id), "call", "question", "end");
    this.#call = readJson(Call, call);
    const parsed_question = questionIn(jsonOf(question ?? ""));
    await this.#noteTurn();
    if (!this.#call || typeof end === "string" || !(await this.#isWanted())) return this.#leave();
    const ending =
      this.#endingBefore(parsed_question) ?? (parsed_question && (await this.#answer(parsed_question, this.#call)));
    if (ending && !this.#is_dropped) await this.#finish(ending);
    else if (!this.#is_dropped) await this.#leave();
  }

  /** Returns the ending of a call that must not run; undefined if the call can run. */
  #endingBefore(question: Question | null | undefined): Ending | undefined {
    if (this.#is_cancelled) return { fault: storedFault(cancelled()) };
    if (this.#job.deferredFailure) return { fault: storedFault(lostTwice()) };
    return question ? undefined : { fault: storedFault(unreadableQuestion()) };
  }

  async #answer({ tool: name, arguments: args }: Question, { owner, timeout_ms_max }: Call): Promise<Ending> {
    const tool = this.#options.session().find((each) => each.name === name);
    if (!tool) return { fault: storedFault(unknownTool(name)) };
    const run = new Run(
      (context) =>
        charging({ add: (ms) => this.#spend(ms) }, () =>
          tool.call(args, {
            ...context,
            onSessionUpdate: (session_update) => {
              this.#session_update = session_update;
            },
          }),
        ),
      {
        // A job uses a job slot; otherwise this worker's other calls would wait for the job.
        ...{ owner, is_job: this.is_job, timeout_ms_max: Math.min(timeout_ms_max, job_limits.timeout_ms_max) },
        watcher: { progress: (text) => this.#say("progress", text), onEvent: (text) => this.#say("event", text) },
      },
    );
    this.#run = run;
    run.onEvent = () => this.#tellSoon();
    // Events may have occurred before `onEvent` was set.
    if (run.events.length > 0) this.#tellSoon();
    if (this.#is_cancelled) run.cancel();
    const ending = await run.ended;
    clearTimeout(this.#telling);
    this.#saySpent();
    // The full error could reveal the question or a path on this machine.
    if (run.thrown !== undefined && !(run.thrown instanceof Fault))
      console.error(`A call of ${name} ended with ${codeOf(run.thrown)}.`);
    return ending;
  }

  /**
   * Collects processor time to report to the call's server, which charges the owner. A negative time corrects an
   * estimate.
   */
  #spend(ms: number): void {
    this.#unsaid_ms += ms;
    this.#charging ??= setTimeout(() => this.#saySpent(), redis_limits.spent_ms_min).unref();
  }

  #saySpent(): void {
    clearTimeout(this.#charging);
    this.#charging = undefined;
    const ms = Math.round(this.#unsaid_ms);
    this.#unsaid_ms = 0;
    if (ms !== 0) this.#say("spent", String(ms));
  }

  #say(kind: "progress" | "event" | "spent", text: string): void {
    const message = JSON.stringify({ id: this.id, kind, text: text.slice(0, redis_limits.message_chars_max) });
    const { link } = this.#options;
    if (link.is_ready && this.#call) link.client.publish(channels.server(this.#call.server), message).catch(() => 0);
  }

  /** Stores the progress, at a limited rate, for servers that missed the message. */
  #tellSoon(): void {
    const wait = Math.max(0, this.#live_at + redis_limits.live_ms_min - performance.now());
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      this.#live_at = performance.now();
      const { link } = this.#options;
      if (!this.#run || this.#run.ending || !link.is_ready) return;
      const { running_s: ran_s, doing, best_so_far, events } = this.#run;
      const live: Live = { ran_s, doing, best_so_far, events: [...events] };
      link.run("tell", [keys.call(this.id)], [JSON.stringify(live)]).catch(() => 0);
    }, wait).unref();
  }

  /** Writes the ending. Retries while Redis is unreachable, so that the answer is not lost. */
  async #finish(ending: Ending): Promise<void> {
    const { link, kept_ms = job_limits.kept_ms_max } = this.#options;
    const server = this.#call?.server ?? "";
    const end: End = { state: stateOf(ending), ended_ms: Date.now(), ran_s: this.#run?.running_s ?? 0 };
    const message = JSON.stringify({ id: this.id, kind: "ended" });
    const values = [JSON.stringify(end), bound(ending), JSON.stringify(this.#session_update ?? null)];
    const others = [kept_ms, redis_limits.answer_ms_max, channels.server(server), message];
    for (;;) {
      try {
        await link.run("finish", [keys.call(this.id)], [...values, ...others]);
        break;
      } catch (error) {
        if (link.is_ready) throw error;
        await sleep(redis_limits.look_ms);
      }
    }
    await this.#leave();
  }

  /** Removes the call from the queue. If this worker no longer holds the lock, another worker removes the call. */
  async #leave(): Promise<void> {
    await this.#job.moveToCompleted(null, this.#place.token, false).catch(() => undefined);
  }

  async #noteTurn(): Promise<void> {
    const { priority = 0 } = this.#job.opts;
    const band = priority > turns_max ? 1 : 0;
    const turn = priority % (turns_max + 1);
    await this.#options.link.run("begun", [keys.turns(this.#place.capability)], [band, turn]);
  }
}

function bound(ending: Ending): string {
  const text = JSON.stringify(ending);
  if (Buffer.byteLength(text) <= redis_limits.answer_bytes_max) return text;
  return JSON.stringify({ fault: storedFault(tooLarge()) });
}

function lostTwice(): Fault {
  return new Fault("engine_failed", "This call's worker was lost twice. Nothing was decided.", [
    "send the call again: workers may have been restarted",
    "if it fails again, send a smaller problem: a worker may have run out of memory",
  ]);
}

function unknownTool(name: string): Fault {
  return new Fault("engine_failed", `The worker has no tool ${name.slice(0, 80)}.`, [
    "make sure that servers and workers have the same version of Verdict",
  ]);
}

function unreadableQuestion(): Fault {
  return new Fault("engine_failed", "The question of this call can't be read by its worker.", [
    "send the call again",
    "make sure that servers and workers have the same version of Verdict",
  ]);
}

function tooLarge(): Fault {
  return new Fault("engine_failed", "The answer is too large to be sent through Redis.", [
    "ask for fewer solutions, or fewer values",
  ]);
}
