import type * as z from "zod/v4";
import type { Python, RunProgram } from "../../engines/python/index.ts";
import { type JobEnd, type ProgramError, readResult } from "../../engines/python/talk.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { meanings, type Obligations } from "../../prover/index.ts";
import type { Question } from "./arguments.ts";
import { symbolic_limits } from "./limits.ts";
import {
  Exhausted,
  Explored,
  Found,
  type FoundInput,
  Inspected,
  Limits,
  Probed,
  ReadBranches,
  type Side,
  type Tally,
  Unconfirmed,
} from "./replies.ts";
import type { Candidate, Proof, Source } from "./search.ts";

const no_paths: Tally = { paths: 0, verified: 0, skipped: 0, covered: [] };

/** One job: its program, its request, its deadline, and the receiver of intermediate results. */
type Asked = [
  language: "replay" | "explore",
  what: Readonly<Record<string, unknown>>,
  deadline: Deadline,
  onResult: (result: unknown) => void,
];

/** Sends one question about code to the Python processes that can contribute to the answer. */
export class Examiner {
  readonly #run: RunProgram;
  readonly #question: Question;
  /** Notes about how the answer was found. */
  readonly #notes: string[] = [];
  /** The reasons why candidates were dropped, if they are worth showing. */
  readonly #leftOut = new Set<string>();
  /** The reason why the prover found no proof. */
  prover_note: string | undefined;
  /** What a proof with given invariants left open. */
  obligations: Obligations | undefined;
  /** The sides that the prover showed are never taken. */
  readonly unreachable = new Map<string, Proof>();
  /** Resolves when the boundary values have been tried. */
  readonly probing: Promise<void>;
  /** The progress of the exploration. */
  tally: Tally = no_paths;
  /** The result of the exploration, if it has ended with one. */
  explored: Explored | undefined;
  /** How the exploration's process ended, if it ended twice without a result and Verdict had not stopped it. */
  exploration_lost: string | undefined;
  /** The result of running all inputs. */
  exhausted: Exhausted | undefined;
  /** The result of trying the boundary values. */
  probed: Probed | undefined;
  #versions: Readonly<Record<string, string>> = {};
  #has_preconditions = false;
  /** The restrictions on a proof by running inputs or by exploring paths. */
  #objects: readonly string[] = [];
  /** The number of possible inputs, if all of them can be run. */
  #inputs: number | null = null;
  readonly #taken = new Set<string>();
  #probed: () => void = () => {};

  constructor(run: RunProgram, question: Question) {
    this.#run = run;
    this.#question = question;
    this.probing = new Promise((resolve) => {
      this.#probed = resolve;
    });
  }

