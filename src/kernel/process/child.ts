import { ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { Deadline } from "../deadline.ts";
import { limits } from "../limits.ts";
import {
  areStopped,
  has_proc,
  isRunning,
  processesWithEnvironment,
  residentBytes,
  residentBytesInTable,
  treeOf,
} from "./process_tree.ts";
import { mark_variable, REAPER_SCRIPT, Reaper } from "./reaper.ts";

/** What to run: a file and its arguments, never a shell line. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** What this program gets to see besides what every child does. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** Why we stopped a child. */
export type StopReason = "deadline" | "cancelled" | "memory" | "output" | "closed";

/** How a child came to its end. */
export type Ending =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "stopped"; readonly why: StopReason }
  | { readonly kind: "not_started"; readonly detail: string };

/** What a child may print and hold. */
export interface ChildLimits {
  readonly stdout_bytes_max: number;
  readonly stderr_bytes_max: number;
  readonly rss_bytes_max: number;
}

/** The bounds of every child that names no others. */
const usual_limits: ChildLimits = {
  stdout_bytes_max: limits.stdout_bytes_max,
  stderr_bytes_max: limits.stderr_bytes_max,
  rss_bytes_max: limits.solver_rss_bytes_max,
};

/** How long the pipes of an ended child may stay open: a grandchild can hold them. */
const drain_ms_max = 100;

/**
 * A process of ours, leader of its own process group. It can always be stopped, with all that
 * descends from it, and nothing it does can fill our memory.
 */
export class Child {
  /** Settles once, when the process is gone and its output has been handed over. */
  readonly ended: Promise<Ending>;
  /** Whether it still runs. One that was killed a moment ago is known to the system before it is known to us. */
  get alive(): boolean {
    return this.#ending === undefined && (this.pid === undefined || isRunning(this.pid));
  }

  /** Whether it, or what it started, was stopped by a signal from outside: nobody should wait for it. */
  get stalled(): boolean {
    return has_proc && this.#ending === undefined && this.pid !== undefined && areStopped(treeOf(this.pid));
  }

  /** Whether it can be given work: it runs, and nobody has stopped it. */
  get usable(): boolean {
    return this.alive && !this.stalled;
  }

  /** Called with each piece of stdout; set it before the first write. */
  onText: (text: string) => void = () => {};
  /** Called with each piece of stderr that is kept. */
  onErrorText: (text: string) => void = () => {};
  readonly #process: ChildProcess;
  readonly #limits: ChildLimits;
  readonly #mark: string;
  readonly #settle: (ending: Ending) => void;
  #ending: Ending | undefined;
  #why: StopReason | undefined;
  #was_stalled = false;
  #stderr = "";
  #stdout_bytes = 0;
  #disarm: () => void = () => {};

  /** The mark is the value of the variable that tells this child's processes from all others. */
  constructor(process: ChildProcess, child_limits: ChildLimits, mark: string) {
    this.#process = process;
    this.#limits = child_limits;
    this.#mark = mark;
    let settle: (ending: Ending) => void = () => {};
    this.ended = new Promise((resolve) => {
      settle = resolve;
    });
    this.#settle = settle;
    this.#listen();
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** How it ended, or undefined while it runs. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  /** The beginning of what it wrote on stderr. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Sends text to its stdin. A child that is gone takes it without a word: `ended` tells. */
  write(text: string): void {
    const { stdin } = this.#process;
    if (stdin?.writable) stdin.write(text);
  }

  /** Closes its stdin. */
  end(): void {
    this.#process.stdin?.end();
  }

  /** Starts a job: from now on the deadline, the signal and the memory limit stop the child. */
  arm(deadline: Deadline): void {
    this.#disarm();
    if (this.#ending) return;
    const cancel = () => this.stop("cancelled");
    const timer = setTimeout(() => this.stop("deadline"), deadline.left_ms);
    const unwatch = this.#watchMemory();
    deadline.signal.addEventListener("abort", cancel, { once: true });
    this.#disarm = () => {
      clearTimeout(timer);
      unwatch();
      deadline.signal.removeEventListener("abort", cancel);
    };
    if (deadline.signal.aborted) cancel();
  }

  /** Ends a job of a child that goes on to live: what bounded the job no longer stops it. */
  disarm(): void {
    this.#disarm();
    this.#disarm = () => {};
  }

  /** Kills the child and all that descends from it, now. A second call changes nothing. */
  stop(why: StopReason): void {
    if (this.#ending || this.#why) return;
    this.#was_stalled = why === "deadline" && this.stalled;
    this.#why = why;
    this.#kill();
  }

  #listen(): void {
    const { stdin, stdout, stderr } = this.#process;
    // The pipe breaks when the child dies first; its ending says so.
    stdin?.on("error", () => {});
    const out = new StringDecoder("utf8");
    stdout?.on("data", (bytes: Buffer) => this.#take(bytes, out));
    const err = new StringDecoder("utf8");
    stderr?.on("data", (bytes: Buffer) => {
      const room = this.#limits.stderr_bytes_max - this.#stderr.length;
      if (room <= 0) return;
      const text = err.write(bytes).slice(0, room);
      this.#stderr += text;
      this.onErrorText(text);
    });
    this.#process.once("error", (error: NodeJS.ErrnoException) => {
      // An error after the start (a failed kill) is no ending; one without a pid is.
      if (this.pid === undefined) this.#end({ kind: "not_started", detail: error.code ?? "error" });
    });
    this.#process.once("exit", (code, signal) => this.#drain(code, signal));
  }

