import { ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { Deadline } from "../deadline.ts";
import { limits } from "../limits.ts";
import { whenDrained } from "./drain.ts";
import {
  areStopped,
  has_proc,
  isRunning,
  processesWithEnvironment,
  residentBytes,
  residentBytesInTable,
  treeOf,
} from "./process_tree.ts";
import { ChildTime, newlyReapedMs } from "./processor_time.ts";
import { mark_variable, REAPER_SCRIPT, Reaper } from "./reaper.ts";

/** A program to run: a file and its arguments, never a shell line. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** Additional environment variables of this program. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** Why a child was stopped. */
export type StopReason = "deadline" | "cancelled" | "memory" | "output" | "closed";

/** How a child came to its end. */
export type Ending =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "stopped"; readonly why: StopReason }
  | { readonly kind: "not_started"; readonly detail: string };

/** Bounds on a child's output and memory. */
export interface ChildLimits {
  readonly stdout_bytes_max: number;
  readonly stderr_bytes_max: number;
  readonly rss_bytes_max: number;
}

/** The bounds of every child that names no others. */
const usualLimits = (): ChildLimits => ({
  stdout_bytes_max: limits.stdout_bytes_max,
  stderr_bytes_max: limits.stderr_bytes_max,
  rss_bytes_max: limits.solver_rss_bytes_max,
});

/**
 * A child process, leader of its own process group. It can always be stopped together with all its descendants, and it
 * can't fill this process's memory.
 */
export class Child {
  /** Settles once, when the process is gone and its output has been handed over. */
  readonly ended: Promise<Ending>;
  /** Whether it still runs. The system knows that a child was killed a moment before this process does. */
  get alive(): boolean {
    return this.#ending === undefined && (this.pid === undefined || isRunning(this.pid));
  }

  /** Whether it, or a process that it started, was stopped by a signal from outside; then waiting for it is useless. */
  get stalled(): boolean {
    return has_proc && this.#ending === undefined && this.pid !== undefined && areStopped(treeOf(this.pid));
  }

  /** Whether it can be given work: it runs, and was stopped neither here, a moment ago, nor from outside. */
  get usable(): boolean {
    return this.#why === undefined && this.alive && !this.stalled;
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
  /** What the current job uses; undefined where nobody counts. */
  #time: ChildTime | undefined;

  /** The mark is the value of the environment variable that distinguishes this child's processes from all others. */
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

  /** The beginning of its stderr. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Writes text to its stdin. If the child is gone, the text is dropped silently: `ended` reports the end. */
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
    this.#time = ChildTime.begin(this.pid);
    const unwatch = this.#watch();
    deadline.signal.addEventListener("abort", cancel, { once: true });
    this.#disarm = () => {
      clearTimeout(timer);
      unwatch();
      this.#time?.rest();
      this.#time = undefined;
      deadline.signal.removeEventListener("abort", cancel);
    };
    if (deadline.signal.aborted) cancel();
  }

  /** Ends a job of a child that continues to run: the bounds of the job no longer apply, nor does its output count. */
  disarm(): void {
    this.#stdout_bytes = 0;
    this.#disarm();
    this.#disarm = () => {};
  }

  /** Kills the child and all that descends from it, now. A second call changes nothing. */
  stop(why: StopReason): void {
    if (this.#ending || this.#why) return;
    this.#was_stalled = why === "deadline" && this.stalled;
    this.#time?.look();
    this.#why = why;
    this.#kill();
  }

  #listen(): void {
    const { stdin, stdout, stderr } = this.#process;
    // The pipe breaks if the child dies first; its ending reports that.
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
      // An error after the start (a failed kill) is not an ending; one without a pid is.
      if (this.pid === undefined) this.#end({ kind: "not_started", detail: error.code ?? "error" });
    });
    this.#process.once("exit", (code, signal) => this.#drain(code, signal));
  }

  /** If this is a number: these bytes of its output are no longer kept, and do not count towards its bound. */
  forget(bytes: unknown): void {
    if (typeof bytes === "number") this.#stdout_bytes -= bytes;
  }

  #take(bytes: Buffer, decoder: StringDecoder): void {
    this.#stdout_bytes += bytes.length;
    if (this.#why) return;
    if (this.#stdout_bytes > this.#limits.stdout_bytes_max) this.stop("output");
    else this.onText(decoder.write(bytes));
  }

  /** The leader is gone: kills the rest of its group, and waits briefly for the pipes. */
  #drain(code: number | null, signal: NodeJS.Signals | null): void {
    this.#countToTheEnd();
    this.#disarm();
    this.#killGroup();
    const ending = this.#endingOf(code, signal);
    whenDrained(
      this.#process,
      () => this.#stdout_bytes,
      () => {
        this.#end(ending);
        // Reading /proc takes milliseconds; the callers that wait for the ending do not have to wait for this.
        if (this.#why !== "closed" && has_proc) setImmediate(() => this.#killMarked());
      },
    );
  }

  /** Asked at each end, so that the time of a child is not taken for that of the next one. */
  #countToTheEnd(): void {
    const reaped_ms = newlyReapedMs();
    this.#time?.end(reaped_ms);
    this.#time = undefined;
  }

  /** If the child was stopped from outside, a deadline that passed shows nothing about its job: the signal ended it. */
  #endingOf(code: number | null, signal: NodeJS.Signals | null): Ending {
    if (this.#was_stalled) return { kind: "signalled", signal: "SIGSTOP" };
    if (this.#why) return { kind: "stopped", why: this.#why };
    return signal ? { kind: "signalled", signal } : { kind: "exited", code: code ?? -1 };
  }

  /**
   * Kills processes that left the group and the tree. There can be some if the child ended by itself, so that its tree
   * was not listed; if it detached processes; or if it started one during the listing. A spare that is only discarded
   * did its job.
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

  /** Looks at the memory of its processes, and at their time. */
  #watch(): () => void {
    if (this.pid === undefined || process.platform === "win32") return () => {};
    const judge = (bytes: number) => {
      if (bytes > this.#limits.rss_bytes_max) this.stop("memory");
    };
    const look = has_proc
      ? () => judge(residentBytes(treeOf(this.pid ?? 0)))
      : () => {
          const { pid = 0 } = this;
          execFile("ps", ["-axo", "pid=,ppid=,rss="], { timeout: limits.memory_poll_by_ps_ms }, (_, table) =>
            judge(residentBytesInTable(table, pid)),
          );
        };
    const poll = setInterval(
      () => {
        this.#time?.look();
        look();
      },
      has_proc ? limits.memory_poll_ms : limits.memory_poll_by_ps_ms,
    );
    return () => clearInterval(poll);
  }
}

