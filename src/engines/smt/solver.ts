import type { Config } from "../../config.ts";
import { Deadline } from "../../kernel/deadline.ts";
import { cancelled, Fault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import type { Children, Program } from "../../kernel/process/child.ts";
import { Pool, type Slots } from "../../kernel/process/pool.ts";
import { type Build, type BuildSpec, chooseBuild, reportOf } from "../build.ts";
import type { Engine, EngineReport } from "../engine.ts";
import { Session } from "./session.ts";

export interface SmtServices {
  readonly config: Config;
  readonly children: Children;
  readonly slots: Slots;
}

/** A solver that reads SMT-LIB on stdin and answers on stdout, as data. */
export interface SmtSpec extends BuildSpec {
  /** How to start a native build, so that it reads commands one by one and bounds its own memory. */
  arguments(memory_mib: number): readonly string[];
  /** The built program of the embedded build, where there is one. */
  embedded?(config: Config): string;
}

const soft_memory_mib = Math.floor((limits.solver_rss_bytes_max * limits.solver_soft_memory_share) / 1024 ** 2);

/** An SMT solver, native or embedded, behind one interface. Callers see no difference but the name of the engine. */
export class SmtSolver implements Engine {
  readonly name: string;
  readonly #spec: SmtSpec;
  readonly #services: SmtServices;
  #build: Promise<Build> | undefined;
  #pool: Pool<Session> | undefined;
  #closed = false;

  constructor(spec: SmtSpec, services: SmtServices) {
    this.name = spec.name;
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

  /** Runs jobs without a slot, for a call that already holds one and does several things in it. */
  readonly beside: Pick<SmtSolver, "run"> = { run: (deadline, work) => this.#run(deadline, work) };

  async #run<Result>(deadline: Deadline, work: (session: Session) => Promise<Result>): Promise<Result | "expired"> {
    let session: Session | undefined;
    try {
      const build = await deadline.within(this.#chosen());
      if (build === "expired") return build;
      if (this.#closed) throw cancelled();
      session = this.#warm(build).take();
      session.begin(deadline);
      return await work(session);
    } finally {
      session?.discard();
    }
  }

  async probe(): Promise<readonly EngineReport[]> {
    const build = await this.#chosen();
    const program = this.#programOf(build);
    return [reportOf(this.#spec, build, program && (await this.#greet(program, build.kind)))];
  }

  close(): void {
    this.#closed = true;
    this.#pool?.close();
  }

  /** Raises `engine_missing` where there is neither a native build nor an embedded one. */
  #warm(build: Build): Pool<Session> {
    if (this.#pool) return this.#pool;
    const program = this.#programOf(build);
    if (!program) throw missing(this.#spec, build);
    this.#pool = new Pool(() => this.#start(program, build.kind));
    return this.#pool;
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
    return { command, args: this.#spec.arguments(soft_memory_mib) };
  }

  #programOf(build: Build): Program | undefined {
    if (build.kind === "native") return this.#native(build.command);
    const host = this.#spec.embedded?.(this.#services.config);
    return host ? { command: process.execPath, args: [host] } : undefined;
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
    return new Session(this.#services.children.start(program), { name: this.name, kind });
  }
}

function missing({ title, variable, install }: SmtSpec, { why }: Build): Fault {
  return new Fault("engine_missing", `${title} is not there: ${why}.`, [
    `ask the user to install ${title} (${install})`,
    `or to name it in ${variable}`,
  ]);
}
