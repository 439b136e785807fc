import * as z from "zod/v4";
import { Deadline } from "../../kernel/deadline.ts";
import { cancelled } from "../../kernel/fault.ts";
import { removeStale } from "../../kernel/files/stale.ts";
import { limits } from "../../kernel/limits.ts";
import { Pool } from "../../kernel/process/pool.ts";
import { isBusy } from "../../kernel/process/processor_time.ts";
import { Slots } from "../../kernel/process/slots.ts";
import { type BuildSpec, type Candidate, chooseBuild, reportOf } from "../build.ts";
import type { Engine, EngineReport, EngineServices } from "../engine.ts";
import { withEmbeddedLibrary, withLibrary } from "./library/index.ts";
import { runNative } from "./native.ts";
import { Reader } from "./read.ts";
import { Readings } from "./readings.ts";
import type { OnLine, Task, TaskEnd } from "./task.ts";
import { WasmProcess } from "./wasm_process.ts";

/** One of MiniZinc's solvers: its id, and the short names by which it can be selected. */
export interface SolverInfo {
  readonly id: string;
  readonly names: readonly string[];
}

const spec: BuildSpec = {
  name: "minizinc",
  title: "MiniZinc",
  variable: "VERDICT_MINIZINC",
  // Older versions give wrong answers and can't read Verdict's library (docs/decisions/minizinc_numbers.md).
  oldest: [2, 10],
  oldest_named: [2, 10],
  advantage: "is faster and can have more solvers",
  install: "from minizinc.org",
  isolation:
    "a separate process while it solves, reused only if the solve left nothing behind; includes of host files are rejected, and it runs no user code",
};

/** The build in use, its solvers, and why it was chosen. */
export interface Build {
  readonly kind: "native" | "wasm";
  readonly version: string;
  readonly why: string;
  readonly command: string;
  readonly solvers: readonly SolverInfo[];
}

/** Runs tasks one after another in the same place for the duration of a job. */
export type RunTask = (task: Task, deadline: Deadline, onLine: OnLine) => Promise<TaskEnd>;

/** A place to run tasks in addition to the one that a call already has; closing it frees its slot. */
export interface Place {
  readonly run: RunTask;
  /** Fires when another call is waiting for the slot: the running task must then be stopped, and the place closed. */
  readonly wanted: AbortSignal;
  close(): void;
}

/** Returns a place if a slot is free and, unless the work is needed, other programs do not keep the processors busy. */
export type TakePlace = (is_needed?: boolean) => Place | undefined;

const globals_sample: Task = {
  files: {
    "sample.mzn": 'include "globals.mzn"; array[1..2] of var 1..2: x; constraint alldifferent(x); solve satisfy;',
  },
  args: ["--solver", "gecode", "sample.mzn"],
  keeps: [],
};

/** MiniZinc, native or embedded. For callers, they differ only in the engine's name. */
export class MiniZinc implements Engine {
  readonly name = "minizinc";
  readonly #services: EngineServices;
  /** Checks run one at a time, so that together they use no more processes than a single call. */
  readonly #check_turns = new Slots(1, limits.changes_waiting_max);
  readonly #pool: Pool<WasmProcess>;
  readonly #readings = new Readings();
  /** The number of processes that are solving or checking. */
  #at_work = 0;
  #build: Promise<Build> | undefined;
  #closed = false;