  get notes(): readonly string[] {
    return [...this.#notes, ...[...this.#leftOut].map((why) => `Inputs were left out: ${why}.`)];
  }

  /** The version of Python that runs the code. */
  get python(): string | undefined {
    return this.#versions["python"];
  }

  /** Leaves the processors to other sources for a moment, or until the boundary values have been tried. */
  async leaveRoom(waits_ms: number, deadline: Deadline): Promise<void> {
    await deadline.atMost(Math.min(waits_ms, deadline.left_ms / 4)).within(this.probing);
  }

  sideKey(site: number, side: boolean): string {
    return `${site}:${side}`;
  }

  /** Records the sides that a run in the clean interpreter took. */
  took(sides: readonly Side[]): void {
    for (const [site, side] of sides) this.#taken.add(this.sideKey(site, side));
  }

  wasTaken(site: number, side: boolean): boolean {
    return this.#taken.has(this.sideKey(site, side));
  }

  /** Records why the prover stops without a result. */
  unproved(why: string): undefined {
    this.prover_note = why;
    return undefined;
  }

  /** All engines that took part, with their versions. */
  get engine(): string {
    const names = Object.entries({ CPython: "python", CrossHair: "crosshair", Z3: "z3" });
    const known = names.filter(([, key]) => this.#versions[key] !== undefined);
    return known.map(([name, key]) => `${name} ${this.#versions[key]}`).join(", ");
  }

  /**
   * Reads the code and runs its module level; returns "expired" if the time ran out. Raises the fault for rejected
   * code.
   */
  async inspect(deadline: Deadline): Promise<Inspected | "expired"> {
    const read: unknown[] = [];
    const end = await this.#ask("replay", { task: "inspect" }, deadline, (result) => read.push(result));
    if (end === "expired") return end;
    if (end.kind === "result") {
      const { notes } = readResult(Inspected, end.result);
      // Only what was reported before the whole module ran counts.
      const facts = read.find((each) => Inspected.safeParse(each).success);
      const branches = ReadBranches.safeParse(read[0]);
      if (!branches.success) throw tooDeep();
      const inspected = { ...readResult(Inspected, facts ?? end.result), notes };
      this.#inputs = branches.data.can_mislead ? null : inspected.inputs;
      const { made } = inspected;
      this.#objects =
        made.length > 0 ? [`objects (${made.join(", ")}) are in the state in which their constructor leaves them`] : [];
      this.#has_preconditions = inspected.functions.some(({ contract }) => contract.preconditions.length > 0);
      return { ...inspected, ...branches.data.branches };
    }
    if (end.kind === "died") throw processLost(end.how);
    // Code that ran out of time is not rejected, since the code may be correct and the machine busy.
    const late = end.kind === "deadline";
    throw new Fault(late ? "timeout" : "input_rejected", `The code could not be loaded: ${endWords(end)}.`, [
      "move long computations out of the module level",
      "send only the function and what it calls",
      ...(late ? ["pass a larger timeout_seconds, if this machine is busy"] : []),
    ]);
  }

  /**
   * Runs a candidate in the clean interpreter, and returns the result, along with the simplest input found that has the
   * same result.
   */
  async replay<Schema extends z.ZodType>(
    schema: Schema,
    { input }: Candidate,
    deadline: Deadline,
  ): Promise<z.output<Schema> | "not confirmed" | "not replayed"> {
    const bounded = deadline.atMost(symbolic_limits.replay_ms_max);
    let confirmed: unknown;
    const end = await this.#send("replay", { task: "replay", input }, bounded, (result) => {
      confirmed ??= result;
    });
    if (end.kind !== "result") {
      if (end.kind !== "deadline") console.error(`A replay ended early: ${endWords(end)}.`);
      return confirmed === undefined ? "not replayed" : readResult(schema, confirmed);
    }
    const unconfirmed = Unconfirmed.safeParse(end.result);
    if (!unconfirmed.success) return readResult(schema, end.result);
    const { why } = unconfirmed.data;
    if (why !== undefined) this.#leftOut.add(why);
    return "not confirmed";
  }

  /** The source that tries boundary values. */
  get prober(): Source {
    const look: Source["look"] = async (deadline, offer, begun) => {
      begun();
      const { left_ms } = deadline;
      const probing_ms = Math.min(left_ms * symbolic_limits.probe_share, symbolic_limits.probe_ms_max);
      const patience_ms = Math.min(left_ms * symbolic_limits.patience_share, symbolic_limits.patience_ms_max);
      const what = { task: "probe", seconds: probing_ms / 1000, patience: patience_ms / 1000 };
      const end = await this.#send("replay", what, deadline, (result) => this.#receive(result, offer));
      if (end.kind === "result") this.probed = readResult(Probed, end.result);
      else this.#notes.push(`Trying boundary values ended early: ${endWords(end)}.`);
      this.#probed();
      return undefined;
    };
    return { name: "probe", comes_first: true, look };
  }

