import { setTimeout as sleep } from "node:timers/promises";
import { kindOf } from "../../../../engines/minizinc/flatzinc/trust.ts";
import type { Place } from "../../../../engines/minizinc/index.ts";
import type { Solution } from "../../../../engines/minizinc/read.ts";
import type { Deadline } from "../../../../kernel/deadline.ts";
import { cancelled, Fault } from "../../../../kernel/fault.ts";
import { model_limits } from "../../limits.ts";
import { type Call, optimises } from "./belief/belief.ts";
import { checkSolutions } from "./belief/check.ts";
import { isUnable, ordered } from "./belief/choice.ts";
import { doubtOf, nameOf } from "./belief/decide.ts";
import { isBetter } from "./objective.ts";
import { ask, compileStandard, type Question, type Reply, type Standard, timeToSolve } from "./question.ts";
import { decisionOf, standing } from "./standing.ts";

/** What a race needs of a call. */
export type RaceCall = Pick<Call, "run" | "takePlace" | "build" | "model"> & {
  readonly context: Pick<Call["context"], "deadline">;
};

/** The reply that stands, and what the race adds to it. */
export interface RaceEnd {
  readonly reply: Reply;
  /** The other runs that ended. */
  readonly others: readonly Reply[];
  readonly notes: readonly string[];
}

/** One solver at work. */
interface Racer {
  readonly place: Place;
  readonly stop: AbortController;
  /** Its solver, once it has one. */
  solver: string | undefined;
  /** When its solver got the compiled model: before that its process starts, which takes long on a busy machine. */
  solving_since: number | undefined;
  best: Solution | undefined;
}

/** How a racer ended: without a reply where no solver was left for it, or where its program could not be run. */
interface End {
  readonly racer: Racer;
  readonly reply?: Reply;
  readonly failure?: unknown;
}

/**
 * Solvers that work on the same question at the same time. The first one has the call's own place. Where it does not
 * end soon, the others join on processors that are free, the one that suits the compiled model first. The first claim
 * that is accepted ends the race; at the limit the best solution stands. Where no processor is free, they take turns:
 * after a share of a round the solver with the worst solution leaves its place to one that had none. A solver begins
 * anew only where a processor becomes free, or where its solution is still the best one late in the race.
 */
export class Race {
  readonly #call: RaceCall;
  readonly #question: Omit<Question, "solver">;
  readonly #onBetter: ((solution: Solution) => void) | undefined;
  readonly #join_ms: number;
  /** Turns are shares of a round. When a round is over and time is left, the next one is twice as long. */
  readonly #round: { start: number; length_ms: number };
  readonly #running = new Map<Racer, Promise<End>>();
  readonly #ended: Reply[] = [];
  readonly #ran: string[] = [];
  readonly #notes: string[] = [];
  /** Solvers that had no turn yet. */
  #waiting: readonly string[];
  /** Solvers that were stopped before they had decided anything: they would begin anew. */
  #stopped: readonly string[] = [];
  #ordering: Promise<void> | undefined;
  /** The solver that suits the compiled model best. Its first solutions may be bad: it is not judged by them. */
  #favourite: string | undefined;
  #best: Solution | undefined;
  /** The name of the solver that found it first. */
  #best_of: string | undefined;
  #turns = 0;
  #failure: unknown;

  constructor(
    call: RaceCall,
    question: Omit<Question, "solver">,
    solvers: readonly string[],
    onBetter?: (solution: Solution) => void,
    { join_ms, round_ms }: { readonly join_ms: number; readonly round_ms: number } = {
      join_ms: model_limits.minizinc_race_join_ms,
      round_ms: model_limits.minizinc_race_round_ms,
    },
  ) {
    this.#join_ms = join_ms;
    this.#round = { start: performance.now(), length_ms: Math.min(question.time_ms, round_ms) };
    this.#call = call;
    this.#question = question;
    this.#waiting = solvers;
    this.#onBetter = onBetter;
  }

