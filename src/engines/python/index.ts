import { existsSync } from "node:fs";
import { join } from "node:path";
import { Deadline } from "../../kernel/deadline.ts";
import { cancelled, Fault, notRead, readTooLong, stoppedFromOutside } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import type { Child } from "../../kernel/process/child.ts";
import { Pool } from "../../kernel/process/pool.ts";
import { again } from "../../kernel/step.ts";
import type { Engine, EngineReport, EngineServices } from "../engine.ts";
import { engine_limits } from "../limits.ts";
import type { ChangesAnswer, PairAnswer, Version } from "./checker/changes.ts";
import { type CheckedModel, Checker, type Unanswered } from "./checker/index.ts";
import { behindWalls, expectWalls, withIsolation } from "./confinement.ts";
import { type Discarded, PythonEnvironment } from "./environment.ts";
import { ForkServer, type OnResult, type ProgramJob } from "./fork_server.ts";
import { FreshProcess } from "./fresh_process.ts";
import { isShort } from "./health.ts";
import { type Group, groupOf, groupsOf, packagesOf } from "./packages.ts";
import type { CheckAnswer, JobReply, Ready, SyntaxAnswer, TextPart } from "./talk.ts";
import type { Environment } from "./whole_environment.ts";

/** A process that has imported one language's packages and runs its programs. */
type Runner = ForkServer | FreshProcess;

/**
 * Where a process runs: its environment, and the directories of other environments whose packages it can import after
 * its own.
 */
interface Home {
  readonly environment: Environment;
  readonly also: readonly string[];
}

/** Runs one program in its own process, as `Python.run` does. */
export type RunProgram = (
  language: string,
  program: ProgramJob,
  deadline: Deadline,
  onResult?: OnResult,
) => Promise<ProgramReply | "expired">;

/** The result of one program, and the versions of the engines that ran it. */
export interface ProgramReply extends JobReply {
  readonly versions: Ready["versions"];
}

/**
 * CPython for the Python-based modelling languages: one process that checks models, and one process per language that
 * holds the language's imports and runs programs in a sandbox.
 */
export class Python implements Engine {
  readonly name = "python";
  readonly environment: PythonEnvironment;
  /** The environments of the package groups, by name. */
  readonly #of_groups = new Map<string, PythonEnvironment>();
  readonly #services: EngineServices;
  readonly #groups = new Map<string, { readonly group: Group }>();
  #checker: Checker | undefined;
  readonly #servers = new Map<string, ForkServer>();
  readonly #pools = new Map<string, Pool<FreshProcess>>();
  #closed = false;

  constructor(services: EngineServices) {
    this.#services = services;
    this.environment = new PythonEnvironment({ ...services, in_background: true });
  }

  /**
   * Checks the items of a model without running them. Raises `engine_missing`, `cancelled`, and `input_rejected` for a
   * text that crashes Python's parser.
   */
  async check(model: CheckedModel, deadline: Deadline): Promise<CheckAnswer> {
    const chars = model.items.reduce((sum, item) => sum + item.length, 0);
    return this.#read(chars, deadline, (checker, bounded) => checker.check(model, bounded));
  }

  /**
   * Parses a text, or part of it, into Python's syntax tree, without running any of it. Raises the same faults as
   * `check`.
   */
  async syntax(text: string, deadline: Deadline, part: TextPart = {}): Promise<SyntaxAnswer> {
    return this.#read(text.length, deadline, (checker, bounded) => checker.syntax(text, part, bounded));
  }

  /**
   * Lists the functions that differ between two versions of a module; one version can be missing. Runs no code. Raises
   * the same faults as `check`.
   */
  async changes(base: string | null, head: string | null, deadline: Deadline): Promise<ChangesAnswer> {
    const chars = (base?.length ?? 0) + (head?.length ?? 0);
    return this.#read(chars, deadline, (checker, bounded) => checker.changes(base, head, bounded));
  }

  /**
   * Returns both versions of a function, or the only one, each with the code that it uses. Runs no code. Raises the
   * same faults as `check`.
   */
  async pair(base: Version | null, head: Version, deadline: Deadline): Promise<PairAnswer> {
    const chars = (base?.text.length ?? 0) + head.text.length;
    return this.#read(chars, deadline, (checker, bounded) => checker.pair(base, head, bounded));
  }

