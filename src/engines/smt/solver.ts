import { join } from "node:path";
import type { Config } from "../../config.ts";
import { Deadline } from "../../kernel/deadline.ts";
import { cancelled, Fault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import type { Children, Program } from "../../kernel/process/child.ts";
import { Pool, type SparePolicy } from "../../kernel/process/pool.ts";
import type { Slots } from "../../kernel/process/slots.ts";
import { again } from "../../kernel/step.ts";
import { type Build, type BuildSpec, chooseBuild, reportOf } from "../build.ts";
import type { Engine, EngineReport } from "../engine.ts";
import { engine_limits } from "../limits.ts";
import type { Dialect } from "./dialect.ts";
import { Session } from "./session.ts";

/** A Python environment that contains a solver's wheel. It is created when it is first used. */
export interface Wheels {
  /**
   * Returns the environment's interpreter, and creates the environment first if necessary; "expired" if the time ran
   * out.
   */
  ready(deadline: Deadline, progress: (message: string) => void): Promise<{ readonly python: string } | "expired">;
  /** Returns the environment's interpreter, if the environment exists. */
  installed(): Promise<{ readonly python: string } | undefined>;
  /** Returns the progress of the current installation; undefined if there is none. */
  installing(): Promise<{ readonly doing: string; readonly download_mb: number } | undefined>;
  close(): void;
}

export interface SmtServices {
  readonly config: Config;
  readonly children: Children;
  readonly slots: Slots;
  /** The environment with the wheels of the solvers that are distributed as wheels. */
  readonly wheels?: Wheels;
}

/** Describes a solver that reads SMT-LIB on stdin and answers on stdout. */
export interface SmtSpec extends BuildSpec {
  /** The arguments that make a native build read commands one by one and limit its own memory. */
  arguments(memory_mib: number): readonly string[];
  /** The built program that runs the embedded build, if there is one. */
  embedded?(config: Config): string;
  /** Whether the solver comes as a Python wheel, which `python/verdict_smt` wraps in a program. */
  readonly is_wheel?: boolean;
  /** The part of SMT-LIB that the solver supports; undefined means everything that scripts may contain, as for Z3. */
  readonly dialect?: Dialect;
}

/**
 * An SMT solver, native or embedded, behind one interface. For callers, the builds differ only in the engine's name.
 */
export class SmtSolver implements Engine {
  readonly name: string;
  readonly title: string;
  readonly dialect: Dialect | undefined;
  readonly #spec: SmtSpec;
  readonly #services: SmtServices;
  #build: Promise<Build> | undefined;
  #pool: Pool<Session> | undefined;
  #closed = false;

  constructor(spec: SmtSpec, services: SmtServices) {
    this.name = spec.name;
    this.title = spec.title;
    this.dialect = spec.dialect;
    this.#spec = spec;
    this.#services = services;
  }

  /**
   * Runs one job in its own process, which ends with the job. Returns "expired" if the time ran out before a solver was
   * available. Raises `busy` and `cancelled`.
   */
  async run<Result>(deadline: Deadline, work: (session: Session) => Promise<Result>): Promise<Result | "expired"> {
    return this.#services.slots.run(deadline, () => this.#run(deadline, work));
  }

  /**
   * Runs one job in a slot that is free and that no other call is waiting for; returns "busy" if there is no such slot,
   * or no longer.
   */
  async runIfFree<Result>(
    deadline: Deadline,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result | "expired" | "busy"> {
    const stop = new AbortController();
    const release = this.#services.slots.borrow(() => stop.abort());
    if (!release) return "busy";
    const stoppable = deadline.withSignal(AbortSignal.any([deadline.signal, stop.signal]));
    try {
      return await this.#run(stoppable, work);
    } catch (error) {
      if (stop.signal.aborted && !deadline.signal.aborted) return "busy";
      throw error;
    } finally {
      release();
    }
  }

  /** The number of slots that are currently free, shared with all other solvers. */
  get free_slots(): number {
    return this.#services.slots.free;
  }

  /** Instructions for installing the solver. */
  get install(): string {
    return this.#spec.install;
  }

  /** Whether the solver can be used without installing anything. */
  async isThere(): Promise<boolean> {
    return this.#programOf(await this.#chosen()).then((program) => program !== undefined);
  }

  /**
   * Makes sure that the solver can be used: if it comes as a wheel, the wheel is installed in the background. Raises
   * `busy` if the time runs out before the solver is installed, and the faults of a failed installation.
   */
  async prepare(deadline: Deadline, progress: (message: string) => void): Promise<void> {
    const { wheels } = this.#services;
    if (!this.#spec.is_wheel || !wheels || (await this.isThere())) return;
    const ready = await wheels.ready(deadline, progress).catch((error: unknown) => {
      throw notInstalled(this.#spec, error);
    });
    if (ready === "expired") throw stillInstalling(this.#spec, await wheels.installing());
  }

  /** Runs jobs without taking a slot, for a call that already holds one and does several things in it. */
  readonly unqueued: Pick<SmtSolver, "run"> = { run: (deadline, work) => this.#run(deadline, work) };

  async #run<Result>(deadline: Deadline, work: (session: Session) => Promise<Result>): Promise<Result | "expired"> {
    let session: Session | undefined;
    try {
      const build = await deadline.within(this.#chosen());
      if (build === "expired") return build;
      const program = await this.#programOf(build);
      if (this.#closed) throw cancelled();
      if (!program) throw missing(this.#spec, build);
      session = this.#warm(program, build.kind).take();
      session.begin(deadline);
      return await work(session);
    } finally {
      if (session) await this.#end(session);
    }
  }

  /** Keeps a process for the next job if it can serve one; otherwise kills it and starts another one. */
  async #end(session: Session): Promise<void> {
    const is_fresh = !this.#closed && (await session.renew());
    if (this.#pool) this.#pool.putBack(session, is_fresh);
    else session.discard();
  }

  async probe(): Promise<readonly EngineReport[]> {
    const build = await this.#chosen();
    // The environment that contains the wheels reports on them.
    if (this.#spec.is_wheel && build.kind !== "native") return [];
    const program = await this.#programOf(build);
    return [reportOf(this.#spec, build, program && (await this.#greet(program, build.kind)))];
  }

  close(): void {
    this.#closed = true;
    this.#pool?.close();
    this.#services.wheels?.close();
  }

  /** Returns a source of warm processes. A wheel starts in a tenth of a second, so it is started only when needed. */
  #warm(program: Program, kind: Build["kind"]): Pick<Pool<Session>, "take"> {
    if (this.#spec.is_wheel) return { take: () => this.#start(program, kind) };
    this.#pool ??= new Pool(() => this.#start(program, kind), this.#isKept(kind) ? this.#kept : {});
    return this.#pool;
  }

  /** The pool's policy for the embedded build, whose processes are reused. */
  get #kept(): Partial<SparePolicy> {
    return { at_once: this.#services.config.solvers_at_once, refill_delay_ms: engine_limits.kept_refill_delay_ms };
  }

  /** The build to use, determined once. */
  #chosen(): Promise<Build> {
    this.#build ??= chooseBuild(this.#services.config, this.#spec, {
      version: (command) => this.#greet(this.#native(command), "native"),
      features: async () => ({}),
    });
    return this.#build;
  }

  #native(command: string): Program {
    const soft_memory_mib = Math.floor((limits.solver_rss_bytes_max * limits.solver_soft_memory_share) / 1024 ** 2);
    return { command, args: this.#spec.arguments(soft_memory_mib) };
  }

  async #programOf(build: Build): Promise<Program | undefined> {
    if (build.kind === "native") return this.#native(build.command);
    if (this.#spec.is_wheel) {
      const place = await this.#services.wheels?.installed();
      const driver = join(this.#services.config.python_directory, "verdict_smt");
      return place && { command: place.python, args: ["-I", "-B", driver, this.name] };
    }
    const host = this.#spec.embedded?.(this.#services.config);
    return host ? { command: process.execPath, args: [...stack, host] } : undefined;
  }

  /** Starts a program to get its version; undefined if it prints none. */
  async #greet(program: Program, kind: Build["kind"]): Promise<string | undefined> {
    const session = this.#start(program, kind);
    const left_ms = kind === "wasm" ? limits.own_probe_ms_max : limits.probe_ms_max;
    session.begin(new Deadline(left_ms));
    try {
      return await session.version;
    } finally {
      session.discard();
    }
  }

  #start(program: Program, kind: Build["kind"]): Session {
    const shown = kind === "wasm" && this.#spec.is_wheel ? "python" : kind;
    const child = this.#services.children.start(program);
    return new Session(child, { name: this.name, kind: shown, is_renewable: this.#isKept(kind) });
  }

  /** Whether a process of this build can serve another call. */
  #isKept(kind: Build["kind"]): boolean {
    return kind === "wasm" && this.#spec.embedded !== undefined;
  }
}

/**
 * The stack size in KB: V8's default stack is too small for nested formulas. On Windows, the process's own stack is
 * small, too.
 */
const stack = process.platform === "win32" ? [] : ["--stack-size=3900"];

function stillInstalling({ title }: SmtSpec, installing: Awaited<ReturnType<Wheels["installing"]>>): Fault {
  const what = installing ? `(${installing.download_mb} MB, once): ${installing.doing}` : "in the background";
  return new Fault("busy", `${title} is being installed ${what}.`, [
    again("send the call again in a minute: the installation continues"),
    "or give the call a larger timeout_ms",
    'or use engine: "z3", which is there',
  ]);
}

/** The fault for a failed installation; it says what to install. */
function notInstalled({ title, install }: SmtSpec, error: unknown): unknown {
  if (!(error instanceof Fault) || error.code === "cancelled") return error;
  const message = `${title} is not installed, and could not be: ${error.message}`;
  return error.with({ message, steps: [...error.all_steps, `${install} installs it ahead`, 'or use engine: "z3"'] });
}

function missing({ title, variable, install }: SmtSpec, { why }: Build): Fault {
  return new Fault("engine_missing", `${title} is not there: ${why}.`, [
    `ask the user to install ${title} (${install})`,
    `or to name it in ${variable}`,
  ]);
}
