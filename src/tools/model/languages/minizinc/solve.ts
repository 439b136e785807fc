import { kindOf } from "../../../../engines/minizinc/flatzinc/trust.ts";
import type { Solution } from "../../../../engines/minizinc/read.ts";
import type { Outcome, SolveContext } from "../../language.ts";
import { model_limits } from "../../limits.ts";
import { Belief, type Call, type Finding, optimises } from "./belief/belief.ts";
import { isRace, isUnable, solversFor } from "./belief/choice.ts";
import { decide } from "./belief/decide.ts";
import { faultOf } from "./faults.ts";
import { parametersOf, placeOfDoubt } from "./model.ts";
import { neverBegun, outcomeOf } from "./outcome.ts";
import { ask, type Question, type Reply, timeToSolve } from "./question.ts";
import { Race } from "./race.ts";
import { dataFile, missingData, stillTaken } from "./source/data.ts";

const missing_value = /must be defined/;
const mend = ["correct the item with replace_item, then solve again"];

/** One call of `solve_model`. */
export class Solve {
  readonly #call: Call;
  readonly #belief: Belief;

  constructor(call: Call) {
    this.#call = call;
    this.#belief = new Belief(call);
  }

  /** Solves with tasks that all run in the same place. Raises a fault if the model can't be run. */
  async outcome(): Promise<Outcome> {
    const question = await this.#question();
    if (question.time_ms <= 0) return neverBegun();
    const solvers = solversFor(question, this.#call.build, this.#call.context.options.solver);
    if (isRace(question, solvers, this.#call.context.options.solver)) {
      const { reply, notes } = await new Race(this.#call, question, solvers, this.#teller()).end();
      return this.#outcomeOf(reply, notes);
    }
    const reply = await this.#firstAble(question, solvers);
    return "decision" in reply ? outcomeOf(this.#call, reply) : this.#outcomeOf(reply, []);
  }

  async #outcomeOf(reply: Reply, notes: readonly string[]): Promise<Outcome> {
    const [error] = reply.answer.errors;
    if (error && missing_value.test(error.message))
      throw (await this.#missing()) ?? faultOf(error, this.#call.model.lines, mend);
    if (error) throw faultOf(error, this.#call.model.lines, mend);
    const own = await this.#belief.withoutNeedlessDoubt(await this.#belief.withoutMembership(reply));
    const decision = decide(own, (doubt) => placeOfDoubt(this.#call.model, doubt, own.question.solver));
    const finding = await this.#belief.checked(await this.#belief.reconsidered({ reply: own, decision, notes }));
    return outcomeOf(this.#call, await this.#belief.proved(finding));
  }

  /** The answer of the first solver that supports the model, or of Z3 if linear solvers do not. */
  async #firstAble(
    question: Omit<Question, "solver">,
    [first = "", ...others]: readonly string[],
  ): Promise<Reply | Finding> {
    let reply = await this.#ask({ ...question, solver: first });
    const found = isUnable(reply) ? await this.#belief.foundExactly(reply) : undefined;
    if (found) return found;
    for (const solver of others) {
      const time_ms = timeToSolve(this.#call.context.deadline.left_ms);
      if (!isUnable(reply) || time_ms <= 0) break;
      const next = await this.#ask({ ...question, solver, time_ms });
      // Linear solvers refuse everything that is not a sum: their fault is the least informative.
      if (!isUnable(next) || kindOf(solver) !== "linear") reply = next;
    }
    return reply;
  }

  #ask(question: Question): Promise<Reply> {
    return ask(this.#call.run, this.#call.build, question, this.#call.context.deadline, this.#teller());
  }

  async #question(): Promise<Omit<Question, "solver">> {
    const { data, all_solutions, max_solutions } = this.#call.context.options;
    const files = data === undefined ? [] : [await this.#dataFile(data)];
    const many = all_solutions || max_solutions !== undefined;
    const wanted = many && !optimises(this.#call) ? (max_solutions ?? model_limits.solutions_max) : undefined;
    return {
      source: this.#call.model.source,
      data: files,
      ...(wanted !== undefined && { solutions_max: wanted }),
      time_ms: timeToSolve(this.#call.context.deadline.left_ms),
    };
  }

  async #dataFile(data: NonNullable<SolveContext["options"]["data"]>): Promise<string> {
    const parameters = await parametersOf(this.#call.engine, this.#call.model, this.#call.context.deadline);
    return dataFile(this.#call.context.options.data_kept ? stillTaken(data, parameters) : data, parameters);
  }

  /** The fault that lists the names without a value. */
  async #missing() {
    return missingData(
      this.#call.context.options.data ?? {},
      await parametersOf(this.#call.engine, this.#call.model, this.#call.context.deadline),
    );
  }

  /** Reports each better solution to the client. */
  #teller(): ((solution: Solution) => void) | undefined {
    if (!optimises(this.#call)) return undefined;
    const start = performance.now();
    return ({ objective }) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      this.#call.context.news(`objective ${String(objective)} after ${seconds} s`);
    };
  }
}