  /** The source that runs all inputs if there are few, so that none is missed. */
  get exhauster(): Source {
    const look: Source["look"] = async (deadline, offer, begun) => {
      begun();
      await deadline.within(this.probing);
      if (this.#inputs === null || deadline.is_over) return undefined;
      const what = { task: "exhaust", seconds: deadline.left_ms / 1000 };
      const end = await this.#send("replay", what, deadline, (result) => this.#receive(result, offer));
      if (end.kind !== "result") return undefined;
      this.exhausted = readResult(Exhausted, end.result);
      const { ran, is_all } = this.exhausted;
      if (!is_all || ran !== this.#inputs) return undefined;
      return {
        method: `exhaustive: all ${ran} inputs were run`,
        engine: this.engine,
        assumptions: [...exhaustive, ...this.#objects],
      };
    };
    return { name: "exhaust", comes_first: false, look };
  }

  /** The source that explores all paths with symbolic values, after a head start for the other sources. */
  get explorer(): Source {
    const look: Source["look"] = async (deadline, offer, begun) => {
      await this.leaveRoom(symbolic_limits.explorer_waits_ms, deadline);
      const what = { task: this.#question.task, seconds: deadline.left_ms / 1000 };
      let offered = 0;
      let first: Limits | undefined;
      const count = (candidate: Candidate) => {
        offered++;
        offer(candidate);
      };
      const end = await this.#send("explore", what, deadline, (result) => {
        begun();
        const limited = Limits.safeParse(result);
        if (limited.success) first ??= limited.data.limits;
        else this.#receive(result, count);
      });
      if (end.kind !== "result") {
        if (end.kind === "died") this.exploration_lost = end.how;
        else if (end.kind !== "deadline") this.#notes.push(`The exploration ended early: ${endWords(end)}.`);
        return undefined;
      }
      this.explored = withinLimits(readResult(Explored, end.result), first);
      this.tally = this.explored;
      // A candidate that a clean Python does not confirm shows that the exploration differs from Python, so there is no
      // basis for a proof.
      const contradicted = offered > 0 && this.#question.task !== "branches";
      return this.explored.claim && !contradicted ? this.#exhaustion() : undefined;
    };
    return { name: "explore", comes_first: false, look };
  }

  #exhaustion(): Proof {
    return {
      method: "exhaustive exploration of all paths",
      engine: this.engine,
      assumptions: [
        "arguments are of exactly the annotated types: True is not an int here",
        "neither memory nor the recursion limit is exhausted",
        ...this.#leftOutOfClaims(),
      ],
    };
  }

  #leftOutOfClaims(): readonly string[] {
    const { task } = this.#question;
    return [
      ...this.#objects,
      ...(task === "compare" ? meanings.equivalent : []),
      ...(this.#has_preconditions ? meanings.preconditions : []),
    ];
  }

  #receive(message: unknown, offer: (candidate: Candidate) => void): void {
    const heard = Found.safeParse(message);
    if (!heard.success) return;
    if ("tally" in heard.data) this.tally = heard.data.tally;
    else if ("unending" in heard.data) this.#notes.push(heard.data.unending);
    else offer(this.#candidate(heard.data));
  }

  /**
   * Determines what a found input may show. For an exception, each path to it matters; for branches, each side;
   * otherwise one input per kind is enough.
   */
  #candidate({ input, key, sides }: FoundInput): Candidate {
    const { task } = this.#question;
    if (task === "branches") return { input, sides, keys: sides.map((side) => this.sideKey(...side)) };
    return { input, sides, keys: [task === "raises" ? JSON.stringify([key, sides]) : key] };
  }

  /**
   * Raises the fault for rejected code. If only the explorer does not support the code, other sources may still support
   * it; two versions may differ on inputs for which neither uses what code must not use.
   */
  #refused(language: string, end: Extract<JobEnd, { kind: "error" }>): JobEnd {
    const skipped = ["UnsupportedConstruct", ...(this.#question.base === undefined ? [] : ["SandboxViolation"])];
    if (language === "explore" && skipped.includes(end.error.error_type ?? "")) return end;
    throw refusal(end.error);
  }

  /** Like `#ask`, for callers that treat a process which never started like one that was too slow. */
  async #send(...asked: Asked): Promise<JobEnd> {
    const end = await this.#ask(...asked);
    return end === "expired" ? { kind: "deadline" } : end;
  }

