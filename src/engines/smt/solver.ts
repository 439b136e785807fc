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

/** An environment of Python that holds a solver's wheel. It is made at its first use. */
export interface Wheels {
  /** The interpreter in it, made ready first where that is needed; "expired" when the time ran out meanwhile. */
  ready(deadline: Deadline, progress: (message: string) => void): Promise<{ readonly python: string } | "expired">;
  /** The interpreter, if the environment is there. */
  installed(): Promise<{ readonly python: string } | undefined>;
  /** What is being installed, or undefined. */
  installing(): Promise<{ readonly doing: string; readonly download_mb: number } | undefined>;
  close(): void;
}

export interface SmtServices {
  readonly config: Config;
  readonly children: Children;
  readonly slots: Slots;
  /** Where the wheels of solvers are that come as such. */
  readonly wheels?: Wheels;
}

/** A solver that reads SMT-LIB on stdin and answers on stdout, as data. */
export interface SmtSpec extends BuildSpec {
  /** How to start a native build, so that it reads commands one by one and bounds its own memory. */
  arguments(memory_mib: number): readonly string[];
  /** The built program of the embedded build, if any. */
  embedded?(config: Config): string;
  /** Whether it comes as a Python wheel; `python/verdict_smt` then makes a program of it. */
  readonly is_wheel?: boolean;
  /** What it reads of SMT-LIB; undefined is all that scripts may have, which is Z3's. */
  readonly dialect?: Dialect;
}

/** An SMT solver, native or embedded, behind one interface. Callers see no difference but the name of the engine. */
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
   * free and ready. Raises `busy` and `cancelled`.
   */
  async run<Result>(deadline: Deadline, work: (session: Session) => Promise<Result>): Promise<Result | "expired"> {
    return this.#services.slots.run(deadline, () => this.#run(deadline, work));
  }

  /** Runs one job in a slot that is free now and that no other call waits for; "busy" where there is none, or no longer. */
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

  /** How many slots are free now, for it and all others. */
  get free_slots(): number {
    return this.#services.slots.free;
  }

  /** How to install it, in words. */
  get install(): string {
    return this.#spec.install;
  }

  /** Whether it can be used without installing anything. */
  async isThere(): Promise<boolean> {
    return this.#programOf(await this.#chosen()).then((program) => program !== undefined);
  }

  /**
   * Sees to it that it can be used: what comes as a wheel is installed, in the background. Raises `busy` when the time
   * runs out before it is there, and the faults of an installation that fails.
   */
  async prepare(deadline: Deadline, progress: (message: string) => void): Promise<void> {
    const { wheels } = this.#services;
    if (!this.#spec.is_wheel || !wheels || (await this.isThere())) return;
    const ready = await wheels.ready(deadline, progress).catch((error: unknown) => {
      throw notInstalled(this.#spec, error);
    });
    if (ready === "expired") throw stillInstalling(this.#spec, await wheels.installing());
  }

  /** Runs jobs without a slot, for a call that already holds one and does several things in it. */
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

  /** Keeps a process for the next job if it can serve one; otherwise it is killed, and another one started. */
  async #end(session: Session): Promise<void> {
    const is_fresh = !this.#closed && (await session.renew());
    if (this.#pool) this.#pool.putBack(session, is_fresh);
    else session.discard();
  }

  async probe(): Promise<readonly EngineReport[]> {
    const build = await this.#chosen();
    // The environment that holds wheels reports on them.
    if (this.#spec.is_wheel && build.kind !== "native") return [];
    const program = await this.#programOf(build);
    return [reportOf(this.#spec, build, program && (await this.#greet(program, build.kind)))];
  }

  close(): void {
    this.#closed = true;
    this.#pool?.close();
    this.#services.wheels?.close();
  }

  /** A wheel starts in a tenth of a second, and waits for no job. */
  #warm(program: Program, kind: Build["kind"]): Pick<Pool<Session>, "take"> {
    if (this.#spec.is_wheel) return { take: () => this.#start(program, kind) };
    this.#pool ??= new Pool(() => this.#start(program, kind), this.#isKept(kind) ? this.#kept : {});
    return this.#pool;
  }

  /** Processes of the embedded build come back. */
  get #kept(): Partial<SparePolicy> {
    return { at_once: this.#services.config.solvers_at_once, refill_delay_ms: engine_limits.kept_refill_delay_ms };
  }

  /** The build to use, found out once. */
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

/** V8's own stack is small for nested formulas; that of a process of Windows is, too. In KB. */
const stack = process.platform === "win32" ? [] : ["--stack-size=3900"];

function stillInstalling({ title }: SmtSpec, installing: Awaited<ReturnType<Wheels["installing"]>>): Fault {
  const what = installing ? `(${installing.download_mb} MB, once): ${installing.doing}` : "in the background";
  return new Fault("busy", `${title} is being installed ${what}.`, [
    again("send the call again in a minute: the installation continues"),
    "or give the call a larger timeout_ms",
    'or use engine: "z3", which is there',
  ]);
}

/** The fault of an installation that failed, with what there is to install. */
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