  #take(bytes: Buffer, decoder: StringDecoder): void {
    this.#stdout_bytes += bytes.length;
    if (this.#why) return;
    if (this.#stdout_bytes > this.#limits.stdout_bytes_max) this.stop("output");
    else this.onText(decoder.write(bytes));
  }

  /** The leader is gone: kill what is left of its group, and wait shortly for the pipes. */
  #drain(code: number | null, signal: NodeJS.Signals | null): void {
    this.#disarm();
    this.#killGroup();
    const ending = this.#endingOf(code, signal);
    const finish = () => {
      clearTimeout(timer);
      this.#process.stdout?.destroy();
      this.#process.stderr?.destroy();
      this.#process.stdin?.destroy();
      this.#end(ending);
      // Reading /proc takes milliseconds, which whoever waits for the ending has not to wait for.
      if (this.#why !== "closed" && has_proc) setImmediate(() => this.#killMarked());
    };
    const timer = setTimeout(finish, drain_ms_max);
    this.#process.once("close", finish);
  }

  /** A deadline that passed while somebody had stopped the child says nothing about its job: the signal ended it. */
  #endingOf(code: number | null, signal: NodeJS.Signals | null): Ending {
    if (this.#was_stalled) return { kind: "signalled", signal: "SIGSTOP" };
    if (this.#why) return { kind: "stopped", why: this.#why };
    return signal ? { kind: "signalled", signal } : { kind: "exited", code: code ?? -1 };
  }

  /**
   * Kills what left the group and the tree: the child ended by itself, so that its tree was not listed, or it had left
   * processes to themselves, or was starting one while we listed. One that we only discard did its job.
   */
  #killMarked(): void {
    for (const pid of processesWithEnvironment(`${mark_variable}=${this.#mark}`)) killOne(pid);
  }

  #end(ending: Ending): void {
    if (this.#ending) return;
    this.#ending = ending;
    this.#disarm();
    this.#settle(ending);
  }

  #kill(): void {
    const { pid } = this;
    if (pid === undefined) return;
    // Listed before the leader dies: afterwards nothing ties its descendants to it.
    const tree = has_proc ? treeOf(pid) : [];
    this.#killGroup();
    for (const other of tree.slice(1)) killOne(other);
  }

  #killGroup(): void {
    const { pid } = this;
    if (pid === undefined) return;
    if (process.platform === "win32") this.#process.kill("SIGKILL");
    else killOne(-pid);
  }

  #watchMemory(): () => void {
    const { pid } = this;
    if (pid === undefined || process.platform === "win32") return () => {};
    const judge = (bytes: number) => {
      if (bytes > this.#limits.rss_bytes_max) this.stop("memory");
    };
    const look = has_proc
      ? () => judge(residentBytes(treeOf(pid)))
      : () => {
          execFile("ps", ["-axo", "pid=,ppid=,rss="], { timeout: limits.memory_poll_by_ps_ms }, (_, table) =>
            judge(residentBytesInTable(table, pid)),
          );
        };
    const poll = setInterval(look, has_proc ? limits.memory_poll_ms : limits.memory_poll_by_ps_ms);
    return () => clearInterval(poll);
  }
}