/** The ending of a process that could not be started, in the form of a program that was not found. */
function failedProcess(error: unknown): ChildProcess {
  const failed = new ChildProcess();
  process.nextTick(() => failed.emit("error", error));
  return failed;
}

/** Kills a process, if it is still there. */
export function killOne(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // Success if the process is already gone (macOS reports EPERM for a group of zombies); otherwise a line in the log.
    const is_gone = error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM");
    if (!is_gone) console.error(error);
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

  /** Starts a program; bounds that are given replace the defaults. */
  start(program: Program, own_limits: Partial<ChildLimits> = {}): Child {
    const child_limits = { ...usualLimits(), ...own_limits };
    const reaper = this.#guardian();
    const mark = `${this.#mark}.${this.#started++}`;
    const child = new Child(this.#spawn(program, ["pipe", "pipe", "pipe"], mark), child_limits, mark);
    const { pid } = child;
    if (pid !== undefined) reaper?.guard(pid);
    this.#live.add(child);
    if (this.#closed) child.stop("closed");
    void child.ended.then(() => {
      this.#live.delete(child);
      if (pid !== undefined) reaper?.forget(pid);
    });
    return child;
  }

  /** Kills all children at once, and none starts any more but to be stopped; safe inside an `exit` handler. */
  stopAll(): void {
    this.#closed = true;
    for (const child of this.#live) child.stop("closed");
    this.#reaper?.end();
  }

  #guardian(): Reaper | undefined {
    if (process.platform === "win32" || this.#closed) return undefined;
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
      // The mark comes first, where the reaper's shell looks for it.
      env: { [mark_variable]: mark, ...this.#environment, ...program.environment },
      stdio,
      // Its own session: a signal to the server's group does not reach the child, and one kill reaches the whole group.
      detached: process.platform !== "win32",
      windowsHide: true,
    };
    try {
      return spawn(program.command, program.args, options);
    } catch (error) {
      // Some errors arrive as events (ENOENT, EACCES, EMFILE), others are thrown (ENOTDIR, ETXTBSY, ENOMEM).
      return failedProcess(error);
    }
  }
}

/** The working directory and environment of a process that outlives this one, and the file for its output. */
export interface DetachedPlace {
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: string;
}

/**
 * Starts a program that outlives this process, without the mark by which the reaper would find it. This is the only
 * exception to the rule that no child outlives its server, for what all servers of a user share (the tactic daemon, the
 * installation of Python's engines), and for the user's own browser. The program must end by itself at some time. Returns its pid, or undefined if it
 * did not start.
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
