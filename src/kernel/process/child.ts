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

/** How a child ended. */
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

/** The default bounds of a child. */
const usualLimits = (): ChildLimits => ({
  stdout_bytes_max: limits.stdout_bytes_max,
  stderr_bytes_max: limits.stderr_bytes_max,
  rss_bytes_max: limits.solver_rss_bytes_max,
});

/**
 * A child process that leads its own process group. It can always be stopped together with all its descendants, and it
 * can't fill this process's memory.
 */
export class Child {
  /** Settles once, when the process is gone and its output has been handed over. */
  readonly ended: Promise<Ending>;
  /** Whether the child is still running. The system knows that a child was killed a moment before this process does. */
  get alive(): boolean {
    return this.#ending === undefined && (this.pid === undefined || isRunning(this.pid));
  }

  /** Whether an outside signal has stopped the child or one of its descendants. Waiting for it is then useless. */
  get stalled(): boolean {
    return has_proc && this.#ending === undefined && this.pid !== undefined && areStopped(treeOf(this.pid));
  }

  /** Whether the child can take work: it is running, and neither this process nor an outside signal has stopped it. */
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
  /** The processor time of the current job; undefined if nobody counts it. */
  #time: ChildTime | undefined;

  /** `mark` is the value of the environment variable that distinguishes this child's processes from all others. */
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

  /** How the child ended; undefined while it is running. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  /** The beginning of the child's stderr. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Writes text to the child's stdin. If the child is gone, the text is silently dropped: `ended` reports the end. */
  write(text: string): void {
    const { stdin } = this.#process;
    if (stdin?.writable) stdin.write(text);
  }

  /** Closes the child's stdin. */
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

  /**
   * Ends the job of a child that continues to run. The job's bounds no longer apply, and its output no longer counts.
   */
  disarm(): void {
    this.#stdout_bytes = 0;
    this.#disarm();
    this.#disarm = () => {};
  }

  /** Kills the child and all its descendants immediately. A second call changes nothing. */
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
      // An error after the start, such as a failed kill, is not an ending; an error without a pid is.
      if (this.pid === undefined) this.#end({ kind: "not_started", detail: error.code ?? "error" });
    });
    this.#process.once("exit", (code, signal) => this.#drain(code, signal));
  }

  /** If `bytes` is a number, that many bytes of the output are no longer kept and no longer count towards its bound. */
  forget(bytes: unknown): void {
    if (typeof bytes === "number") this.#stdout_bytes -= bytes;
  }

  #take(bytes: Buffer, decoder: StringDecoder): void {
    this.#stdout_bytes += bytes.length;
    if (this.#why) return;
    if (this.#stdout_bytes > this.#limits.stdout_bytes_max) this.stop("output");
    else this.onText(decoder.write(bytes));
  }

  /** Kills the rest of the process group after its leader has ended, and waits briefly for the pipes. */
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
        // Reading /proc takes milliseconds, and callers that wait for the ending need not wait for this.
        if (this.#why !== "closed" && has_proc) setImmediate(() => this.#killMarked());
      },
    );
  }

  /**
   * Counts the processor time up to the child's end. This runs at each end, so that no child's time is charged to the
   * next child.
   */
  #countToTheEnd(): void {
    const reaped_ms = newlyReapedMs();
    this.#time?.end(reaped_ms);
    this.#time = undefined;
  }

  /**
   * Returns how the child ended. If an outside signal stopped the child, a missed deadline says nothing about its job:
   * the signal is the ending.
   */
  #endingOf(code: number | null, signal: NodeJS.Signals | null): Ending {
    if (this.#was_stalled) return { kind: "signalled", signal: "SIGSTOP" };
    if (this.#why) return { kind: "stopped", why: this.#why };
    return signal ? { kind: "signalled", signal } : { kind: "exited", code: code ?? -1 };
  }

  /**
   * Kills processes that have left both the process group and the process tree. Such processes can exist if the child
   * ended on its own (its tree was then not listed), if it detached processes, or if it started one during the listing.
   * It is not called for a spare that is merely discarded.
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
    // The tree is listed before the leader dies: afterwards nothing ties its descendants to it.
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

  /** Monitors the memory and the processor time of the child's processes. Returns a function that stops this. */
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

/** Represents a process that could not be started in the same way as a program that was not found. */
function failedProcess(error: unknown): ChildProcess {
  const failed = new ChildProcess();
  process.nextTick(() => failed.emit("error", error));
  return failed;
}

/** Kills a process if it still exists. */
export function killOne(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // A process that is already gone counts as a success (macOS reports EPERM for a group of zombies). Other errors are
    // logged.
    const is_gone = error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM");
    if (!is_gone) console.error(error);
  }
}

/** Owns every child of this server, so that no child outlives the server, however the server ends. */
export class Children {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #directory: string;
  readonly #mark = randomUUID();
  #started = 0;
  readonly #live = new Set<Child>();
  #closed = false;
  #reaper: Reaper | undefined;

  /** `environment` and `directory` are the environment and the working directory of every child. */
  constructor(environment: NodeJS.ProcessEnv, directory: string) {
    this.#environment = environment;
    this.#directory = directory;
  }

  get count(): number {
    return this.#live.size;
  }

  /** Starts a program. The given bounds replace the defaults. */
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

  /**
   * Kills all children at once. A child that is started later is stopped immediately. Safe inside an `exit` handler.
   */
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
      // The mark comes first in the environment, where the reaper's shell looks for it.
      env: { [mark_variable]: mark, ...this.#environment, ...program.environment },
      stdio,
      // The child gets its own session: a signal to the server's group does not reach it, and one kill reaches its
      // whole group.
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

/** The working directory, environment and output file of a process that outlives this one. */
export interface DetachedPlace {
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: string;
}

/**
 * Starts a program that outlives this process, without the mark by which the reaper would find it. This is the only
 * exception to the rule that no child outlives its server. It exists for what all of a user's servers share (the tactic
 * daemon, the installation of Python's engines) and for the user's own browser. The program must end of its own accord
 * at some point. Returns its pid, or undefined if it did not start.
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