/** A process that was never started, which says so as one that was not found does. */
function failedProcess(error: unknown): ChildProcess {
  const failed = new ChildProcess();
  process.nextTick(() => failed.emit("error", error));
  return failed;
}

function killOne(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // Gone already is what we want (macOS says EPERM of a group of zombies); else a line in the log.
    const gone = error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM");
    if (!gone) console.error(error);
  }
}

/** Owns every child of this server, so that none outlives it, however it ends. */
export class Children {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #directory: string;
  readonly #mark = randomUUID();
  #started = 0;
  readonly #live = new Set<Child>();
  #closed = false;
  #reaper: Reaper | undefined;

  /** The environment and working directory are those that every child gets. */
  constructor(environment: NodeJS.ProcessEnv, directory: string) {
    this.#environment = environment;
    this.#directory = directory;
  }

  get count(): number {
    return this.#live.size;
  }

  /** Starts a program; bounds of its own stand in place of the usual ones. */
  start(program: Program, own_limits: Partial<ChildLimits> = {}): Child {
    const child_limits = { ...usual_limits, ...own_limits };
    const reaper = this.#guardian();
    const mark = `${this.#mark}.${this.#started++}`;
    const child = new Child(this.#spawn(program, ["pipe", "pipe", "pipe"], mark), child_limits, mark);
    this.#live.add(child);
    if (this.#closed) child.stop("closed");
    const { pid } = child;
    if (pid !== undefined) reaper?.guard(pid);
    void child.ended.then(() => {
      this.#live.delete(child);
      if (pid !== undefined) reaper?.forget(pid);
    });
    return child;
  }

  /** Kills all children at once; safe inside an `exit` handler. */
  stopAll(): void {
    this.#closed = true;
    for (const child of this.#live) child.stop("closed");
  }

  #guardian(): Reaper | undefined {
    if (process.platform === "win32") return undefined;
    if (!this.#reaper?.alive) {
      const program = { command: "/bin/sh", args: ["-c", REAPER_SCRIPT] };
      this.#reaper = new Reaper(this.#spawn(program, ["pipe", "ignore", "ignore"], this.#mark));
      for (const child of this.#live) if (child.pid !== undefined) this.#reaper.guard(child.pid);
    }
    return this.#reaper;
  }

  #spawn(program: Program, stdio: ("pipe" | "ignore")[], mark: string): ChildProcess {
    const options = {
      cwd: this.#directory,
      // The mark comes first, where the reaper's shell finds it.
      env: { [mark_variable]: mark, ...this.#environment, ...program.environment },
      stdio,
      // A session of its own: a signal for our group does not reach it, and one kill reaches it all.
      detached: process.platform !== "win32",
      windowsHide: true,
    };
    try {
      return spawn(program.command, program.args, options);
    } catch (error) {
      // Some errors come as events (ENOENT, EACCES, EMFILE), others are thrown (ENOTDIR, ETXTBSY, ENOMEM).
      return failedProcess(error);
    }
  }
}

/** Where a process that is to outlive us runs, what it sees, and the file that its output goes to. */
export interface DetachedPlace {
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: string;
}

/**
 * Starts a program that is meant to outlive us, without a mark that the reaper would find it by. It is
 * the one exception to the rule that no child outlives its server, for what all servers of a user share (the
 * tactic daemon, the installation of Python's engines); who starts one has to give it an end of its own. Gives its
 * pid, or undefined when it did not start.
 */
export function startDetached(program: Program, { directory, environment, log }: DetachedPlace): number | undefined {
  const output = openSync(log, "a", 0o600);
  try {
    const options = { cwd: directory, env: { ...environment, ...program.environment }, windowsHide: true };
    const child = spawn(program.command, program.args, {
      ...options,
      stdio: ["ignore", output, output],
      detached: true,
    });
    child.on("error", () => {});
    child.unref();
    return child.pid;
  } finally {
    closeSync(output);
  }
}