  constructor(services: EngineServices) {
    this.#services = services;
    const program = { command: process.execPath, args: [services.config.minizinc_wasm_host] };
    this.#pool = new Pool(() => new WasmProcess(services.children.start(program)), {
      // One process can solve while another one checks.
      spares_max: 2,
      refill_delay_ms: "never",
    });
  }

  /** The build to use, determined once. */
  build(): Promise<Build> {
    this.#build ??= this.#choose().catch((error: unknown) => {
      // Candidates that could not be tried now are tried again later.
      this.#build = undefined;
      throw error;
    });
    return this.#build;
  }

  /**
   * Does one call's work, which can run solving tasks. The work has its own process, which starts with the first task,
   * so that an invalid question costs nothing. The process is replaced if it can't run another task, and reused for
   * other work only if nothing is left in it. Returns "expired" if the time ran out before a solver was free. The work
   * can take additional places while it runs. Raises `busy` and `cancelled`.
   */
  async run<Result>(
    deadline: Deadline,
    work: (run: RunTask, build: Build, takePlace: TakePlace) => Promise<Result>,
  ): Promise<Result | "expired"> {
    return this.#services.slots.run(deadline, async () => {
      const build = await deadline.within(this.build());
      if (build === "expired") return build;
      if (this.#closed) throw cancelled();
      const { run, close } = this.#placeFor(build);
      try {
        return await work(run, build, (is_needed = false) => this.#borrow(build, is_needed));
      } finally {
        close();
      }
    });
  }

  #borrow(build: Build, is_needed: boolean): Place | undefined {
    if (this.#closed || (isBusy() && !is_needed)) return undefined;
    const wanted = new AbortController();
    const release = this.#services.slots.borrow(() => wanted.abort());
    return release && { ...this.#placeFor(build, release), wanted: wanted.signal };
  }

  #placeFor(build: Build, release = () => {}): Omit<Place, "wanted"> {
    if (build.kind === "native") {
      const run = this.#nativeRun(build.command);
      return { run: (task, ...rest) => run(withLibrary(task), ...rest), close: release };
    }
    let process: WasmProcess | undefined;
    return {
      run: (task, deadline, onLine) => {
        if (process?.alive === false) {
          this.#at_work--;
          process.discard();
          process = undefined;
        }
        process ??= this.#take();
        return process.run(withEmbeddedLibrary(task), deadline, onLine);
      },
      close: () => {
        if (process) this.#end(process);
        release();
      },
    };
  }

  #take(): WasmProcess {
    this.#at_work++;
    return this.#pool.take();
  }

  /** Keeps a process for the next call if the current call left nothing in it. */
  #end(process: WasmProcess): void {
    this.#at_work--;
    process.rest();
    const { is_fresh } = process;
    this.#pool.putBack(process, is_fresh);
    if (!is_fresh) this.#prepareSpare();
  }

  /**
   * Starts a spare process if none is busy: starting one costs most of a second of CPU time, and a busy process can
   * usually serve the next call, too.
   */
  #prepareSpare(): void {
    if (!this.#closed && this.#at_work === 0) this.#pool.prepare();
  }

  /**
   * Runs a task that only reads a model, in one of the processes that are also used for solving: in the place of the
   * call that needs it, if there is one.
   */
  check(task: Task, deadline: Deadline, onLine: OnLine, place?: RunTask): Promise<TaskEnd | "expired"> {
    return this.#readings.read(task, onLine, (onLine) =>
      place ? place(task, deadline, onLine) : this.#check(task, deadline, onLine),
    );
  }

  async #check(task: Task, deadline: Deadline, onLine: OnLine): Promise<TaskEnd | "expired"> {
    const build = await deadline.within(this.build());
    if (build === "expired") return build;
    const release = await this.#check_turns.take(deadline);
    if (release === "expired") return release;
    try {
      if (this.#closed) throw cancelled();
      if (build.kind === "native") return await this.#nativeRun(build.command)(withLibrary(task), deadline, onLine);
      return await this.#checkEmbedded(task, deadline, onLine);
    } finally {
      release();
    }
  }

  /** Starts the process that the next call of `solve` needs, since a client that builds a model will solve it. */
  prepare(): void {
    void this.build().then((build) => {
      if (build.kind === "wasm") this.#prepareSpare();
    });
  }

  async probe(): Promise<readonly EngineReport[]> {
    const build = await this.build();
    return [reportOf(spec, build, build.version)];
  }

  close(): void {
    this.#closed = true;
    this.#pool.close();
  }

  async #checkEmbedded(task: Task, deadline: Deadline, onLine: OnLine): Promise<TaskEnd> {
    const end = await this.#checkOnce(task, deadline, onLine);
    if (end.ending.kind !== "signalled" || deadline.is_over) return end;
    // The process was killed from outside, which says nothing about the model, so a fresh process parses it.
    return this.#checkOnce(task, deadline, onLine);
  }

  async #checkOnce(task: Task, deadline: Deadline, onLine: OnLine): Promise<TaskEnd> {
    const process = this.#take();
    try {
      return await process.run(withEmbeddedLibrary(task), deadline, onLine);
    } finally {
      this.#end(process);
    }
  }

  /** Runs tasks as they are; to probe a build, the library is not needed. */
  #nativeRun(command: string): RunTask {
    const { config, children } = this.#services;
    const services = { children, parent: config.scratch_directory };
    return (task, deadline, onLine) => runNative(services, command, task, deadline, onLine);
  }

  async #choose(): Promise<Build> {
    const { config } = this.#services;
    const build = await chooseBuild(config, spec, {
      version: (command) => this.#versionOf(command),
      features: (candidate) => this.#featuresOf(candidate),
    });
    if (build.kind === "wasm") return { ...build, version: embedded_version, command: "", solvers: embedded_solvers };
    removeStale(config.scratch_directory, "verdict-minizinc-");
    const { features, ...rest } = build;
    return { ...rest, ...features };
  }

  async #versionOf(command: string): Promise<string | undefined> {
    const output = await outputOf(this.#nativeRun(command), ["--version"]);
    return /version (\d+\.\d+\.\d+)/.exec(output)?.[1];
  }

  /** Determines a native build's capabilities; returns the reason as text if the build is unusable. */
  async #featuresOf({ command }: Candidate): Promise<Pick<Build, "solvers"> | string> {
    const run = this.#nativeRun(command);
    const listed = await outputOf(run, ["--solvers-json"]);
    if (listed === "too late") return "did not list its solvers in time";
    const solvers = readSolvers(listed);
    if (solvers.length === 0) return "has no solver";
    const reader = new Reader(1);
    const { ending } = await run(globals_sample, probeJob(), (line) => reader.take(line));
    if (reader.solutions_seen > 0) return { solvers };
    return isTooLate(ending) ? "did not solve a small model in time" : "does not solve a small model with globals.mzn";
  }
}

