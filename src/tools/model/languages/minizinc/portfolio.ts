import { setTimeout as sleep } from "node:timers/promises";
import type { Place } from "../../../../engines/minizinc/index.ts";
import type { Solution } from "../../../../engines/minizinc/read.ts";
import type { CompileEnd } from "../../../../engines/minizinc/task.ts";
import { evidence_limits } from "../../../../evidence/limits.ts";
import { isBetter, optimises } from "../../../../evidence/minizinc/asking.ts";
import { trustedInstead } from "../../../../evidence/minizinc/checkers.ts";
import { decisionOf, doubtOf, isUnable, nameOf } from "../../../../evidence/minizinc/decide.ts";
import { excludedBy } from "../../../../evidence/minizinc/exclusion.ts";
import {
  ask,
  compileStandard,
  cp_sat,
  type Question,
  type Reply,
  type Standard,
  timeToSolve,
} from "../../../../evidence/minizinc/question.ts";
import { cancelled, undefinedOnFault } from "../../../../kernel/fault.ts";
import { model_limits } from "../../limits.ts";
import { bestReply, keptOfCrash, withoutClaim } from "./best_reply.ts";
import { firstSolver, followers, searcherIn, type Waiting } from "./choice.ts";
import type { Call } from "./model.ts";

/** The parts of a call that a portfolio needs. */
export type PortfolioCall = Pick<Call, "run" | "takePlace" | "build" | "model" | "cp_sat"> & {
  readonly context: Pick<Call["context"], "deadline">;
};

/** The reply to use, and what the other runs contributed. */
export interface PortfolioEnd {
  readonly reply: Reply;
  /** The replies of the other finished runs. */
  readonly others: readonly Reply[];
  readonly notes: readonly string[];
}

/** A solver that is running. */
interface Runner {
  readonly place: Place;
  readonly solver: string;
  readonly stop: AbortController;
}

/** How a runner ended; it has no reply if its program could not be run. */
interface End {
  readonly runner: Runner;
  readonly reply?: Reply;
  readonly failure?: unknown;
}

/** What is particular about the first run. */
type FirstRun = Pick<Question, "search_ms" | "for_cp_sat">;

/** The length of a model with its data that is not compiled for CP-SAT before Gecode has tried it. */
const short_chars_max = 300;

/** The share of the first solver's time that it gets if CP-SAT can start right afterwards. */
const share_before_cp_sat = 1 / 6;

/**
 * Solves a question for which no solver was named. The first solver runs alone for a moment, which is enough for most
 * models. After that, the solvers that suit the compiled model run concurrently, one per free processor. The first
 * accepted claim ends the portfolio; at the time limit, the best solution is the answer. The reserve solvers run only
 * if none of the other solvers supports the model.
 */
export class Portfolio {
  readonly #call: PortfolioCall;
  readonly #question: Omit<Question, "solver">;
  readonly #onBetter: ((solution: Solution) => void) | undefined;
  readonly #trial_ms: number;
  readonly #running = new Map<Runner, Promise<End>>();
  readonly #ended: Reply[] = [];
  readonly #ran = new Set<string>();
  readonly #notes: string[] = [];
  #waiting: Waiting = { beside: [], reserve: [] };
  /** Whether CP-SAT can run. */
  #has_cp_sat = false;
  /** The model as the first run compiled it for CP-SAT. */
  #for_cp_sat: CompileEnd | undefined;
  /** How long the first run took, most of which is usually the compilation. */
  #compile_ms = 0;
  #best: Solution | undefined;
  #failure: unknown;

  constructor(
    call: PortfolioCall,
    question: Omit<Question, "solver">,
    onBetter?: (solution: Solution) => void,
    trial_ms: number = model_limits.minizinc_trial_ms,
  ) {
    this.#call = call;
    this.#question = question;
    this.#onBetter = onBetter;
    this.#trial_ms = trial_ms;
  }

