import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Queue as BullQueue } from "bullmq";
import { cancelled, Fault } from "../../kernel/fault.ts";
import { whileThereIsTime } from "../../kernel/process/processor_time.ts";
import { jsonOf } from "../../kernel/text/json.ts";
import type { Answer, CallContext, RemoteCall } from "../../kernel/tool.ts";
import { faultOf, isId, storedFault } from "../job.ts";
import { job_limits } from "../limits.ts";
import type { Order, Queue, Running } from "../queue.ts";
import { endingIn } from "../stored.ts";
import { channels, keys, queue_prefix } from "./keys.ts";
import { redis_limits } from "./limits.ts";
import { type Link, RedisAway, reportOnce } from "./link.ts";
import { QueuedRun, Ticket } from "./queued_run.ts";
import { type Ended, Waiting } from "./waiting.ts";
import { Call, type End, questionText, readJson, readMessage } from "./wire.ts";

export interface RedisQueueOptions {
  /** The connection for commands, which fail while Redis is unreachable. */
  readonly link: Link;
  /** The connection for messages. */
  readonly subscriber: Link;
  readonly kept_ms?: number;
}

/**
 * Sends calls to workers through Redis. A call that neither a worker nor Redis can take runs in this process, as it
 * would without Redis. So does a call that was in transit when Redis failed, if a client waits for it. A job waits
 * until Redis is back.
 */
export class RedisQueue implements Queue {
  readonly is_local = false;
  readonly running_max = redis_limits.running_max;
  readonly #options: RedisQueueOptions;
  readonly #server: string = randomUUID();
  readonly #queues = new Map<string, BullQueue>();
  readonly #waiting = new Map<string, Waiting>();
  /** Calls that were answered without Redis, but that may still be in Redis. */
  readonly #left_behind = new Map<string, string>();
  /** For each recently ended call, the function that charges its processor time. */
  readonly #charges = new Map<string, Waiting["charge"]>();
  readonly #beat: NodeJS.Timeout;
  #away_since: number | undefined;
  #looked = 0;
  #is_looking = false;
  #is_probing = false;

