import { chmod, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../kernel/files/errno.ts";
import { makeDirectory } from "../kernel/files/make_directory.ts";
import { writeWhole } from "../kernel/files/write_whole.ts";
import type { Question } from "../kernel/tool.ts";
import { type Ending, isId, JobHead, StoredFault } from "./job.ts";
import { job_limits } from "./limits.ts";
import type { Found, JobStore } from "./store.ts";

type Part = "head" | "question" | "ending" | "cancel";

/**
 * Jobs as files of one directory, readable only by their owner: a small head, the question, the ending, and the wish to
 * cancel. The head decides: a job without a head is none, and the ending is written before the head that names it. Several servers can share a directory,
 * since only the server of a job writes its head while it runs.
 */
export class FileStore implements JobStore {
  readonly #directory: string;
  readonly #clock: () => number;
  /** Each of these was reported once. */
  readonly #unreadable = new Set<string>();
  #made: Promise<void> | undefined;

  constructor(directory: string, clock: () => number = Date.now) {
    this.#directory = directory;
    this.#clock = clock;
  }

  async begin(head: JobHead, question: Question | null): Promise<void> {
    await this.#make();
    // At the same time: flushing both costs hardly more than flushing one.
    const written = await Promise.allSettled([
      writeWhole(this.#path(head.id, "question"), JSON.stringify({ question })),
      writeWhole(this.#path(head.id, "head"), JSON.stringify(head)),
    ]);
    const failed = written.find((each) => each.status === "rejected");
    if (!failed) return;
    for (const part of ["head", "question"] as const) await rm(this.#path(head.id, part), { force: true });
    throw failed.reason;
  }

  note(head: JobHead): Promise<void> {
    return writeWhole(this.#path(head.id, "head"), JSON.stringify(head), { is_flushed: false });
  }

  async end(head: JobHead, ending: Ending): Promise<void> {
    await writeWhole(this.#path(head.id, "ending"), JSON.stringify(ending));
    await writeWhole(this.#path(head.id, "head"), JSON.stringify(head));
    await rm(this.#path(head.id, "cancel"), { force: true });
  }

  head(id: string): Promise<Found<JobHead>> {
    return this.#read(id, "head", (json) => {
      const read = JobHead.safeParse(json);
      return read.success && read.data.id === id ? read.data : undefined;
    });
  }

  async heads(): Promise<readonly JobHead[]> {
    const ids = [...(await this.#files()).keys()];
    const heads: JobHead[] = [];
    // A few at a time: a thousand open files take tens of megabytes.
    for (let i = 0; i < ids.length; i += job_limits.read_at_once) {
      const some = await Promise.all(ids.slice(i, i + job_limits.read_at_once).map((id) => this.head(id)));
      heads.push(...some.flatMap((head) => (head && head !== "unreadable" ? [head.found] : [])));
    }
    return heads;
  }

  question(id: string): Promise<Found<Question | null>> {
    return this.#read(id, "question", questionIn);
  }

  ending(id: string): Promise<Found<Ending>> {
    return this.#read(id, "ending", endingIn);
  }

  async askCancel(id: string): Promise<void> {
    await writeFile(this.#path(id, "cancel"), "", { mode: 0o600 });
  }

  async isCancelAsked(id: string): Promise<boolean> {
    return (await modified(this.#path(id, "cancel"))) !== undefined;
  }

  async touch(id: string): Promise<void> {
    const now = new Date(this.#clock());
    await utimes(this.#path(id, "head"), now, now);
  }

  touched_ms(id: string): Promise<number | undefined> {
    return modified(this.#path(id, "head"));
  }

  async sweep(spared: ReadonlySet<string>, isRunning: (head: JobHead) => Promise<boolean>): Promise<void> {
    const files = await this.#files();
    const ended: Kept[] = [];
    for (const [id, paths] of files) {
      if (spared.has(id)) continue;
      const head = await this.head(id);
      if (head === undefined || head === "unreadable") await this.#deleteOrphan(paths, head === "unreadable");
      else if (!(await isRunning(head.found))) {
        const ended_ms = head.found.ended_ms ?? (await this.touched_ms(id)) ?? this.#clock();
        ended.push({ id, ended_ms, bytes: await bytesOf(paths) });
      }
    }
    for (const id of tooMuch(ended, this.#clock())) await deleteAll(files.get(id) ?? []);
  }

  /** The files of each job. */
  async #files(): Promise<Map<string, readonly string[]>> {
    const names = await readdir(this.#directory).catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return [];
      throw error;
    });
    const jobs = new Map<string, readonly string[]>();
    for (const name of names) {
      const [id = ""] = name.split(".");
      if (isId(id)) jobs.set(id, [...(jobs.get(id) ?? []), join(this.#directory, name)]);
    }
    return jobs;
  }

  async #read<Content>(id: string, part: Part, parse: (json: unknown) => Content | undefined): Promise<Found<Content>> {
    const path = this.#path(id, part);
    const text = await readFile(path, "utf8").catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    });
    if (text === undefined) return undefined;
    const read = parse(jsonOf(text));
    if (read !== undefined) return { found: read };
    // It stays for whoever wants to know why, until it is deleted with its job.
    if (!this.#unreadable.has(path)) console.error(`A file of a job can't be read: ${path}`);
    if (this.#unreadable.size < job_limits.kept_max) this.#unreadable.add(path);
    return "unreadable";
  }

  /** A job without a head, of a server that was killed, or with one that can't be read. */
  async #deleteOrphan(paths: readonly string[], is_unreadable: boolean): Promise<void> {
    const newest = Math.max(0, ...(await Promise.all(paths.map(modified))).map((time) => time ?? 0));
    const age_ms = Math.abs(this.#clock() - newest);
    if (age_ms > (is_unreadable ? job_limits.kept_ms_max : job_limits.orphan_ms_max)) await deleteAll(paths);
  }

  #path(id: string, part: Part): string {
    return join(this.#directory, `${id}.${part}.json`);
  }

  #make(): Promise<void> {
    this.#made ??= this.#makeOnce().catch((error: unknown) => {
      this.#made = undefined;
      throw error;
    });
    return this.#made;
  }

  async #makeOnce(): Promise<void> {
    await makeDirectory(this.#directory);
    await chmod(this.#directory, 0o700);
  }
}

async function modified(path: string): Promise<number | undefined> {
  return (await statOf(path))?.mtimeMs;
}

async function bytesOf(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map(statOf));
  return sizes.reduce((sum, size) => sum + (size?.size ?? 0), 0);
}

/** Deletes the files of a job; without its head it is gone, whatever happens to the others. */
async function deleteAll(paths: readonly string[]): Promise<void> {
  const is_head = (path: string) => Number(path.endsWith(".head.json"));
  for (const path of paths.toSorted((a, b) => is_head(b) - is_head(a))) await rm(path, { force: true });
}

async function statOf(path: string) {
  return stat(path).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  });
}

interface Kept {
  readonly id: string;
  readonly ended_ms: number;
  readonly bytes: number;
}

/**
 * The ids of those that are too old, and of the oldest ones where they are too many. A job from the future was made while
 * the clock was wrong: its age is not known, so that only the bounds on number and bytes hold for it.
 */
export function tooMuch(jobs: readonly Kept[], now_ms: number): string[] {
  const old = jobs.filter(({ ended_ms }) => now_ms - ended_ms > job_limits.kept_ms_max);
  const others = jobs.filter((job) => !old.includes(job)).toSorted((a, b) => b.ended_ms - a.ended_ms);
  let bytes = 0;
  const beyond = others.filter((job, i) => {
    bytes += job.bytes;
    return i >= job_limits.kept_max || bytes > job_limits.kept_bytes_max;
  });
  return [...old, ...beyond].map(({ id }) => id);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

function questionIn(json: unknown): Question | null | undefined {
  if (!isObject(json)) return undefined;
  const { question } = json;
  if (question === null) return null;
  if (!isObject(question) || typeof question["tool"] !== "string" || !isObject(question["arguments"])) return undefined;
  return { tool: question["tool"], arguments: question["arguments"] };
}

/** The answer is passed on unchanged: a copy by a schema would lack a key named __proto__. */
function endingIn(json: unknown): Ending | undefined {
  if (!isObject(json)) return undefined;
  const { answer, fault } = json;
  if (fault !== undefined) {
    const read = StoredFault.safeParse(fault);
    return read.success ? { fault: read.data } : undefined;
  }
  if (!isObject(answer) || !isObject(answer["structured"]) || !Array.isArray(answer["text"])) return undefined;
  const [first, ...others]: unknown[] = answer["text"];
  if (typeof first !== "string") return undefined;
  const remarks = others.filter((part) => typeof part === "string");
  return { answer: { structured: answer["structured"], text: [first, ...remarks] } };
}