  /** Runs one job; returns "expired" if the time ran out before it could start. */
  async #ask(...[language, what, deadline, onResult]: Asked): Promise<JobEnd | "expired"> {
    const request = { ...requestOf(this.#question), task_of: this.#question.task, ...what };
    const program = { items: [this.#question.code], request, memory_bytes_max: symbolic_limits.memory_bytes_max };
    let reply = await this.#run(language, program, deadline, onResult);
    // A process that was killed from outside says nothing about the code, so the question is asked once more.
    if (reply !== "expired" && reply.end.kind === "died" && !deadline.signal.aborted && !deadline.is_over) {
      console.error(`Retrying a Python process: ${reply.end.how}.`);
      reply = await this.#run(language, program, deadline, onResult);
    }
    if (reply === "expired") return reply;
    this.#versions = { ...this.#versions, ...reply.versions };
    if (reply.end.kind === "error" && reply.end.error.kind === "refused") return this.#refused(language, reply.end);
    return reply.end;
  }
}

/** Restricts what an exploration claims by limits that were determined before any of the code ran in its process. */
function withinLimits(explored: Explored, limits: Limits = unsaid): Explored {
  return {
    ...explored,
    claim: explored.claim && limits.claim.length === 0,
    trusted: explored.trusted && limits.trusted.length === 0,
    why_not: [...new Set([...explored.why_not, ...limits.claim])],
  };
}

const exhaustive = [
  "arguments are of exactly the annotated types: True is not an int here",
  "each call begins with a freshly loaded module",
];

const unsaid: Limits = {
  claim: ["the exploration did not report what prevents a proof"],
  trusted: ["the exploration did not report what prevents a proof"],
};

function tooDeep(): Fault {
  return new Fault(
    "input_rejected",
    "The code is nested too deeply to be read: an expression has several hundred parts.",
    ["write long sums and conditions as loops, or as several statements", "send only the function and what it calls"],
  );
}

function processLost(how: string): Fault {
  return new Fault("engine_failed", `The process that reads the code exited twice (${how}); nothing was decided.`, [
    "send the call again",
    "if it fails again, send only the function and what it calls",
  ]);
}

/** Says in words why a process returned no result. */
function endWords(end: Exclude<JobEnd, { kind: "result" }>): string {
  switch (end.kind) {
    case "deadline":
      return "it timed out";
    case "memory":
      return "it reached its memory limit";
    case "output":
      return "it reached its output limit";
    case "died":
      return end.how;
    case "error":
      if (end.error.log) console.error(end.error.log);
      if (end.error.kind === "memory") return "it reached its memory limit";
      if (end.error.kind === "refused") return end.error.message;
      return `${end.error.type ?? end.error.kind}${end.error.message ? `: ${end.error.message}` : ""}`;
  }
}

/** Creates the fault for rejected code, with a fault's usual fields and those that the symbolic tools specify. */
function refusal({ code, message, steps, line, column, error_type }: ProgramError): Fault {
  const position = line === undefined ? undefined : { line, column: column ?? 1 };
  const where = line === undefined ? "" : `Line ${line}: `;
  return new Fault(code ?? "input_rejected", { where, what: message }, steps, position, {
    error_type: error_type ?? "Error",
    message,
    ...(line !== undefined && { line }),
    suggestion: steps.join("; "),
  });
}

/**
 * Finds out why a module can't be loaded, as far as it can run here; undefined if none of its statements raised an
 * exception.
 */
export async function whyUnloadable(
  python: Pick<Python, "run">,
  code: string,
  deadline: Deadline,
): Promise<string | undefined> {
  const request = { task: "load", functions: [] };
  const program = { items: [code], request, memory_bytes_max: symbolic_limits.memory_bytes_max };
  const reply = await python.run("replay", program, deadline, () => {});
  if (reply === "expired" || reply.end.kind !== "error" || reply.end.error.kind !== "refused") return undefined;
  return refusal(reply.end.error).message;
}

/** Converts a question to the form that the Python side reads. */
export function requestOf({ task, functions, exception, base }: Question): Record<string, unknown> {
  return { task, functions, exception: exception ?? null, base };
}