  /** Runs the portfolio to its end. Raises `cancelled`, or the solver's fault if no solver could run. */
  async end(): Promise<PortfolioEnd> {
    const own: Place = { run: this.#call.run, wanted: new AbortController().signal, close: () => {} };
    try {
      const reply = (await this.#trial(own)) ?? (await this.#together(own));
      const by = nameOf(reply.question.solver);
      return {
        reply: {
          ...reply,
          also_ran: [...this.#ran].filter((name) => name !== by),
        },
        others: this.#ended.filter((each) => each !== reply),
        notes: this.#notes,
      };
    } finally {
      await this.#stopAll();
    }
  }

  /** Runs the first solver alone for a moment, and returns its reply if the reply decides the question. */
  async #trial(place: Place): Promise<Reply | undefined> {
    const { build } = this.#call;
    this.#has_cp_sat = (await this.#call.cp_sat?.isReady()) ?? false;
    const { source, data } = this.#question;
    // Gecode usually finds a solution at once, and decides a short model; compiling for CP-SAT takes longer, and leaves
    // Gecode without its global constraints and its set variables.
    const is_long =
      optimises(this.#call.model) &&
      [source, ...data].join("").length > short_chars_max &&
      !/\bvar\s+set\b/.test(source);
    const for_cp_sat = this.#has_cp_sat && build.kind === "wasm" && is_long;
    let end = await this.#firstRun(place, { for_cp_sat });
    // A message about Verdict's library for CP-SAT says nothing about the model.
    if (for_cp_sat && end.reply && end.reply.answer.errors.length > 0 && !end.reply.for_cp_sat)
      end = await this.#firstRun(place, { for_cp_sat: false });
    if (end.reply === undefined) throw end.failure;
    this.#for_cp_sat = end.reply.for_cp_sat;
    this.#compile_ms = end.reply.ms;
    const { ending } = end.reply.end;
    if (for_cp_sat && ending.kind === "stopped" && ending.why === "output") this.#has_cp_sat = false;
    const deciding = await this.#take({
      ...end,
      reply: isCut(end.reply, optimises(this.#call.model)) ? endedByTime(end.reply) : end.reply,
    });
    if (deciding) return deciding;
    this.#call.cp_sat?.prepare();
    this.#waiting = followers(build, end.reply.compiled, this.#has_cp_sat);
    return undefined;
  }

  /** Runs the first solver for a moment; for less time if CP-SAT can start afterwards without another compilation. */
  #firstRun(place: Place, { for_cp_sat }: { readonly for_cp_sat: boolean }): Promise<End> {
    const search_ms = for_cp_sat ? this.#trial_ms * share_before_cp_sat : this.#trial_ms;
    return this.#begin(place, firstSolver(this.#call.build), { search_ms, for_cp_sat });
  }

  /** Runs the suitable solvers until one decides the question or the time runs out. */
  async #together(own: Place): Promise<Reply> {
    const { beside } = this.#waiting;
    // Takes all places first, since CP-SAT uses the remaining processors.
    const places = Array.from({ length: beside.length }, () => this.#call.takePlace());
    this.#fill(own);
    for (const place of places) if (place) this.#fill(place);
    let tick = this.#nextTick();
    while (this.#running.size > 0) {
      const event = await Promise.race([...this.#running.values(), tick]);
      if (this.#call.context.deadline.signal.aborted) throw cancelled();
      if (event !== "tick") {
        const reply = await this.#take(event);
        if (reply) return reply;
        // If no program can be run in a place, the place is useless to the next solver.
        if (event.failure === undefined) this.#fill(event.runner.place);
        else event.runner.place.close();
        continue;
      }
      tick = this.#nextTick();
      const is_silent = this.#isSilent();
      const { beside, reserve } = this.#waiting;
      const is_waiting = beside.length > 0 || (is_silent && reserve.length > 0);
      const place = is_waiting ? this.#call.takePlace(is_silent) : undefined;
      if (place) this.#fill(place);
    }
    const reply = bestReply(this.#ended, this.#call.model.goal);
    if (reply === undefined) throw this.#failure ?? cancelled();
    return reply;
  }

  /** Waits until it is time to check again for a free processor. */
  #nextTick(): Promise<"tick"> {
    return sleep(model_limits.minizinc_join_ms, "tick", { ref: false });
  }

  /** Whether a share of the time has passed without a solution. */
  #isSilent(): boolean {
    const share_left = this.#call.context.deadline.left_ms / this.#question.time_ms;
    return this.#best === undefined && share_left < 1 - model_limits.minizinc_silent_share;
  }

  /** Gives a place to the next solver; a reserve solver gets it only if no other solver runs or none finds a solution. */
  #fill(place: Place): void {
    const { beside, reserve } = this.#waiting;
    const reserved = this.#running.size === 0 ? reserve[0] : this.#isSilent() ? searcherIn(reserve) : undefined;
    const solver = beside[0] ?? reserved;
    if (solver === undefined || place.wanted.aborted || this.#isTooLate()) {
      place.close();
      return;
    }
    const others = (solvers: readonly string[]) => solvers.filter((each) => each !== solver);
    this.#waiting = { beside: others(beside), reserve: others(reserve) };
    void this.#begin(place, solver);
  }

  /** Whether too little time is left for another solver. */
  #isTooLate(): boolean {
    const { time_ms } = this.#question;
    return this.#call.context.deadline.left_ms <= 1.5 * (time_ms - this.#timeToSearch(time_ms));
  }

  #begin(place: Place, solver: string, first: FirstRun = {}): Promise<End> {
    const runner: Runner = { place, solver, stop: new AbortController() };
    const end = this.#run(runner, first).then(
      (reply): End => ({ runner, reply }),
      (failure: unknown): End => ({ runner, failure }),
    );
    this.#running.set(runner, end);
    return end;
  }

