import type { Config } from "../../config.ts";
import { Deadline } from "../../kernel/deadline.ts";
import { cancelled } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import type { Program } from "../../kernel/process/child.ts";
import { Pool } from "../../kernel/process/pool.ts";
import { type Finished, runToEnd } from "../../kernel/process/run.ts";
import { Slots } from "../../kernel/process/slots.ts";
import { type Build, type BuildSpec, chooseBuild, isOutdated, reportOf } from "../build.ts";
import type { Engine, EngineReport, EngineServices } from "../engine.ts";
import { engine_limits } from "../limits.ts";
import { programsOnPath } from "../places.ts";
import { check, codeOf, type Unanswered } from "./check.ts";
import { exit_codes } from "./exit_codes.ts";
import { Host, type Question } from "./host.ts";
import type { Message } from "./messages.ts";
import { type ClingoAnswer, costWatch, readClingo } from "./read.ts";

export interface Solved {
  readonly answer: ClingoAnswer;
  /** The engine's name and version, such as "clingo 5.8.1 (wasm)". */
  readonly engine: string;
  /** The reason why this build's answers are not always trustworthy. */
  readonly doubt?: string;
}

/**
 * Whether a program has an answer set; undefined if the time ran out or there was no verdict. `mode` is clingo's
 * --opt-mode; by default, costs are ignored.
 */
export type AskShortly = (program: string, mode?: string) => Promise<"sat" | "unsat" | undefined>;

/** Grounds a program and receives each output line. Returns whether it finished within its limits. */
export type GroundShortly = (program: string, onLine: (line: string) => void) => Promise<boolean>;

const grounding = ["--mode=gringo", "--text"];

const spec: BuildSpec = {
  name: "clingo",
  title: "clingo",
  variable: "VERDICT_CLINGO",
  // Older versions give wrong answers. 5.4 treats `not` before an aggregate without bounds as true, and evaluates A+0
  // to A even if A is a name. Up to 5.6, integer bounds overflow in comparisons (see libgringo's tests in 5.8).
  oldest: [5, 7],
  advantage: "is faster",
  install: "for instance `conda install clingo`, or `apt install gringo` from Debian 13 on",
  isolation:
    "a separate process while it solves, in which the embedded build uses a new instance for each call; scripts, includes and external functions are rejected before it starts",
};

/**
 * Up to 5.8.3, clingo's equivalence preprocessing loses answer sets if a program has aggregates in rule heads. Without
 * this option, 3 of 2,242 random programs had too few answer sets; with it, none did.
 */
const without_equivalences = ["--eq=0"];

/** Explains why an outdated build that the user selected is not trusted. */
function outdated(version: string): string {
  return `clingo ${version} can return wrong answers, so it is used only because VERDICT_CLINGO points to it: the user can unset that variable, or point it to clingo ${spec.oldest.join(".")} or newer.`;
}

/** How to start a build. */
type Started = { readonly kind: "wasm" } | { readonly kind: "native"; readonly command: string };

/**
 * clingo, native or embedded, behind one interface. Checks and short questions always run on the embedded build, which
 * answers many of them in one process.
 */
export class Clingo implements Engine {
  readonly name = "clingo";
  readonly #services: EngineServices;
  /** Checks run one at a time, so that together they use no more processes than a single call. */
  readonly #check_turns = new Slots(1, limits.changes_waiting_max);
  readonly #hosts: Pool<Host>;
  #build: Promise<Build> | undefined;
  #closed = false;

