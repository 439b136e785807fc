import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { errorCode } from "../../kernel/files/errno.ts";
import { withLock } from "../../kernel/files/file_lock.ts";
import type { Child, Children } from "../../kernel/process/child.ts";
import { runToEnd } from "../../kernel/process/run.ts";
import type { Slots } from "../../kernel/process/slots.ts";
import { engine_limits as bounds } from "../limits.ts";
import { machineOf } from "./code_file.ts";

export interface CodeCacheServices {
  readonly config: Config;
  readonly children: Children;
  readonly slots: Slots;
}

/** An embedded engine: the name of its files, and the built program. */
export interface EmbeddedEngine {
  readonly name: string;
  readonly host: string;
}

/** When code is made. */
export interface CodePolicy {
  readonly jobs_before: number;
  readonly idle_ms: number;
  /** Whether it is made at the lowest priority: nobody waits for it. */
  readonly yields?: boolean;
}

const usual_policy: CodePolicy = {
  jobs_before: bounds.code_jobs_before,
  idle_ms: bounds.code_idle_ms,
  yields: true,
};

/**
 * Starts the processes of an embedded engine, with the optimised code that V8 made of it, once there is some. This code
 * is made by a process of its own after the engine has been used, while a processor is free; see
 * docs/decisions/compiled_code.md.
 */
export class CodeCache {
  readonly #services: CodeCacheServices;
  readonly #engine: EmbeddedEngine;
  readonly #directory: string;
  readonly #file: string;
  readonly #policy: CodePolicy;
  #jobs = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Whether this server leaves things as they are: the code is switched off, was refused, or could not be made. */
  #is_done: boolean;
  #is_making = false;
  /** Whether the engine died with its code here: this server starts it without from then on. */
  #is_distrusted = false;

  constructor(engine: EmbeddedEngine, services: CodeCacheServices, policy = usual_policy) {
    this.#policy = policy;
    this.#engine = engine;
    this.#services = services;
    this.#directory = codeDirectory(services.config);
    this.#file = codeFile(services.config, engine.name);
    this.#is_done = !services.config.keeps_code;
  }