  /**
   * Parses a text of limited length. A checker that was suspended or killed from outside says nothing about the text,
   * so a fresh one is tried.
   */
  async #read<Answer>(
    chars: number,
    deadline: Deadline,
    ask: (checker: Checker, bounded: Deadline) => Promise<Answer | Unanswered>,
  ): Promise<Answer> {
    const attempt = async () => {
      const bounded = deadline.atMost(engine_limits.python_check_ms_max);
      const checker = await this.#checkerOf(bounded);
      if (checker === "expired") throw notRead("Python's parser");
      return ask(checker, bounded);
    };
    let answer = await attempt();
    if ((answer === undefined || answer === "stalled") && !deadline.is_over) {
      this.#checker?.discard();
      this.#checker = undefined;
      answer = await attempt();
    }
    if (answer === "stalled") throw stoppedFromOutside("the process that reads models");
    if (answer === "too_long") throw takesTooLong();
    if (answer === "expired") throw readTooLong("Python's parser", chars, smaller);
    if (answer === undefined) throw unreadable();
    return answer;
  }

  /** Warms up what a program in this language needs, without waiting for it. */
  prepare(language: string): void {
    const deadline = new Deadline(engine_limits.python_setup_ms_max);
    const ready = this.environmentFor(language).then((place) => place.ready(deadline, () => {}));
    Promise.all([ready, this.#alsoOf(language)]).then(
      ([environment, also]) => {
        if (environment === "expired" || this.#closed) return;
        if (this.#services.config.python_forks) this.#server(language, { environment, also });
      },
      // A failure is reported to the calls that need the environment; the warm-up only shortens their wait.
      () => {},
    );
  }

  /**
   * Runs a program in its own process, which ends with the job. Returns "expired" if the time ran out before the
   * program could start. Raises `engine_missing`, `engine_failed`, `busy`, `cancelled`.
   */
  async run(
    language: string,
    program: ProgramJob,
    deadline: Deadline,
    progress: (message: string) => void,
  ): Promise<ProgramReply | "expired"> {
    return this.turn(deadline, progress, (run) => run(language, program, deadline), language);
  }

  /**
   * Takes one slot, in which a call can run several programs, even in parallel. `use` receives a function that runs a
   * program in `language`, or in another language with the same packages. Returns "expired" if the time ran out before
   * the slot was free. Raises the same faults as `run`.
   */
  async turn<Result>(
    deadline: Deadline,
    progress: (message: string) => void,
    use: (run: RunProgram) => Promise<Result>,
    language = "",
  ): Promise<Result | "expired"> {
    const run = await this.beside(language, deadline, progress);
    return run === "expired" ? run : this.#services.slots.run(deadline, () => use(run));
  }

  /**
   * Returns a function that runs programs in `language` for a call that already has a slot. Returns "expired" if the
   * time ran out before the packages were installed. Raises `engine_missing`, `engine_failed`, `cancelled`.
   */
  async beside(
    language: string,
    deadline: Deadline,
    progress: (message: string) => void = () => {},
  ): Promise<RunProgram | "expired"> {
    const place = await this.environmentFor(language);
    const environment = await place.ready(deadline, progress);
    const installing = environment === "expired" ? await place.installing() : undefined;
    if (installing) throw stillInstalling(installing);
    if (environment === "expired") return environment;
    const also = await this.#alsoOf(language);
    return (program_of, program, bounded, onResult) =>
      this.#run({ place, environment, also }, program_of, program, bounded, onResult);
  }

  /** Whether the packages of a language are installed. Returns false if that can't be determined at the moment. */
  async has(language: string): Promise<boolean> {
    try {
      return (await (await this.environmentFor(language)).installed()) !== undefined;
    } catch (error) {
      if (error instanceof Fault) return false;
      throw error;
    }
  }

  /**
   * Returns the environment with a language's packages; for a language without a package group, the common environment.
   */
  async environmentFor(language: string): Promise<PythonEnvironment> {
    const group = await this.#groupOf(language);
    return group === undefined ? this.environment : this.#environmentOf(group);
  }

  /** Returns a language's package group. It is looked up only once, since a warm call takes only a few milliseconds. */
  async #groupOf(language: string): Promise<Group> {
    const known = this.#groups.get(language);
    if (known) return known.group;
    const group = await groupOf(this.#services.config, language);
    this.#groups.set(language, { group });
    return group;
  }

  /** Returns the directories of other installed environments whose packages the language's programs can import. */
  async #alsoOf(language: string): Promise<readonly string[]> {
    const { config } = this.#services;
    const group = await this.#groupOf(language);
    if (group === undefined) return [];
    const { also } = await packagesOf(config, group);
    const places = also.map((name) => (name === "common" ? this.environment : this.#environmentOf(name)));
    const environments = await Promise.all(places.map((place) => place.installed()));
    return environments.flatMap((environment) => (environment ? [environment.directory] : []));
  }

  #environmentOf(group: string): PythonEnvironment {
    const known = this.#of_groups.get(group);
    if (known) return known;
    const environment = new PythonEnvironment({ ...this.#services, group, in_background: true });
    this.#of_groups.set(group, environment);
    return environment;
  }

  async #run(
    { place, environment, also }: Home & { readonly place: PythonEnvironment },
    language: string,
    program: ProgramJob,
    deadline: Deadline,
    onResult?: OnResult,
  ): Promise<ProgramReply | "expired"> {
    // A process that died while it was idle, or that could not be started at the moment, says nothing about the next
    // one.
    for (const last_try of [false, true]) {
      const runner = this.#runner(language, { environment, also });
      try {
        const ready = await deadline.within(runner.ready);
        if (ready === "expired") return "expired";
        if (this.#closed) throw cancelled();
        if (!ready && last_try) throw await this.#broken(runner, place);
        if (!ready) continue;
        if (!program.is_data) expectWalls(ready, this.#services.config);
        await place.inUse(environment);
        const { workers = this.#workers() } = program;
        return { ...(await runner.run({ ...program, workers }, deadline, onResult)), versions: ready.versions };
      } finally {
        if (runner instanceof FreshProcess) runner.discard();
      }
    }
    throw new Error("the last attempt neither succeeded nor failed");
  }

  /**
   * The number of CP-SAT workers: one on a single processor. Otherwise, as many as there are free processors, including
   * the call's own, but at least enough to run all of CP-SAT's strategies. Even on two processors, it proves more with
   * them (docs/benchmarks.md).
   */
  #workers(): number {
    const processors = 1 + Math.max(0, this.#services.slots.free);
    return processors === 1 ? 1 : Math.max(processors, engine_limits.cp_sat_workers_min);
  }

  /** Reports on Python and each of its engines, with the isolation that this machine actually provides. */
  async probe(): Promise<readonly EngineReport[]> {
    const groups = await groupsOf(this.#services.config);
    const all = [this.environment, ...groups.map((group) => this.#environmentOf(group))];
    const reports = (await Promise.all(all.map((each) => each.probe()))).flat();
    const environment = await this.environment.installed();
    const { engines } = await packagesOf(this.#services.config);
    // All programs have the same sandbox layers, so the first program's report applies to all of them.
    const engine = engines.find(({ optional }) => optional === undefined);
    if (!environment || !engine) return reports;
    const home = { environment, also: [] };
    const forks = this.#services.config.python_forks;
    const runner = forks ? this.#forkServer(engine.id, home) : this.#freshProcess(engine.id, home);
    const ready = await probeJob().within(runner.ready);
    runner.discard();
    const known = ready === "expired" ? undefined : ready;
    return reports.map((report) =>
      report.name === this.name ? report : withIsolation(report, known, this.#services.config),
    );
  }

  close(): void {
    this.#closed = true;
    this.environment.close();
    for (const environment of this.#of_groups.values()) environment.close();
    this.#checker?.discard();
    for (const server of this.#servers.values()) server.discard();
    for (const pool of this.#pools.values()) pool.close();
  }

  async #checkerOf(deadline: Deadline): Promise<Checker | "expired"> {
    if (this.#checker?.alive) return this.#checker;
    const command = await this.#anyPython(deadline);
    if (command === "expired") return command;
    if (!this.#checker?.alive) {
      this.#checker?.discard();
      const args = ["-I", "-S", "-B", this.#program(), "check"];
      this.#checker = new Checker(this.#services.children.start({ command, args }, bounds));
    }
    return this.#checker;
  }

  /**
   * Returns the Python to check with: the one that will run the programs, since a text's meaning depends on the
   * version. Without an environment, this is the interpreter from which the environment will be created.
   */
  async #anyPython(deadline: Deadline): Promise<string | "expired"> {
    const environment = await this.environment.installed();
    if (environment && existsSync(environment.python)) return environment.python;
    const interpreter = await this.environment.interpreter(deadline);
    return interpreter === "expired" ? interpreter : interpreter.python;
  }

  #runner(language: string, home: Home): Runner {
    return this.#services.config.python_forks ? this.#server(language, home) : this.#pool(language, home).take();
  }

  #server(language: string, home: Home): ForkServer {
    const known = this.#servers.get(language);
    if (known?.alive) return known;
    known?.discard();
    const server = this.#forkServer(language, home);
    this.#servers.set(language, server);
    return server;
  }

  #pool(language: string, home: Home): Pool<FreshProcess> {
    const known = this.#pools.get(language);
    if (known) return known;
    const pool = new Pool(() => this.#freshProcess(language, home));
    this.#pools.set(language, pool);
    return pool;
  }

  #forkServer(language: string, home: Home): ForkServer {
    return new ForkServer(this.#start(language, "fork", home, bounds));
  }

  #freshProcess(language: string, home: Home): FreshProcess {
    return new FreshProcess(this.#start(language, "once", home, one_job_bounds));
  }

  #start(
    language: string,
    mode: "fork" | "once",
    { environment, also }: Home,
    within: { stdout_bytes_max: number },
  ): Child {
    const { config, children } = this.#services;
    const args = ["-I", "-B", this.#program(), language, mode, ...also];
    const places = [...environment.reads, ...also, config.python_directory];
    return children.start(behindWalls({ command: environment.python, args }, places, config), within);
  }

  #program(): string {
    return join(this.#services.config.python_directory, "verdict_runner");
  }

  async #broken(runner: Runner, place: PythonEnvironment): Promise<Fault> {
    console.error(runner.stderr);
    const discarded = await place.discard();
    return notStarted(discarded === "good" && isShort(runner.stderr) ? "unclear" : discarded);
  }
}

/** The fault for an environment in which no process could be started. */
function notStarted(discarded: Discarded): Fault {
  const { why, steps } = {
    gone: {
      why: "Verdict's private Python environment no longer works.",
      steps: [again("send the call again: the environment is then recreated")],
    },
    "in use": {
      why: "Verdict's private Python environment does not work for this server, but another server is using it.",
      steps: [again("send the call again"), "if it fails again, stop the other Verdict servers: it is then recreated"],
    },
    unclear: {
      why: "This machine could not start Python: it is short of memory, processes or file descriptors.",
      steps: [
        again("send the call again in a moment"),
        "close other programs, or raise the limits of the server (`ulimit -n`, `ulimit -u`)",
      ],
    },
    good: {
      why: "The Python engines start, but not inside the sandbox; perhaps the environment's files belong to another user.",
      steps: [
        "make the directory python/ in Verdict's data directory readable by everyone (`chmod -R a+rX`)",
        "or set VERDICT_DATA to a directory that this user owns",
      ],
    },
  }[discarded];
  return new Fault("engine_failed", why, [...steps, "run `verdict setup` in a terminal, which shows what is wrong"]);
}

/**
 * No output limit for a fork server: it limits each job's output and memory itself, and can print a lot over its
 * lifetime.
 */
const bounds = { stdout_bytes_max: Number.MAX_SAFE_INTEGER };

/**
 * The output limit for a process that runs one job and prints only the job's frames, even if its program escaped the
 * sandbox.
 */
const one_job_bounds = { stdout_bytes_max: engine_limits.python_frame_chars_max };

function probeJob(): Deadline {
  return new Deadline(limits.own_probe_ms_max);
}

const smaller = "make the text smaller or split it, and write large data as short expressions";

function takesTooLong(): Fault {
  return new Fault("input_rejected", "Python's parser takes too long on this text; nothing was changed.", [
    smaller,
    "nest less deeply",
  ]);
}

function unreadable(): Fault {
  return new Fault("input_rejected", "Python's parser crashed on this text; nothing was changed.", [
    "nest less deeply",
    "split the item into several",
  ]);
}

type Installing = NonNullable<Awaited<ReturnType<PythonEnvironment["installing"]>>>;

function stillInstalling({ purpose, download_mb, doing }: Installing): Fault {
  const what = `A Python environment for ${purpose} is being installed, which happens once (${download_mb} MB to download)`;
  return new Fault("busy", `${what}: ${doing}.`, [
    again("send the call again in a minute: the installation continues"),
    "or send the call with a larger timeout_ms",
  ]);
}
