import { constants } from "node:fs";
import { chmod, open, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../kernel/files/errno.ts";
import { makeDirectory } from "../../kernel/files/make_directory.ts";
import { writeWhole } from "../../kernel/files/write_whole.ts";
import { jsonOf } from "../../kernel/text/json.ts";
import type { Question } from "../../kernel/tool.ts";
import { noDirectory } from "../faults.ts";
import { type Ending, isId, JobHead } from "../job.ts";
import { job_limits } from "../limits.ts";
import type { Found, JobStore } from "../store.ts";
import { endingIn, questionIn } from "../stored.ts";

type Part = "head" | "question" | "ending" | "cancel" | "hold";

/**
 * Stores jobs as files in one directory, readable only by their owner: a small head, the question, the ending, the
 * request to cancel, and the hold of a server that is restarting the job. A job exists only if it has a head, and its
 * ending is written before the head that reports it. Several servers can share a directory, since only a job's own
 * server writes its head while it runs.
 */
export class FileStore implements JobStore {
  readonly #directory: string;
  readonly #clock: () => number;
  /** The unreadable files that have already been reported. */
  readonly #unreadable = new Set<string>();
  /**
   * The times at which jobs ended here, on a monotonic clock, so that setting the system clock forward does not age the
   * jobs.
   */
  readonly #ended_here = new Map<string, number>();
  #made: Promise<void> | undefined;
  /** The maximum size of an owner's finished jobs in bytes; it is reduced if all owners together exceed their limit. */
  bytes_max: number = job_limits.kept_bytes_max;

  constructor(directory: string, clock: () => number = Date.now) {
    this.#directory = directory;
    this.#clock = clock;
  }

  async begin(head: JobHead, question: Question | null): Promise<void> {
    await this.#make();
    const parts = ["question", "head"] as const;
    const written = await Promise.allSettled([
      writeWhole(this.#path(head.id, "question"), JSON.stringify({ question }), { is_flushed: false }),
      this.#writeHead(head),
    ]);
    const failed = written.find((each) => each.status === "rejected");
    if (failed) {
      for (const part of parts) await rm(this.#path(head.id, part), { force: true });
      throw failed.reason;
    }
    // The client does not wait for the disk, which takes tens of milliseconds; only a system crash loses data that is
    // not flushed.
    for (const part of parts) void flush(this.#path(head.id, part));
  }

  note(head: JobHead): Promise<void> {
    return this.#writeHead(head);
  }

  async end(head: JobHead, ending: Ending): Promise<void> {
    // Other servers see the ending before it is on the disk, so a server that is killed meanwhile loses no answer that
    // it gave.
    await writeWhole(this.#path(head.id, "ending"), JSON.stringify(ending), { is_flushed: false });
    await this.#writeHead(head);
    for (const part of ["ending", "head"] as const) await flush(this.#path(head.id, part));
    this.#ended_here.set(head.id, performance.now());
    await rm(this.#path(head.id, "cancel"), { force: true });
  }

  head(id: string): Promise<Found<JobHead>> {
    return this.#read(id, "head", (json) => {
      const read = JobHead.safeParse(json);
      return read.success && read.data.id === id ? read.data : undefined;
    });
  }

  async latest(owner: string, count: number): Promise<readonly JobHead[]> {
    const ids = new Set((await this.#names()).map(idIn).filter(isId));
    const times = await inTurns([...ids], async (id) => ({ id, at_ms: (await this.touched_ms(id)) ?? 0 }));
    const sorted = times.toSorted((a, b) => b.at_ms - a.at_ms);
    const heads: JobHead[] = [];
    // Only as many heads as needed are read, since there can be a thousand.
    for (let i = 0; i < sorted.length && heads.length < count; i += job_limits.read_at_once) {
      const some = await Promise.all(sorted.slice(i, i + job_limits.read_at_once).map(({ id }) => this.head(id)));
      for (const head of some) if (head && head !== "unreadable" && head.part.owner === owner) heads.push(head.part);
    }
    return heads.slice(0, count);
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
    return (await modifiedAt(this.#path(id, "cancel"))) !== undefined;
  }

  async touch(id: string): Promise<void> {
    const now = new Date(this.#clock());
    await utimes(this.#path(id, "head"), now, now);
  }

  touched_ms(id: string): Promise<number | undefined> {
    return modifiedAt(this.#path(id, "head"));
  }

  async hold(id: string): Promise<boolean> {
    const path = this.#path(id, "hold");
    try {
      await writeFile(path, "", { flag: "wx", mode: 0o600 });
      return true;
    } catch (error) {
      // If nothing can be written, no other server knows about the job.
      if (errorCode(error) !== "EEXIST") return true;
    }
    const held_ms = await modifiedAt(path);
    if (held_ms !== undefined && Math.abs(this.#clock() - held_ms) > job_limits.hold_ms_max) await this.release(id);
    return false;
  }

  async release(id: string): Promise<void> {
    await rm(this.#path(id, "hold"), { force: true });
  }

  async sweep(spared: ReadonlySet<string>, isRunning: (head: JobHead) => Promise<boolean>): Promise<void> {
    const files = await this.#files();
    const before = performance.now() - job_limits.kept_ms_min;
    for (const [id, at] of this.#ended_here) if (at < before) this.#ended_here.delete(id);
    const own = [...files].filter(([id]) => !spared.has(id) && !this.#ended_here.has(id));
    const jobs = await inTurns(own, async ([id, paths]) => ({
      ...{ id, ended_ms: await this.touched_ms(id), bytes: await bytesOf(paths) },
    }));
    const whole = jobs.flatMap(({ ended_ms, ...job }) => (ended_ms === undefined ? [] : [{ ...job, ended_ms }]));
    for (const id of tooMuch(whole, this.#clock(), this.bytes_max)) {
      // Only the heads of these jobs are read, since a thousand heads take tens of megabytes.
      const head = await this.head(id);
      const paths = files.get(id) ?? [];
      if (head === "unreadable") await this.#deleteOrphan(paths, job_limits.kept_ms_max);
      else if (head && !(await isRunning(head.part))) await deleteAll(paths);
    }
    for (const { id, ended_ms } of jobs)
      if (ended_ms === undefined) await this.#deleteOrphan(files.get(id) ?? [], job_limits.orphan_ms_max);
  }

  /** The total size of all jobs in this store, in bytes. */
  async bytes(): Promise<number> {
    const sizes = await inTurns([...(await this.#files()).values()], bytesOf);
    return sizes.reduce((sum, each) => sum + each, 0);
  }

  /**
   * Writes a head. Its file's modification time is the time of the ending, so the latest and the oldest jobs can be
   * found without reading any.
   */
  async #writeHead(head: JobHead): Promise<void> {
    const path = this.#path(head.id, "head");
    await writeWhole(path, JSON.stringify(head), { is_flushed: false });
    const at = new Date(head.ended_ms ?? this.#clock());
    await utimes(path, at, at);
  }

  /** Returns the files of each job. */
  async #files(): Promise<Map<string, readonly string[]>> {
    const jobs = new Map<string, string[]>();
    for (const name of await this.#names()) {
      const id = idIn(name);
      if (!isId(id)) continue;
      const paths = jobs.get(id) ?? [];
      paths.push(join(this.#directory, name));
      jobs.set(id, paths);
    }
    return jobs;
  }

  #names(): Promise<readonly string[]> {
    return readdir(this.#directory).catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return [];
      throw errorCode(error) === "ENOTDIR" ? noDirectory() : error;
    });
  }

  async #read<Content>(id: string, part: Part, parse: (json: unknown) => Content | undefined): Promise<Found<Content>> {
    const path = this.#path(id, part);
    const text = await textOf(path);
    if (text === undefined) return undefined;
    const read = text === "unreadable" ? undefined : parse(jsonOf(text));
    if (read !== undefined) return { part: read };
    // The unreadable file is kept for diagnosis until it is deleted with its job.
    if (!this.#unreadable.has(path)) console.error(`A file of a job can't be read: ${path}`);
    if (this.#unreadable.size < job_limits.kept_max) this.#unreadable.add(path);
    return "unreadable";
  }

  /** Deletes a job at this age if it has no head, because its server was killed, or if its head can't be read. */
  async #deleteOrphan(paths: readonly string[], age_ms_max: number): Promise<void> {
    const newest = Math.max(0, ...(await Promise.all(paths.map(modifiedAt))).map((time) => time ?? 0));
    const age_ms = Math.abs(this.#clock() - newest);
    if (age_ms > age_ms_max) await deleteAll(paths);
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

/** Processes each item, a few at a time: a thousand open files take tens of megabytes. */
async function inTurns<Item, Result>(items: readonly Item[], act: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let i = 0; i < items.length; i += job_limits.read_at_once)
    results.push(...(await Promise.all(items.slice(i, i + job_limits.read_at_once).map(act))));
  return results;
}

/**
 * Flushes an already visible file to the disk. A file that has been replaced or deleted in the meantime needs no flush.
 */
async function flush(path: string): Promise<void> {
  try {
    const file = await open(path, "r+");
    await file.sync().finally(() => file.close());
  } catch (error) {
    if (errorCode(error) !== "ENOENT")
      console.error(`A file of a job could not be flushed (${errorCode(error)}): ${path}`);
  }
}

/**
 * Reads one of our files. It does not wait for anything other than a regular file, such as a directory, device or pipe.
 */
async function textOf(path: string): Promise<string | "unreadable" | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    if (["ENXIO", "EACCES", "ELOOP", "ENODEV"].includes(errorCode(error) ?? "")) return "unreadable";
    throw error;
  });
  if (file === undefined || file === "unreadable") return file;
  try {
    const { size, ...entry } = await file.stat();
    const is_ours = (entry.mode & constants.S_IFMT) === constants.S_IFREG && size <= job_limits.kept_bytes_max;
    return is_ours ? await file.readFile("utf8") : "unreadable";
  } finally {
    await file.close();
  }
}

async function modifiedAt(path: string): Promise<number | undefined> {
  return (await statOf(path))?.mtimeMs;
}

async function bytesOf(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map(statOf));
  return sizes.reduce((sum, size) => sum + (size?.size ?? 0), 0);
}

/** Deletes a job's files, starting with the head: without it, the job is gone, whatever happens to the other files. */
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

/** Returns the id of the job that a file belongs to, if any. */
function idIn(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf(".")));
}

/**
 * Returns the ids of jobs that are too old, and of the oldest jobs if there are too many. A job with a future date was
 * created while the clock was wrong. Its age is unknown, so only the limits on number and size apply to it.
 */
function tooMuch(jobs: readonly Kept[], now_ms: number, bytes_max: number): string[] {
  const old = jobs.filter(({ ended_ms }) => now_ms - ended_ms > job_limits.kept_ms_max);
  const others = jobs.filter((job) => !old.includes(job));
  return [...old.map(({ id }) => id), ...beyondBounds(others, bytes_max)];
}

/** Returns the ids of the oldest jobs, if the jobs are too many or too large in total. */
export function beyondBounds(jobs: readonly Kept[], bytes_max: number): string[] {
  let bytes = 0;
  const beyond = jobs
    .toSorted((a, b) => b.ended_ms - a.ended_ms)
    .filter((job, i) => {
      bytes += job.bytes;
      return i >= job_limits.kept_max || bytes > bytes_max;
    });
  return beyond.map(({ id }) => id);
}