  /** Starts the engine. If it dies before it is ready, its code is removed and it starts without. */
  start(): Child {
    const { children, config } = this.#services;
    const program = (...options: string[]) => ({
      command: process.execPath,
      args: [this.#engine.host, ...options],
    });
    if (!config.keeps_code || this.#is_distrusted || !existsSync(this.#file)) return children.start(program());
    const onUse = () => void this.#distrust();
    return children.start(program("--serve", this.#file), {}, { program: program(), onUse });
  }

  /** Called with each job. After some of them, when none has begun for a while, the code is made. */
  noteJob(): void {
    this.#jobs++;
    if (this.#jobs >= this.#policy.jobs_before) this.#makeSoon();
  }

  /** Makes no code from now on; a process that makes some ends with the other children. */
  close(): void {
    this.#is_done = true;
    clearTimeout(this.#timer);
  }

  #makeSoon(): void {
    if (this.#is_done || this.#is_making) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#makeInFreeTime(), this.#policy.idle_ms);
    this.#timer.unref();
  }

  /** Makes the code in a slot that no call needs; as soon as one does, the work is given up and begins anew later. */
  async #makeInFreeTime(): Promise<void> {
    if (existsSync(this.#file)) {
      this.#is_done = true;
      return;
    }
    const stop = new AbortController();
    const release = this.#services.slots.borrow(() => stop.abort());
    if (!release) return this.#makeSoon();
    this.#is_making = true;
    try {
      await withLock(this.#file, new Deadline(0), () => this.#makeOnce(stop.signal));
      this.#is_done = !stop.signal.aborted;
    } catch (error) {
      this.#is_done = true;
      console.error(`The code of the embedded ${this.#engine.name} could not be kept:`, error);
    } finally {
      this.#is_making = false;
      release();
    }
    this.#makeSoon();
  }

  /** Not more than once a day: what failed will mostly fail again. */
  async #makeOnce(signal: AbortSignal): Promise<void> {
    const mark = `${this.#file}.tried`;
    if (existsSync(this.#file) || (await ageOf(mark)) < bounds.code_retry_ms) return;
    await chmod(this.#directory, 0o700);
    await writeFile(mark, "", { mode: 0o600 });
    await this.#removeOld();
    const next = `${this.#file}.${process.pid}.new`;
    // In a container, a killed server had the same number.
    await rm(next, { force: true });
    try {
      await this.#make(next, new Deadline(bounds.code_make_ms_max, signal));
      if (signal.aborted || existsSync(this.#file)) await rm(mark, { force: true });
    } finally {
      await rm(next, { force: true });
    }
  }

  /** One process makes the code, another one shows that it can be used. */
  async #make(next: string, deadline: Deadline): Promise<void> {
    const options = this.#policy.yields ? ["--yield"] : [];
    for (const purpose of ["--train", "--try"]) {
      const program = { command: process.execPath, args: [this.#engine.host, purpose, next, ...options] };
      const { ending, stderr } = await runToEnd(this.#services.children.start(program), deadline);
      if (deadline.signal.aborted || this.#is_done) return;
      if (ending.kind !== "exited" || ending.code !== 0)
        throw new Fault(
          "engine_failed",
          `${purpose} ended with ${JSON.stringify(ending)}: ${stderr.slice(0, 500)}`,
          [],
        );
    }
    if ((await stat(next)).size <= bounds.code_bytes_max) await rename(next, this.#file);
  }

  /** Leaves the newest files of other machines and versions of Node, and nothing that a killed server left. */
  async #removeOld(): Promise<void> {
    const own = (await readdir(this.#directory)).filter((entry) => entry.startsWith(`${this.#engine.name}-`));
    const files = await Promise.all(
      own.map(async (entry) => ({ entry, age: await ageOf(join(this.#directory, entry)) })),
    );
    const codes = files.filter(({ entry }) => !entry.includes(".")).sort((a, b) => a.age - b.age);
    const surplus = codes.slice(bounds.code_files_max - 1);
    const left = files.filter(({ entry, age }) => entry.includes(".") && age > bounds.code_retry_ms);
    for (const { entry } of [...surplus, ...left]) await rm(join(this.#directory, entry), { force: true });
  }

  /** Nobody waits for this, so nothing is raised: the engine already runs without the code. */
  async #distrust(): Promise<void> {
    this.#is_done = true;
    this.#is_distrusted = true;
    console.error(`The embedded ${this.#engine.name} died with its compiled code; it runs without now.`);
    try {
      await rm(this.#file, { force: true });
      await writeFile(`${this.#file}.tried`, "", { mode: 0o600 });
    } catch (error) {
      console.error(`The compiled code of the embedded ${this.#engine.name} could not be removed:`, error);
    }
  }
}

/** The file of an engine's compiled code, for this version of Node on this machine. */
export function codeFile(config: Config, engine_name: string): string {
  const key = createHash("sha256").update(machineOf()).digest("hex").slice(0, 12);
  return join(codeDirectory(config), `${engine_name}-${key}`);
}

/** Where compiled code lies. */
export function codeDirectory(config: Config): string {
  return join(config.data_directory, "compiled");
}

/** How many bytes of compiled code are on disk. */
export async function codeOnDisk(config: Config): Promise<number> {
  const directory = codeDirectory(config);
  const entries = (await ifThere(readdir(directory))) ?? [];
  const stats = await Promise.all(entries.map((entry) => ifThere(stat(join(directory, entry)))));
  return stats.reduce((sum, file) => sum + (file?.size ?? 0), 0);
}

/** How long ago a file was written, in ms; infinitely long if it is not there. */
async function ageOf(file: string): Promise<number> {
  const stats = await ifThere(stat(file));
  return stats ? Math.abs(Date.now() - stats.mtimeMs) : Number.POSITIVE_INFINITY;
}

/** What is asked of a file; undefined if it is not there. Other servers remove files, too. */
async function ifThere<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result;
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}