  constructor(services: EngineServices) {
    this.#services = services;
    const program = { command: process.execPath, args: [services.config.clingo_wasm_host] };
    this.#hosts = new Pool(() => new Host(services.children.start(program)), {
      at_once: services.config.solvers_at_once,
      refill_delay_ms: engine_limits.kept_refill_delay_ms,
    });
  }

  /**
   * Runs one job in its own process; `onCosts` receives the costs of each answer set as soon as it is found. Returns
   * "expired" if the time ran out before a solver was free. Raises `busy` and `cancelled`.
   */
  async run(
    deadline: Deadline,
    question: Question,
    onCosts: (costs: readonly number[]) => void = () => {},
  ): Promise<Solved | "expired"> {
    return this.#services.slots.run(deadline, async () => {
      const build = await deadline.within(this.#chosen());
      if (build === "expired") return build;
      if (this.#closed) throw cancelled();
      const full_question = { ...question, args: ["--outf=2", "--stats", ...without_equivalences, ...question.args] };
      const finished = await this.#finish(build, full_question, deadline, costWatch(onCosts));
      if (deadline.signal.aborted || this.#closed) throw cancelled();
      if (finished.stderr !== "" && finished.ending.kind === "signalled") console.error(finished.stderr);
      const answer = readClingo(finished);
      const doubt = build.kind === "native" && isOutdated(build.version, spec) ? outdated(build.version) : undefined;
      return {
        answer,
        ...(doubt && { doubt }),
        engine: `clingo${answer.version ? ` ${answer.version}` : ""} (${build.kind})`,
      };
    });
  }

  /**
   * Grounds a program; `onLine` receives each line of the output. Returns whether grounding finished within its limits.
   * Raises `busy` and `cancelled`.
   */
  async ground(deadline: Deadline, program: string, onLine: (line: string) => void): Promise<boolean> {
    const ended = await this.#services.slots.run(deadline, async () => {
      const build = await deadline.within(this.#chosen());
      if (build === "expired") return build;
      if (this.#closed) throw cancelled();
      const { ending } = await this.#finish(build, { program, args: grounding }, deadline, onLine);
      if (deadline.signal.aborted || this.#closed) throw cancelled();
      return ending.kind === "exited" && ending.code === 0;
    });
    return ended === true;
  }

  /**
   * Does some work that asks many short questions in one process; the deadline applies to all of them together. Raises
   * `busy` and `cancelled`.
   */
  async askMany<Result>(
    deadline: Deadline,
    work: (ask: AskShortly, ground: GroundShortly) => Promise<Result>,
  ): Promise<Result> {
    return this.#services.slots.run(deadline, () =>
      this.#inHost((host) => {
        const ask: AskShortly = async (program, mode = "ignore") => {
          const args = ["--outf=3", ...without_equivalences, `--opt-mode=${mode}`];
          const code = codeOf(await host.run({ program, args }, deadline), deadline);
          if (code === exit_codes.unsat) return "unsat";
          return code === exit_codes.sat || code === exit_codes.exhausted ? "sat" : undefined;
        };
        const ground: GroundShortly = async (program, onLine) =>
          codeOf(await host.run({ program, args: grounding }, deadline, onLine), deadline) === exit_codes.grounded;
        return work(ask, ground);
      }),
    );
  }

  /**
   * Returns clingo's messages about a program, without grounding it; undefined if clingo crashed, "expired" if it took
   * too long, or "stalled" if it was suspended from outside. Raises `cancelled`.
   */
  async check(program: string, deadline: Deadline): Promise<readonly Message[] | Unanswered> {
    const release = await this.#check_turns.take(deadline);
    if (release === "expired") return release;
    try {
      const first = await this.#check(program, deadline);
      // A process that was suspended or killed from outside says nothing about the program, so another one is tried.
      return Array.isArray(first) || deadline.is_over ? first : await this.#check(program, deadline);
    } finally {
      release();
    }
  }

  async #check(program: string, deadline: Deadline): Promise<readonly Message[] | Unanswered> {
    if (this.#closed) throw cancelled();
    return this.#inHost((host) => check(host, program, deadline.atMost(engine_limits.asp_check_ms_max)));
  }

  /** Does one call's work in a process, which serves another call afterwards if possible. */
  async #inHost<Result>(work: (host: Host) => Promise<Result>): Promise<Result> {
    const host = this.#hosts.take();
    try {
      return await work(host);
    } finally {
      this.#hosts.putBack(host, host.renew());
    }
  }

  async probe(): Promise<readonly EngineReport[]> {
    const build = await this.#chosen();
    return [reportOf(spec, build, await this.#versionOf(build))];
  }

  close(): void {
    this.#closed = true;
    this.#hosts.close();
  }

  /** Runs a question to its end in a process that does nothing else at the same time. */
  async #finish(
    build: Started,
    question: Question,
    deadline: Deadline,
    onLine: (line: string) => void,
  ): Promise<Finished> {
    if (build.kind === "native") {
      const { children, config } = this.#services;
      const child = children.start(nativeProgram(config, build.command, question.args));
      child.write(question.program);
      return runToEnd(child, deadline, onLine);
    }
    return this.#inHost((host) => host.run(question, deadline, onLine));
  }

  /** The build to use, determined once. */
  #chosen(): Promise<Build> {
    this.#build ??= chooseBuild(this.#services.config, spec, {
      version: (command) => this.#versionOf({ kind: "native", command }),
      features: async () => ({}),
    });
    return this.#build;
  }

  /** Starts a build to get its version; undefined if it prints none. */
  async #versionOf(build: Started): Promise<string | undefined> {
    const left_ms = build.kind === "wasm" ? limits.own_probe_ms_max : limits.probe_ms_max;
    const deadline = new Deadline(left_ms);
    const { stdout } = await this.#finish(build, { program: "", args: ["--version"] }, deadline, () => {});
    return /^clingo version (\S+)/.exec(stdout)?.[1];
  }
}

/**
 * Returns how to start a native clingo. It buffers its answer sets until it ends, so killing it would lose them; with
 * `stdbuf`, each line arrives at once.
 */
function nativeProgram(config: Config, command: string, args: readonly string[]): Program {
  const [stdbuf] = programsOnPath(config, "stdbuf");
  return stdbuf === undefined ? { command, args } : { command: stdbuf, args: ["-oL", command, ...args] };
}