  constructor(options: RedisQueueOptions) {
    this.#options = options;
    const { link, subscriber } = options;
    subscriber.client.on("message", (_channel: string, text: string) => this.#receive(text));
    subscriber.onReady(() => {
      subscriber.client.subscribe(channels.server(this.#server)).catch(ignoreLostConnection);
    });
    link.onReady(() => void this.#look());
    this.#beat = setInterval(() => void this.#tick(), redis_limits.look_ms).unref();
  }

  /** Returns the number of all servers' waiting calls, for the capabilities that this server has sent calls for. */
  async waiting(): Promise<number> {
    const { link } = this.#options;
    if (!link.is_ready) return 0;
    const places = [...this.#queues.keys()].flatMap((capability) => [
      link.ask((client) => client.zcard(keys.prioritized(capability))),
      link.ask((client) => client.llen(keys.waiting(capability))),
    ]);
    const counts = await Promise.all(places).catch((error: unknown) => {
      if (error instanceof RedisAway) return [];
      throw error;
    });
    return counts.reduce((sum, each) => sum + each, 0);
  }

  begin(order: Order): Running {
    const ticket = new Ticket(order.is_job);
    const call = (context: CallContext) =>
      this.#make(ticket, order, context).finally(() => {
        // The place is also set after a failure: a caller that awaits it must not wait forever.
        if (!ticket.is_placed) ticket.place("here");
      });
    return new QueuedRun(ticket, call, order);
  }

  async holds(id: string): Promise<boolean> {
    return (await this.#queued(id)) !== undefined;
  }

  async cancel(id: string): Promise<boolean> {
    const call = await this.#queued(id);
    if (!call) return false;
    await this.#cancelThere(id, call.capability, call.server);
    return true;
  }

  /** Returns the call if it is waiting for a worker or running on one. */
  async #queued(id: string): Promise<Call | undefined> {
    if (!isId(id)) return undefined;
    const { link } = this.#options;
    const call = readJson(Call, await link.ask((client) => client.hget(keys.call(id), "call")));
    if (!call) return undefined;
    return (await link.ask((client) => client.exists(keys.queued(call.capability, id)))) === 1 ? call : undefined;
  }

  close(): void {
    clearInterval(this.#beat);
    const { link } = this.#options;
    if (link.is_ready) link.client.unlink(keys.server(this.#server)).catch(ignoreLostConnection);
  }

  async #make(ticket: Ticket, order: Order, context: CallContext): Promise<Answer> {
    const remoteCall = await order.remoteCall();
    const waiting = remoteCall && (await this.#placed(ticket, order, remoteCall, context));
    if (!remoteCall || !waiting) {
      ticket.place("here");
      return order.call(context);
    }
    ticket.place("elsewhere");
    const ended = await whileThereIsTime(context.signal, (signal) => this.#endOf(ticket, waiting, signal));
    if (ended === "lost") {
      if (ticket.is_job) throw lost();
      ticket.renewId();
      ticket.place("here");
      return order.call(context);
    }
    return settleAnswer(remoteCall, ended);
  }

  /** Puts a call into its queue. Returns undefined if that is not possible now. Raises `busy` if too many wait. */
  async #placed(
    ticket: Ticket,
    { owner }: Order,
    { question, needs }: RemoteCall<Answer>,
    context: CallContext,
  ): Promise<Waiting | undefined> {
    const { link } = this.#options;
    const text = questionText(question);
    if (!link.is_ready || Buffer.byteLength(text) > redis_limits.question_bytes_max) return undefined;
    const { id } = ticket;
    const timeout_ms_max = context.timeout_ms_max ?? job_limits.timeout_ms_max;
    const call: Call = { version: 1, owner, server: this.#server, capability: needs, timeout_ms_max };
    const waiting = new Waiting(id, needs, context, () => ticket.is_job);
    try {
      const places = [keys.serving(needs), keys.turns(needs), keys.call(id), keys.prioritized(needs)];
      const bounds = [redis_limits.beat_ms_max, redis_limits.waiting_max];
      const turn = await link.run("place", places, [
        ...bounds,
        ...[owner, ticket.is_job ? 1 : 0, text, JSON.stringify(call), redis_limits.call_ms_max],
      ]);
      if (turn === -1) return undefined;
      if (turn === -2) throw full();
      this.#waiting.set(id, waiting);
      await this.#add(needs, id, turn);
      waiting.is_added = true;
      return waiting;
    } catch (error) {
      this.#waiting.delete(id);
      if (error instanceof Fault && error.code === "busy" && link.is_ready && !(error instanceof RedisAway))
        throw error;
      // The call may be in the queue all the same: perhaps only the reply to the command was lost.
      this.#leaveBehind(id, needs);
      ticket.renewId();
      return undefined;
    }
  }

  async #add(capability: string, id: string, turn: number): Promise<void> {
    const options = { jobId: id, priority: turn, attempts: 1, removeOnComplete: true, removeOnFail: true };
    await this.#options.link.ask(() => this.#queueOf(capability).add("call", {}, options));
    await this.#options.link.ask((client) => client.publish(channels.added, capability));
  }

  #queueOf(capability: string): BullQueue {
    const known = this.#queues.get(capability);
    if (known) return known;
    const { link } = this.#options;
    const queue = new BullQueue(capability, {
      connection: link.client,
      prefix: queue_prefix,
      skipWaitingForReady: true,
      streams: { events: { maxLen: redis_limits.events_kept } },
    });
    queue.on("error", reportOnce("The queue"));
    this.#queues.set(capability, queue);
    return queue;
  }

  async #endOf(ticket: Ticket, waiting: Waiting, signal: AbortSignal): Promise<Ended | "lost"> {
    const { id, capability } = waiting;
    const abandon = () => {
      this.#cancelThere(id, capability, this.#server).catch(() => this.#leaveBehind(id, capability));
      // For a job, the worker reports whether the job had already ended. Nobody waits for any other call.
      if (ticket.is_job && this.#options.link.is_ready) setTimeout(giveUp, job_limits.cancel_wait_ms_max).unref();
      else giveUp();
    };
    const giveUp = () => waiting.end({ ending: { fault: storedFault(cancelled()) }, session_update: undefined });
    signal.addEventListener("abort", abandon, { once: true });
    if (signal.aborted) abandon();
    try {
      return await waiting.ended;
    } finally {
      signal.removeEventListener("abort", abandon);
      this.#waiting.delete(id);
      this.#rememberCharge(waiting);
    }
  }

  /**
   * Remembers how to charge an ended call. Its worker may still report processor time, for example after a
   * cancellation.
   */
  #rememberCharge({ id, charge }: Waiting): void {
    if (this.#charges.size >= redis_limits.charges_max) return;
    this.#charges.set(id, charge);
    setTimeout(() => this.#charges.delete(id), redis_limits.charge_ms_max).unref();
  }

  /** Cancels a call: removes it from its queue if it is waiting; otherwise notifies the worker that runs it. */
  async #cancelThere(id: string, capability: string, server: string): Promise<void> {
    const { link } = this.#options;
    await link.run("cancel", [keys.call(id)], []);
    const removed = await link.ask(() => this.#queueOf(capability).remove(id));
    if (removed !== 1) {
      await link.ask((client) => client.publish(channels.cancelled, id));
      return;
    }
    const end: End = { state: "cancelled", ended_ms: Date.now(), ran_s: 0 };
    const ending = JSON.stringify({ fault: storedFault(cancelled()) });
    const times = [this.#options.kept_ms ?? job_limits.kept_ms_max, redis_limits.answer_ms_max];
    const message = JSON.stringify({ id, kind: "ended" });
    const values = [JSON.stringify(end), ending, "null", ...times, channels.server(server), message];
    await link.run("finish", [keys.call(id)], values);
  }

  #receive(text: string): void {
    const message = readMessage(text);
    if (!message) return;
    const waiting = this.#waiting.get(message.id);
    if (message.kind === "spent") {
      const ms = Number(message.text);
      if (Number.isFinite(ms)) (waiting?.charge ?? this.#charges.get(message.id))?.(ms);
      return;
    }
    if (!waiting) return;
    if (message.kind === "ended") void this.#fetch(waiting);
    else if (message.kind === "event") waiting.context.onEvent(message.text);
    else waiting.context.progress(message.text);
  }

  /** Reads a call's ending. If the ending can't be read now, the next check reads it. */
  async #fetch(waiting: Waiting): Promise<void> {
    const key = keys.call(waiting.id);
    const { link } = this.#options;
    const [end, text, session_update] = await link.client.hmget(key, "end", "ending", "session_update").catch(() => []);
    if (end === undefined || end === null) return;
    const ending = endingIn(jsonOf(text ?? ""));
    waiting.end({
      ending: ending ?? { fault: storedFault(unreadableAnswer()) },
      session_update: jsonOf(session_update ?? "null"),
    });
    if (!waiting.is_job) await link.run("drop", [key], []).catch(ignoreLostConnection);
  }

  async #tick(): Promise<void> {
    const { link } = this.#options;
    if (!link.is_ready) {
      this.#away_since ??= performance.now();
      if (performance.now() - this.#away_since >= redis_limits.away_ms_max) this.#goOnHere();
      return;
    }
    this.#away_since = undefined;
    await this.#probe();
    if (performance.now() - this.#looked >= redis_limits.beat_ms) await this.#look();
  }

  /** Pings Redis, and disconnects if there is no reply: a Redis that does not answer counts as unreachable. */
  async #probe(): Promise<void> {
    if (this.#is_probing) return;
    this.#is_probing = true;
    const { client } = this.#options.link;
    const answered = client.ping().then(
      () => true,
      () => false,
    );
    // The reply may have arrived while this process was busy; the event loop then reads it on its next turn.
    const late = sleep(redis_limits.ping_ms_max)
      .then(() => sleep(1))
      .then(() => false);
    const is_there = await Promise.race([answered, late]);
    this.#is_probing = false;
    if (!is_there && this.#options.link.is_ready) client.disconnect(true);
  }

  /** Runs the calls that have waiting clients in this process, because Redis is unreachable. */
  #goOnHere(): void {
    for (const waiting of this.#waiting.values()) {
      if (waiting.is_job || !waiting.is_added) continue;
      this.#leaveBehind(waiting.id, waiting.capability);
      waiting.end("lost");
    }
  }

  /** Checks all waiting calls, in case a message, a worker or all workers of a capability were lost. */
  async #look(): Promise<void> {
    const { link } = this.#options;
    if (this.#is_looking) return;
    this.#is_looking = true;
    try {
      await link.ask((client) => client.set(keys.server(this.#server), "1", "PX", redis_limits.server_ms_max));
      for (const [id, capability] of this.#left_behind) {
        await this.#cancelThere(id, capability, this.#server);
        this.#left_behind.delete(id);
      }
      const waiting = [...this.#waiting.values()].filter(({ is_added }) => is_added);
      for (let i = 0; i < waiting.length; i += redis_limits.read_at_once)
        await Promise.all(waiting.slice(i, i + redis_limits.read_at_once).map((each) => this.#lookAt(each)));
      for (const capability of new Set(waiting.map((each) => each.capability))) await this.#takeBack(capability);
    } catch (error) {
      // Redis failed in the meantime: all calls are checked again once it is back.
      if (!(error instanceof RedisAway)) console.error("Waiting calls could not be inspected:", error);
    } finally {
      this.#looked = performance.now();
      this.#is_looking = false;
    }
  }

  async #lookAt(waiting: Waiting): Promise<void> {
    const { id, capability } = waiting;
    // The order matters: a call leaves its queue only after its ending has been written.
    const [is_queued, has_ended] = await this.#options.link.ask((client) =>
      Promise.all([client.exists(keys.queued(capability, id)), client.hexists(keys.call(id), "end")]),
    );
    if (has_ended === 1) await this.#fetch(waiting);
    else if (is_queued === 0) waiting.end("lost");
  }

  /** Takes back the calls that have waiting clients but no workers any more, and runs them in this process. */
  async #takeBack(capability: string): Promise<void> {
    const { link } = this.#options;
    if ((await link.run("served", [keys.serving(capability)], [redis_limits.beat_ms_max])) > 0) return;
    for (const waiting of this.#waiting.values()) {
      if (waiting.capability !== capability || waiting.is_job || !waiting.is_added) continue;
      if ((await link.ask(() => this.#queueOf(capability).remove(waiting.id))) !== 1) continue;
      waiting.end("lost");
      await link.run("drop", [keys.call(waiting.id)], []);
    }
  }

  #leaveBehind(id: string, capability: string): void {
    if (this.#left_behind.size < redis_limits.left_behind_max) this.#left_behind.set(id, capability);
  }
}

/**
 * Lets the session settle the answer. The call's changes to the session are applied even if the call ended with a
 * fault.
 */
function settleAnswer(remoteCall: RemoteCall<Answer>, { ending, session_update }: Ended): Answer {
  if ("answer" in ending) {
    const answer = remoteCall.settle({ answer: ending.answer, session_update });
    if (answer) return answer;
    throw unreadableAnswer();
  }
  remoteCall.settle({ answer: undefined, session_update });
  throw faultOf(ending.fault);
}

/** Ignores a broken connection: the next check finds the result. */
function ignoreLostConnection(): void {}

function lost(): Fault {
  return new Fault("engine_failed", "The queue has lost this call: Redis has no record of it. Nothing was decided.", [
    "send the call again",
    "the administrator should make sure that Redis keeps its data (appendonly yes, maxmemory-policy noeviction)",
  ]);
}

function unreadableAnswer(): Fault {
  return new Fault("engine_failed", "The answer of the worker can't be read.", [
    "send the call again",
    "make sure that servers and workers have the same version of Verdict",
  ]);
}

function full(): Fault {
  return new Fault(
    "busy",
    `${redis_limits.waiting_max} calls are already waiting for a worker; this one was rejected.`,
    ["wait until some of them are answered, then send it again", "the administrator can start more workers"],
  );
}
