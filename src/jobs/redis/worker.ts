import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Job as BullJob, Worker as BullWorker } from "bullmq";
import type { Tool } from "../../kernel/tool.ts";
import { ClaimedCall, type ClaimedCallOptions } from "./claimed_call.ts";
import { channels, keys, queue_prefix } from "./keys.ts";
import { redis_limits } from "./limits.ts";
import { type Link, reportOnce } from "./link.ts";
import { turns_max } from "./scripts.ts";

export interface WorkerOptions {
  /** The connection for commands, which wait while Redis is unreachable. */
  readonly link: Link;
  /** The connection for messages. */
  readonly subscriber: Link;
  /** The capabilities of this worker's engines. */
  readonly capabilities: readonly string[];
  /** Makes the tools for one call, without state from other calls. */
  readonly session: () => readonly Tool[];
  /**
   * The maximum number of calls with waiting clients that run at once. The same number of jobs can run beside them, so
   * no call waits for a job.
   */
  readonly at_once: number;
  readonly lock_ms?: number;
  readonly stalled_ms?: number;
  readonly kept_ms?: number;
}

/**
 * Takes calls that its engines can answer from the queues, the most urgent call first, and records how they end. BullMQ
 * keeps the queues and the locks, and finds calls whose worker is lost. Such a call is requeued once; the second time
 * it fails.
 */
export class QueueWorker {
  readonly id: string = randomUUID();
  readonly #options: WorkerOptions;
  readonly #queues: ReadonlyMap<string, BullWorker>;
  readonly #claimed = new Map<string, ClaimedCall>();
  readonly #timers: NodeJS.Timeout[];
  readonly #report = reportOnce("The worker");
  #wake: () => void = () => {};
  #is_ending = false;
  #looping: Promise<void> | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#queues = new Map(options.capabilities.map((capability) => [capability, this.#open(capability)]));
    const { subscriber, lock_ms = redis_limits.lock_ms } = options;
    subscriber.client.on("message", (channel: string, text: string) => this.#receive(channel, text));
    subscriber.onReady(() => {
      subscriber.client.subscribe(channels.added, channels.cancelled).catch(this.#report);
    });
    this.#timers = [
      setInterval(() => void this.#beat(), redis_limits.beat_ms),
      setInterval(() => void this.#renew(), lock_ms / 4),
    ];
  }

  /** Takes calls until `end` is called. */
  async run(): Promise<void> {
    await this.#beat();
    for (const worker of this.#queues.values()) await worker.startStalledCheckTimer();
    this.#looping = this.#loop();
    await this.#looping;
  }

  /** Stops taking calls. Running calls may finish within `ms`; unfinished calls then return to their queues. */
  async end(ms: number): Promise<void> {
    this.#is_ending = true;
    this.#wake();
    for (const timer of this.#timers) clearInterval(timer);
    const { link, capabilities } = this.#options;
    const leave = capabilities.map((each) => link.client.zrem(keys.serving(each), this.id).catch(() => 0));
    const renewing = setInterval(() => void this.#renew(), (this.#options.lock_ms ?? redis_limits.lock_ms) / 4);
    await Promise.race([Promise.all([...leave, this.#allDone()]), sleep(ms)]);
    await Promise.race([Promise.all([...this.#claimed.values()].map((claimed) => claimed.giveBack())), sleep(2_000)]);
    clearInterval(renewing);
    await Promise.race([Promise.all([...this.#queues.values()].map((worker) => worker.close(true))), sleep(1_000)]);
  }

  async #allDone(): Promise<void> {
    await this.#looping;
    while (this.#claimed.size > 0) await Promise.all([...this.#claimed.values()].map(({ done }) => done));
  }

  #open(capability: string): BullWorker {
    const { link, lock_ms = redis_limits.lock_ms, stalled_ms = redis_limits.stalled_ms } = this.#options;
    const worker = new BullWorker(capability, null, {
      connection: link.client,
      prefix: queue_prefix,
      autorun: false,
      lockDuration: lock_ms,
      stalledInterval: stalled_ms,
      // A call whose worker is lost is requeued once; then it fails.
      maxStalledCount: 1,
      name: this.id,
    });
    worker.on("error", reportOnce(`The queue ${capability}`));
    worker.on("stalled", () => this.#wake());
    return worker;
  }

  #receive(channel: string, text: string): void {
    if (channel === channels.added) this.#wake();
    else this.#claimed.get(text)?.cancel();
  }

  async #loop(): Promise<void> {
    while (!this.#is_ending) {
      const woken = this.#woken();
      const claimed = await this.#claimNext().catch(this.#report);
      if (claimed) this.#begin(claimed);
      else await woken;
    }
  }

  /** Resolves when there is a reason to look for calls. */
  #woken(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, redis_limits.idle_ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #begin(claimed: ClaimedCall): void {
    this.#claimed.set(claimed.id, claimed);
    void claimed.done.finally(() => {
      this.#claimed.delete(claimed.id);
      this.#wake();
    });
  }

  /** Claims the most urgent call for which this worker has room. */
  async #claimNext(): Promise<ClaimedCall | undefined> {
    for (const capability of await this.#byUrgency()) {
      const token = randomUUID();
      const job = await this.#queues.get(capability)?.getNextJob(token, { block: false });
      if (job) return this.#claim(job, capability, token);
    }
    return undefined;
  }

  #claim(job: BullJob, capability: string, token: string): ClaimedCall | undefined {
    const { link, session, lock_ms = redis_limits.lock_ms, kept_ms } = this.#options;
    const options: ClaimedCallOptions = { link, session, lock_ms, ...(kept_ms !== undefined && { kept_ms }) };
    return new ClaimedCall(job, { capability, token }, options);
  }

  /** Returns the non-empty queues, earliest turn first. */
  async #byUrgency(): Promise<readonly string[]> {
    const running = [...this.#claimed.values()];
    const jobs = running.filter(({ is_job }) => is_job).length;
    const { at_once, link } = this.#options;
    const room = { calls: running.length - jobs < at_once, jobs: jobs < at_once };
    if (!room.calls && !room.jobs) return [];
    const fronts = await Promise.all(
      [...this.#queues.keys()].map(async (capability) => {
        const [[, score], returned] = await Promise.all([
          link.client.zrange(keys.prioritized(capability), "0", "0", "WITHSCORES"),
          link.client.llen(keys.waiting(capability)),
        ]);
        return { capability, turn: returned > 0 ? 0 : turnOf(score) };
      }),
    );
    return fronts
      .filter(({ turn }) => (turn > turns_max ? room.jobs && turn < Number.POSITIVE_INFINITY : room.calls))
      .toSorted((a, b) => a.turn - b.turn)
      .map(({ capability }) => capability);
  }

  async #beat(): Promise<void> {
    const { link, capabilities } = this.#options;
    if (!link.is_ready) return;
    for (const capability of capabilities)
      await link.run("serve", [keys.serving(capability)], [this.id, redis_limits.beat_ms_max]).catch(() => 0);
  }

  async #renew(): Promise<void> {
    if (this.#options.link.is_ready) await Promise.all([...this.#claimed.values()].map((claimed) => claimed.renew()));
  }
}

/**
 * Returns the turn from BullMQ's score, which has the priority in its upper bits and the order of arrival in its lower
 * 32 bits.
 */
function turnOf(score: string | undefined): number {
  return score === undefined ? Number.POSITIVE_INFINITY : Math.floor(Number(score) / 2 ** 32);
}
