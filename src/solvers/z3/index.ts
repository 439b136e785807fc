import type { Config } from "../../config.ts";
import type { Children, Job, Program } from "../../kernel/child.ts";
import { cancelled } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import { Pool, type Slots } from "../../kernel/pool.ts";
import { within } from "../../kernel/within.ts";
import type { Engine, EngineReport } from "../engine.ts";
import { type Candidate, isTrusted, nativeCandidates, oldest_trusted } from "./native.ts";
import { Session } from "./session.ts";

export interface Z3Services {
  readonly config: Config;
  readonly children: Children;
  readonly slots: Slots;
}

/** The build in use: how to start it, and why it was taken. */
interface Build {
  readonly kind: "native" | "wasm";
  readonly program: Program;
  readonly why: string;
}

const z3_soft_memory_mib = Math.floor((limits.solver_rss_bytes_max * limits.solver_soft_memory_share) / 1024 ** 2);

/**
 * Z3, native or embedded, behind one pipe. Who asks can't tell which one answers, but for the
 * engine's name.
 */
export class Z3 implements Engine {
  readonly name = "z3";
  readonly #services: Z3Services;
  #build: Promise<Build> | undefined;
  #pool: Pool<Session> | undefined;
  #closed = false;

  constructor(services: Z3Services) {
    this.#services = services;
  }

  /**
   * Runs one job in a process of its own, which ends with the job. Gives "expired" when the time
   * ran out before a solver was free and ready. Raises `busy` and `cancelled`.
   */
  async run<Result>(job: Job, work: (session: Session) => Promise<Result>): Promise<Result | "expired"> {
    const until = performance.now() + job.left_ms;
    const release = await this.#services.slots.turn(job);
    try {
      return await this.#run({ left_ms: Math.max(0, until - performance.now()), signal: job.signal }, work);
    } finally {
      release();
    }
  }

  /** Runs jobs at once, for a call that has its turn at the processor already and does several things in it. */
  readonly beside: Pick<Z3, "run"> = { run: (job, work) => this.#run(job, work) };

  async #run<Result>(job: Job, work: (session: Session) => Promise<Result>): Promise<Result | "expired"> {
    const until = performance.now() + job.left_ms;
    const rest = () => ({ left_ms: Math.max(0, until - performance.now()), signal: job.signal });
    let session: Session | undefined;
    try {
      const build = await within(rest(), this.#chosen());
      if (build === "expired") return build;
      if (this.#closed) throw cancelled();
      session = this.#warm(build).take();
      session.begin(rest());
      return await work(session);
    } finally {
      session?.discard();
    }
  }

  async probe(): Promise<readonly EngineReport[]> {
    const how_to_get =
      "The embedded build comes with Verdict. A native one is faster: install Z3 4.12 or newer (for instance `pip install z3-solver`) on PATH, or name it in VERDICT_Z3.";
    const common = {
      name: this.name,
      how_to_get,
      isolation: "a process of its own for every solve; no sandbox, no user code runs in it",
    };
    const { kind, program, why } = await this.#chosen();
    const version = await this.#greet(program, kind);
    if (version === undefined)
      return [{ ...common, found: false, kind: "none", version: null, why: `${why}, but it does not answer` }];
    return [{ ...common, found: true, kind, version, why }];
  }

  close(): void {
    this.#closed = true;
    this.#pool?.close();
  }

  #warm(build: Build): Pool<Session> {
    const policy = {
      spares_max: limits.spares_max,
      idle_ms_max: limits.spare_idle_ms_max,
      refill_delay_ms: limits.spare_refill_delay_ms,
    };
    this.#pool ??= new Pool(() => this.#start(build.program, build.kind), policy);
    return this.#pool;
  }

  /** The build to use, found out once. */
  #chosen(): Promise<Build> {
    this.#build ??= this.#choose();
    return this.#build;
  }

  async #choose(): Promise<Build> {
    const { config } = this.#services;
    const rejected: string[] = [];
    for (const candidate of nativeCandidates(config)) {
      const program = nativeProgram(candidate);
      const version = await this.#greet(program, "native");
      if (version === undefined) rejected.push(`the one of ${candidate.source} does not answer`);
      else if (!candidate.chosen && !isTrusted(version)) rejected.push(tooOld(version, candidate));
      else return { kind: "native", program, why: `native, found by ${candidate.source}` };
    }
    const reason = config.z3 === "wasm" ? "chosen by VERDICT_Z3" : rejected.join("; ") || "no native one was found";
    return {
      kind: "wasm",
      program: { command: process.execPath, args: [config.z3_wasm_host] },
      why: `embedded: ${reason}`,
    };
  }

  /** Starts a program to hear its version; undefined when it tells none. */
  async #greet(program: Program, kind: Build["kind"]): Promise<string | undefined> {
    const session = this.#start(program, kind);
    const left_ms = kind === "wasm" ? limits.own_probe_ms_max : limits.probe_ms_max;
    session.begin({ left_ms, signal: new AbortController().signal });
    try {
      return versionOf(await session.engine);
    } finally {
      session.discard();
    }
  }

  #start(program: Program, kind: Build["kind"]): Session {
    const { stdout_bytes_max, stderr_bytes_max, solver_rss_bytes_max } = limits;
    const bounds = { stdout_bytes_max, stderr_bytes_max, rss_bytes_max: solver_rss_bytes_max };
    return new Session(this.#services.children.start(program, bounds), kind);
  }
}

function nativeProgram(candidate: Candidate): Program {
  return { command: candidate.command, args: ["-in", `-memory:${z3_soft_memory_mib}`] };
}

function tooOld(version: string, candidate: Candidate): string {
  return `the one of ${candidate.source} is ${version}, older than ${oldest_trusted.join(".")} (VERDICT_Z3 forces it)`;
}

/** "5.1.0" out of "z3 5.1.0 (native)". */
function versionOf(engine: string | undefined): string | undefined {
  return /^z3 (\S+)/.exec(engine ?? "")?.[1];
}