  async #run({ place, solver, stop }: Runner, first: FirstRun): Promise<Reply> {
    const { deadline } = this.#call.context;
    const time_ms = this.#timeToSearch(deadline.left_ms);
    // A solver that ignores its limit, for example while it compiles, may not use the time for checking values.
    const own = deadline
      .earlierBy((deadline.left_ms - time_ms) / 2)
      .withSignal(AbortSignal.any([stop.signal, place.wanted, deadline.signal]));
    this.#ran.add(nameOf(solver));
    const question = { ...this.#question, solver, time_ms, ...first };
    return ask(place.run, this.#call.build, question, own, {
      onSolution: (solution) => this.#receive(solution),
      compiled: this.#for_cp_sat,
    });
  }

  /** Returns how much of the remaining time a solver gets. */
  #timeToSearch(left_ms: number): number {
    return timeToSolve(left_ms) - this.#reserve_ms;
  }

  /**
   * The time for compiling the model again, which checks its values. It must not run out on a busy machine: many
   * solutions count only if they are checked.
   */
  get #reserve_ms(): number {
    return Math.min(2 * this.#compile_ms, this.#question.time_ms * model_limits.minizinc_compile_share);
  }

  #receive(solution: Solution): void {
    if (this.#best !== undefined && !isBetter(solution, this.#best, this.#call.model.goal)) return;
    this.#best = solution;
    this.#onBetter?.(solution);
  }

  /** Processes the end of a run, and returns the reply if it decides the question. */
  async #take({ runner, reply, failure }: End): Promise<Reply | undefined> {
    this.#running.delete(runner);
    this.#failure ??= failure;
    if (reply === undefined) return undefined;
    const { place, solver } = runner;
    if (place.wanted.aborted) {
      this.#ended.push(endedByTime(reply));
      // The solver restarts when a processor becomes free.
      this.#waiting = { ...this.#waiting, beside: [...this.#waiting.beside, solver] };
      return undefined;
    }
    const { ending } = reply.end;
    // If a run used all of its time, the remaining time is reserved for processing its values.
    if (ending.kind === "stopped" && ending.why === "deadline") this.#waiting = { beside: [], reserve: [] };
    const crash = keptOfCrash(reply);
    if (crash) this.#notes.push(crash.note);
    const kept = crash?.kept ?? ((await this.#isRefuted(reply, place)) ? withoutClaim(reply) : reply);
    this.#ended.push(kept);
    return this.#decides(kept) ? kept : undefined;
  }

  /**
   * Whether a reply ends the portfolio, because it is an accepted claim or an error in the model, which all solvers
   * would find. An unaccepted claim by the first solver also ends the portfolio, since following it up needs no other
   * search.
   */
  #decides(reply: Reply): boolean {
    if (isUnable(reply)) return false;
    // If the first compilation reports an error, the error is in the model; a later error is in another solver's
    // library.
    if (reply.answer.errors.length > 0) return this.#ran.size === 1;
    const decision = decisionOf(reply);
    if (decision === undefined || !isClaim(reply, optimises(this.#call.model))) return false;
    const is_accepted = decision.kind !== "undecided" && doubtOf(decision).length === 0;
    if (is_accepted || isSolved(reply, optimises(this.#call.model))) return true;
    const next = trustedInstead(decision, reply.question.solver, this.#call.build, this.#has_cp_sat);
    return this.#ran.size === 1 && !(this.#for_cp_sat && next === cp_sat);
  }

  /**
   * Whether this reply's claim excludes a solution that another solver found, although no check shows that solution to
   * be wrong.
   */
  async #isRefuted(reply: Reply, place: Place): Promise<boolean> {
    const { goal } = this.#call.model;
    const decision = isClaim(reply, optimises(this.#call.model)) && !isUnable(reply) ? decisionOf(reply) : undefined;
    if (!decision) return false;
    const claim = { solver: reply.question.solver, decision, goal };
    const excluded = await excludedBy(claim, this.#best, "another solver", () => this.#compiled(place));
    if (excluded) this.#notes.push(excluded.note);
    return excluded?.is_wrong === false;
  }

  /** Compiles the model to MiniZinc's standard constraints; undefined if this fails within a share of the time. */
  #compiled(place: Place): Promise<Standard | undefined> {
    const { deadline } = this.#call.context;
    const share = deadline
      .atMost(deadline.left_ms * evidence_limits.minizinc_refute_share)
      .withSignal(AbortSignal.any([place.wanted, deadline.signal]));
    return compileStandard(place.run, this.#question, share).catch(undefinedOnFault);
  }

  async #stopAll(): Promise<void> {
    const running = [...this.#running];
    for (const [{ stop }] of running) stop.abort();
    await Promise.all(running.map(([, end]) => end));
    for (const [{ place }] of running) place.close();
  }
}

/** Whether a run reached its search limit, in which case MiniZinc reports nothing and exits normally. */
function isCut(reply: Reply, optimises: boolean): boolean {
  const { answer, end } = reply;
  const is_silent = !isClaim(reply, optimises) && answer.errors.length === 0;
  return is_silent && end.ending.kind === "exited" && end.ending.code === 0;
}

function endedByTime(reply: Reply): Reply {
  return { ...reply, end: { ...reply.end, ending: { kind: "stopped", why: "deadline" } } };
}

/** Whether a run claims anything beyond having ended. */
function isClaim(reply: Reply, optimises: boolean): boolean {
  const { status } = reply.answer;
  return isSolved(reply, optimises) || (status !== undefined && status !== "UNKNOWN" && status !== "SATISFIED");
}

/**
 * Whether any solution will do and one was found. MiniZinc reports no status in this case, unless it was asked for
 * more.
 */
function isSolved({ answer: { solutions } }: Reply, optimises: boolean): boolean {
  return !optimises && solutions.length > 0;
}
