import { jsonOf } from "../../kernel/text/json.ts";
import type { Question } from "../../kernel/tool.ts";
import { beyondBounds } from "../files/file_store.ts";
import { type Ending, isId, JobHead, stateOf } from "../job.ts";
import { job_limits } from "../limits.ts";
import type { Found, JobStore } from "../store.ts";
import { endingIn, questionIn } from "../stored.ts";
import { keys } from "./keys.ts";
import { redis_limits } from "./limits.ts";
import { codeOf, type Link } from "./link.ts";
import { End, Live, questionText, readJson } from "./wire.ts";

/**
 * Keeps each job as a hash in Redis that expires automatically. All servers of this Redis share the jobs, but only its
 * owner can find a job. What a worker writes for a job (`live`, `end`) is newer than the head that the job's server
 * wrote.
 */
export class RedisStore implements JobStore {
  readonly #link: Link;
  readonly #kept_ms: number;
  readonly #owners = new Set<string>();

  constructor(link: Link, kept_ms: number = job_limits.kept_ms_max) {
    this.#link = link;
    this.#kept_ms = kept_ms;
  }

  async begin(head: JobHead, question: Question | null): Promise<void> {
    if (this.#owners.size < redis_limits.owners_swept_max) this.#owners.add(head.owner);
    const texts = [JSON.stringify(head), questionText(question)] as const;
    const times = [head.created_ms, head.id, redis_limits.call_ms_max, this.#kept_ms] as const;
    await this.#link.run("keep", [keys.call(head.id), keys.jobs(head.owner)], [...texts, ...times]);
  }

  async note(head: JobHead): Promise<void> {
    await this.#link.run("note", [keys.call(head.id)], ["head", JSON.stringify(head)]);
  }

  async end(head: JobHead, ending: Ending): Promise<void> {
    const end: End = { state: stateOf(ending), ended_ms: head.ended_ms ?? Date.now(), ran_s: head.ran_s };
    const texts = [head, end, ending].map((each) => JSON.stringify(each));
    await this.#link.run("settle", [keys.call(head.id)], [end.state, ...texts, this.#kept_ms]);
  }

  async head(id: string): Promise<Found<JobHead>> {
    const read = await this.#link.ask((client) =>
      client.hmget(keys.call(id), "head", "live", "end").catch((error: unknown) => {
        if (codeOf(error) === "WRONGTYPE") return "unreadable" as const;
        throw error;
      }),
    );
    return read === "unreadable" ? read : headIn(id, read);
  }

  latest(owner: string, count: number): Promise<readonly JobHead[]> {
    return this.#heads(owner, Math.max(0, count - 1));
  }

  async question(id: string): Promise<Found<Question | null>> {
    const text = await this.#link.ask((client) => client.hget(keys.call(id), "question"));
    return text === null ? undefined : foundPart(questionIn(jsonOf(text)));
  }

  async ending(id: string): Promise<Found<Ending>> {
    const text = await this.#link.ask((client) => client.hget(keys.call(id), "ending"));
    return text === null ? undefined : foundPart(endingIn(jsonOf(text)));
  }

  async askCancel(id: string): Promise<void> {
    await this.#link.run("note", [keys.call(id)], ["cancel", "1"]);
  }

  async isCancelAsked(id: string): Promise<boolean> {
    return (await this.#link.ask((client) => client.hexists(keys.call(id), "cancel"))) === 1;
  }

  async touch(id: string): Promise<void> {
    await this.#link.run("touch", [keys.call(id)], []);
  }

  async touched_ms(id: string): Promise<number | undefined> {
    const age_ms = await this.#link.run("untouched", [keys.call(id)], []);
    return age_ms < 0 ? undefined : Date.now() - age_ms;
  }

  async hold(id: string): Promise<boolean> {
    const reply = await this.#link.ask((client) => client.set(keys.hold(id), "1", "PX", job_limits.hold_ms_max, "NX"));
    return reply === "OK";
  }

  async release(id: string): Promise<void> {
    await this.#link.ask((client) => client.del(keys.hold(id)));
  }

  /** Deletes the surplus jobs of each owner who started one through this server. Old jobs expire automatically. */
  async sweep(spared: ReadonlySet<string>, isRunning: (head: JobHead) => Promise<boolean>): Promise<void> {
    for (const owner of this.#owners) {
      const heads = (await this.#heads(owner, -1)).filter(({ id }) => !spared.has(id));
      const ended = [];
      for (const head of heads) if (!(await isRunning(head))) ended.push(await this.#sizeOf(head));
      // Age is not checked here: Redis expires old jobs by its own clock.
      for (const id of beyondBounds(ended, job_limits.kept_bytes_max)) await this.#delete(owner, id);
    }
  }

  /** Returns the owner's most recently started jobs, up to position `last`. */
  async #heads(owner: string, last: number): Promise<readonly JobHead[]> {
    const index = keys.jobs(owner);
    const ids = (await this.#link.ask((client) => client.zrevrange(index, 0, last))).filter(isId);
    const heads: JobHead[] = [];
    for (let i = 0; i < ids.length; i += redis_limits.read_at_once) {
      const some = ids.slice(i, i + redis_limits.read_at_once);
      const read = await Promise.all(some.map((id) => this.head(id)));
      const gone = some.filter((_, j) => read[j] === undefined);
      if (gone.length > 0) await this.#link.ask((client) => client.zrem(index, ...gone));
      heads.push(...read.flatMap((head) => (head && head !== "unreadable" ? [head.part] : [])));
    }
    return heads.filter((head) => head.owner === owner);
  }

  async #sizeOf({ id, ended_ms, created_ms }: JobHead) {
    const key = keys.call(id);
    const sizes = await this.#link.ask((client) =>
      Promise.all([
        client.hstrlen(key, "question"),
        client.hstrlen(key, "ending"),
        client.hstrlen(key, "session_update"),
      ]),
    );
    return { id, ended_ms: ended_ms ?? created_ms, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  }

  async #delete(owner: string, id: string): Promise<void> {
    await this.#link.ask((client) => client.multi().del(keys.call(id)).zrem(keys.jobs(owner), id).exec());
  }
}

/** Returns a job's head with the worker's later updates applied. */
function headIn(id: string, [text, live_text, end_text]: readonly (string | null)[]): Found<JobHead> {
  if (text === null || text === undefined) return undefined;
  const head = readJson(JobHead, text);
  if (head?.id !== id) return "unreadable";
  return { part: { ...head, ...readJson(Live, live_text), ...readJson(End, end_text) } };
}

function foundPart<Part>(part: Part | undefined): Found<Part> {
  return part === undefined ? "unreadable" : { part };
}