/** The version and the solvers that the npm package minizinc 4.5.1 contains, under the package's own names. */
const embedded_version = "2.10.0";
const embedded_solvers: readonly SolverInfo[] = [
  { id: "gecode", names: ["gecode"] },
  { id: "chuffed", names: ["chuffed"] },
  { id: "highs", names: ["highs"] },
  { id: "coin-bc", names: ["coin-bc", "cbc", "coinbc"] },
];

const SolverList = z.array(
  z.object({
    id: z.string(),
    version: z.string().default(""),
    tags: z.array(z.string()).default([]),
    isGUIApplication: z.boolean().default(false),
  }),
);

/** Reads the solvers that can be run: those without a window and with an installed library. */
function readSolvers(json: string): SolverInfo[] {
  const start = json.indexOf("[");
  if (start < 0) return [];
  const all = SolverList.parse(JSON.parse(json.slice(start)));
  const usable = all.filter(({ version, isGUIApplication }) => !isGUIApplication && !version.startsWith("<unknown"));
  return usable.map(({ id }) => {
    const short = id.replace(/^.*\./, "");
    return { id, names: /coin-?bc/.test(short) ? [short, "coin-bc", "cbc"] : [short] };
  });
}

function probeJob(): Deadline {
  return new Deadline(limits.probe_ms_max);
}

function isTooLate(ending: TaskEnd["ending"]): boolean {
  return ending.kind === "stopped" && ending.why === "deadline";
}

async function outputOf(run: RunTask, args: readonly string[]): Promise<string | "too late"> {
  const lines: string[] = [];
  const { ending } = await run({ files: {}, args, keeps: [] }, probeJob(), (line) => {
    lines.push(line);
  });
  if (isTooLate(ending)) return "too late";
  return ending.kind === "exited" && ending.code === 0 ? lines.join("\n") : "";
}