  /** Raises `cancelled`, and the fault of a race in which no solver could be run. */
  async end(): Promise<RaceEnd> {
    let tick = this.#nextTick();
    try {
      this.#begin({ run: this.#call.run, wanted: new AbortController().signal, close: () => {} });
      while (this.#running.size > 0) {
        const event = await Promise.race([...this.#running.values(), tick]);
        if (this.#call.context.deadline.signal.aborted) throw cancelled();
        if (event === "tick") {
          tick = this.#nextTick();
          this.#enlarge();
        } else {
          const reply = await this.#take(event);
          if (reply) return this.#endWith(reply);
        }
      }
      const reply = standing(this.#ended, this.#call.model.goal);
      if (reply === undefined) throw this.#failure ?? cancelled();
      return this.#endWith(reply);
    } finally {
      await this.#stopAll();
    }
  }

  /** A moment at which another solver can join. */
  #nextTick(): Promise<"tick"> {
    return sleep(this.#join_ms, "tick", { ref: false });
  }

  #endWith(reply: Reply): RaceEnd {
    const own = nameOf(reply.question.solver);
    return {
      reply: { ...reply, also_ran: [...new Set(this.#ran)].filter((name) => name !== own) },
      others: this.#ended.filter((each) => each !== reply),
      notes: this.#notes,
    };
  }

  /** Starts the next solver in a place. */
  #begin(place: Place): void {
    const has_next = this.#waiting.length + this.#stopped.length > 0;
    if (!has_next || place.wanted.aborted || this.#isTooLate()) {
      place.close();
      return;
    }
    const racer: Racer = {
      place,
      stop: new AbortController(),
      solver: undefined,
      solving_since: undefined,
      best: undefined,
    };
    const end = this.#run(racer).then(
      (reply): End => ({ racer, ...(reply && { reply }) }),
      (failure: unknown): End => ({ racer, failure }),
    );
    this.#running.set(racer, end);
  }

  /** Whether the time is over, or nearly so: those that ran until their limit leave their places then. */
  #isTooLate(): boolean {
    const { left_ms } = this.#call.context.deadline;
    const { time_ms } = this.#question;
    const last_word_ms = time_ms - timeToSolve(time_ms);
    return timeToSolve(left_ms) <= 0 || (this.#ran.length > 0 && left_ms <= 1.5 * last_word_ms);
  }

  async #run(racer: Racer): Promise<Reply | undefined> {
    const { deadline } = this.#call.context;
    const own = deadline.withSignal(AbortSignal.any([racer.stop.signal, racer.place.wanted, deadline.signal]));
    if (this.#ran.length > 0) {
      this.#ordering ??= this.#order(racer.place, own);
      await this.#ordering;
    }
    const [solver] = [...this.#waiting, ...this.#stopped];
    const time_ms = timeToSolve(deadline.left_ms);
    if (solver === undefined || time_ms <= 0 || own.signal.aborted) return undefined;
    this.#waiting = this.#waiting.filter((each) => each !== solver);
    this.#stopped = this.#stopped.filter((each) => each !== solver);
    this.#ran.push(nameOf(solver));
    racer.solver = solver;
    const question = { ...this.#question, solver, time_ms };
    return ask(racer.place.run, this.#call.build, question, own, {
      onSolving: () => {
        racer.solving_since = performance.now();
      },
      onSolution: (solution) => this.#hear(racer, nameOf(solver), solution),
    });
  }

  /** Puts the solver first that suits the compiled model best. */
  async #order(place: Place, deadline: Deadline): Promise<void> {
    const standard = await compileStandard(place.run, this.#question, deadline);
    this.#waiting = ordered(this.#waiting, standard?.model);
    this.#favourite = standard && this.#waiting[0];
  }

  #hear(racer: Racer, name: string, solution: Solution): void {
    racer.best = solution;
    if (this.#best !== undefined && !isBetter(solution, this.#best, this.#call.model.goal)) return;
    this.#best = solution;
    this.#best_of = name;
    this.#onBetter?.(solution);
  }

  /** Takes the end of a run; gives the reply where it decides the question. Else its place goes to the next solver. */
  async #take(end: End): Promise<Reply | undefined> {
    const { racer, failure } = end;
    this.#running.delete(racer);
    this.#failure ??= failure;
    let is_over = true;
    try {
      const deciding = await this.#keep(end);
      // A place in which no program can be run is of no use to the next solver.
      is_over = deciding !== undefined || failure !== undefined;
      return deciding;
    } finally {
      if (is_over) racer.place.close();
      else this.#begin(racer.place);
    }
  }

  /** Keeps what a run found; gives it where it decides the question. */
  async #keep({ racer: { stop, place }, reply }: End): Promise<Reply | undefined> {
    if (reply === undefined) return undefined;
    if (stop.signal.aborted || place.wanted.aborted) {
      this.#ended.push(endedByTime(reply));
      // The others may all refuse the model, and a processor may become free: it can have another turn.
      this.#stopped = [...this.#stopped, reply.question.solver];
      return undefined;
    }
    const believed = this.#withoutClaim(reply, await this.#isRefuted(reply, place));
    this.#ended.push(believed);
    return this.#decides(believed) ? believed : undefined;
  }

  /**
   * Whether a reply ends the race: an error in the model, which all solvers would find, or a claim that is accepted. A
   * doubtful claim from before the others joined ends it too: what is done about it needs no race.
   */
  #decides(reply: Reply): boolean {
    if (isUnable(reply)) return false;
    // Linear solvers compile with a library of their own, whose errors say nothing about the model.
    if (reply.answer.errors.length > 0) return kindOf(reply.question.solver) !== "linear";
    const decision = decisionOf(reply);
    if (decision === undefined || !isClaim(reply, optimises(this.#call))) return false;
    const is_accepted = decision.kind !== "undecided" && doubtOf(decision).length === 0;
    return is_accepted || isSolved(reply, optimises(this.#call)) || this.#ran.length === 1;
  }

  /** Whether another solver has a solution that the claim of this reply rules out, and nothing shows that to be wrong. */
  async #isRefuted(reply: Reply, place: Place): Promise<boolean> {
    const { goal } = this.#call.model;
    const decision = isClaim(reply, optimises(this.#call)) && !isUnable(reply) ? decisionOf(reply) : undefined;
    const claimed = decision?.kind === "sat" ? decision.witness : undefined;
    const better = this.#best;
    if (!decision || !better || (claimed && !isBetter(better, claimed, goal))) return false;
    const claim = claimed ? `that ${String(claimed.objective)} is the best value` : "that there is no solution";
    const other = claimed ? "a better solution" : "a solution";
    const standard = await this.#compiled(place);
    const is_wrong = standard !== undefined && checkSolutions(standard.model, [better]).broken !== undefined;
    const end = is_wrong ? "That one violates the model, and is not used." : "The claim was dropped.";
    this.#notes.push(`${nameOf(reply.question.solver)} claimed ${claim}, and another solver has ${other}. ${end}`);
    return !is_wrong;
  }

  /** The model in MiniZinc's own constraints; undefined where it could not be compiled in a share of the time. */
  async #compiled(place: Place): Promise<Standard | undefined> {
    try {
      const { deadline } = this.#call.context;
      const share = deadline
        .atMost(deadline.left_ms * model_limits.minizinc_refute_share)
        .withSignal(AbortSignal.any([place.wanted, deadline.signal]));
      return await compileStandard(place.run, this.#question, share);
    } catch (error) {
      if (error instanceof Fault) return undefined;
      throw error;
    }
  }

  /** What is kept of a run that did not decide the question: of a refuted or crashed one the solutions only. */
  #withoutClaim(reply: Reply, is_refuted: boolean): Reply {
    const crashed = !isUnable(reply) && reply.answer.solutions.length > 0 && decisionOf(reply) === undefined;
    if (crashed) this.#notes.push(`${nameOf(reply.question.solver)} crashed after it had found solutions.`);
    if (!crashed && !is_refuted) return reply;
    const answer = { ...reply.answer, status: undefined };
    return { ...reply, answer, end: { ...reply.end, ending: { kind: "exited", code: 0 } } };
  }

  /** Lets one more solver join; where no processor is free, the worst one leaves its place to the next at each turn. */
  #enlarge(): void {
    const has_next = this.#waiting.length + this.#stopped.length > 0;
    const place = has_next ? this.#call.takePlace() : undefined;
    if (place) this.#begin(place);
    else {
      this.#beginRound();
      if (performance.now() - this.#round.start <= this.#shareOfRound(this.#turnShares()[this.#turns])) return;
      const worst = this.#isTurnWanted() ? this.#worst() : undefined;
      if (worst) this.#turns++;
      worst?.stop.abort();
    }
  }

  /**
   * After a round all solvers have a turn again, with twice the time: so the time that a model takes depends on its best
   * solver, and not on the limit.
   */
  #beginRound(): void {
    const { start, length_ms } = this.#round;
    if (performance.now() - start < length_ms) return;
    this.#round.start = start + length_ms;
    this.#round.length_ms = 2 * length_ms;
    this.#turns = 0;
    this.#waiting = [...this.#waiting, ...this.#stopped];
    this.#stopped = [];
  }

  /** Whether a solver had no turn yet, or one that was stopped has still the best solution. */
  #isTurnWanted(): boolean {
    const best = this.#best_of;
    return this.#waiting.length > 0 || this.#stopped.some((solver) => nameOf(solver) === best);
  }

  /** One solver by itself makes room soon: what Gecode is best at it solves soon. */
  #turnShares(): readonly number[] {
    const { minizinc_race_turns: alone, minizinc_race_turns_of_several: several } = model_limits;
    return this.#running.size > 1 ? several : alone;
  }

  #shareOfRound(share = Number.POSITIVE_INFINITY): number {
    return this.#round.length_ms * share;
  }

  /**
   * Of those that have solved for long enough to be judged; among equals the one that started first. The favourite is
   * judged at the last turn only, and leaves its place only to one that had none: it may be near its proof.
   */
  #worst(): Racer | undefined {
    const { goal } = this.#call.model;
    const isWorse = (one: Racer, other: Racer) =>
      other.best !== undefined && (one.best === undefined || isBetter(other.best, one.best, goal));
    const latest = performance.now() - this.#shareOfRound(model_limits.minizinc_race_trial_share);
    const is_last = this.#turns >= this.#turnShares().length - 1;
    const spared = is_last && this.#waiting.length > 0 ? undefined : this.#favourite;
    return [...this.#running.keys()]
      .filter(({ solving_since }) => solving_since !== undefined && solving_since <= latest)
      .filter(({ solver }) => spared === undefined || solver !== spared)
      .reduce<Racer | undefined>(
        (worst, racer) => (worst === undefined || isWorse(racer, worst) ? racer : worst),
        undefined,
      );
  }

  async #stopAll(): Promise<void> {
    for (const racer of this.#running.keys()) racer.stop.abort();
    await Promise.all(this.#running.values());
    for (const { place } of this.#running.keys()) place.close();
  }
}

/** Whether a run says more than that it ended. */
function isClaim(reply: Reply, optimises: boolean): boolean {
  const { status } = reply.answer;
  return isSolved(reply, optimises) || (status !== undefined && status !== "UNKNOWN" && status !== "SATISFIED");
}

/** Whether any solution is the answer, and there is one. MiniZinc gives no status where it was not asked for more. */
function isSolved({ answer: { solutions } }: Reply, optimises: boolean): boolean {
  return !optimises && solutions.length > 0;
}

/** A run that the race stopped has what it found until then. */
function endedByTime(reply: Reply): Reply {
  return { ...reply, end: { ...reply.end, ending: { kind: "stopped", why: "deadline" } } };
}
