import type { Solution } from "../../../../engines/minizinc/read.ts";
import { kindOf } from "../../../../evidence/flatzinc/trust.ts";
import { optimises } from "../../../../evidence/minizinc/asking.ts";
import { decisionOf, doubtOf, isUnable, nameOf } from "../../../../evidence/minizinc/decide.ts";
import { type Accepted, Judge } from "../../../../evidence/minizinc/judge.ts";
import { ask, type Question, type Reply, timeToSolve } from "../../../../evidence/minizinc/question.ts";
import { secondOpinion } from "../../../../evidence/minizinc/second.ts";
import { correct_and_solve } from "../../../../kernel/step.ts";
import { betterWords, type Outcome } from "../../language.ts";
import { model_limits } from "../../limits.ts";
import { bestReply, keptOfCrash } from "./best_reply.ts";
import { isPortfolio, solversFor } from "./choice.ts";
import { accountOf, termsOf } from "./explain/terms.ts";
import { crashFault, faultOf } from "./faults.ts";
import { type Call, parametersOf, placeOfDoubt } from "./model.ts";
import { neverBegun, outcomeOf } from "./outcome.ts";
import { Portfolio, type PortfolioEnd } from "./portfolio.ts";
import { dataFile, missingData, type Parameters, stillTaken } from "./source/data.ts";

const missing_value = /must be defined/;
const steps = [correct_and_solve];

/** One `solve_model` call. */
export class Solve {
  readonly #call: Call;
  readonly #judge: Judge;
  /** The accepted part of the answer, once `outcome` has found it. */
  accepted: Accepted | undefined;

  constructor(call: Call) {
    this.#call = call;
    this.#judge = new Judge(call, () => accountOf(call.model));
  }

  /**
   * Solves the model, with all tasks in the same place; includes the objective's terms if requested. Raises a fault if
   * the model can't be run.
   */
  async outcome(has_account = false): Promise<Outcome> {
    const finding = await this.finding();
    if (!finding) return neverBegun();
    this.accepted = finding;
    const { model, context } = this.#call;
    const objective_terms = has_account && optimises(model) ? await termsOf(this.#call, finding) : [];
    // The second opinion comes before the search for a conflict, which uses the remaining time.
    const second = context.options.check ? await secondOpinion(this.#call, finding) : undefined;
    const outcome = await outcomeOf(this.#call, finding, (part) => new Solve(part));
    return {
      ...outcome,
      ...(second?.verdict === "confirmed" && { confirmed_by: second.by }),
      ...(second?.verdict === "open" && second.reason !== undefined && { unconfirmed: second.reason }),
      objective_terms,
    };
  }

  /** Whether the model has a solution, decided as in `outcome`. Raises the same faults as `outcome`. */
  async decided(): Promise<"sat" | "unsat" | "open"> {
    const kind = (await this.finding())?.decision.kind;
    return kind === "sat" || kind === "unsat" ? kind : "open";
  }

  /** Whether the first solver says that there is no solution; "doubted" if its claim alone is not accepted. */
  async claimed(): Promise<"unsat" | "doubted" | "open"> {
    const question = await this.#question();
    if (question.time_ms <= 0) return "open";
    const [solver = ""] = solversFor(question, this.#call.build, this.#call.context.options.solver);
    const reply = await this.#ask({ ...question, solver });
    const { ending } = reply.end;
    const has_ended = ending.kind === "exited" && ending.code === 0 && reply.answer.errors.length === 0;
    if (!has_ended || reply.solutions_seen > 0) return "open";
    const decision = decisionOf(reply);
    if (decision?.kind === "unsat") return "unsat";
    return decision && doubtOf(decision).length > 0 ? "doubted" : "open";
  }

  /**
   * Returns the accepted part of the answer; undefined if time ran out before solving could begin. Raises the same
   * faults as `outcome`.
   */
  async finding(): Promise<Accepted | undefined> {
    const question = await this.#question();
    if (question.time_ms <= 0) return undefined;
    const { build, context } = this.#call;
    if (isPortfolio(question, build, context.options.solver))
      return this.#findingOfAll(await new Portfolio(this.#call, question, this.#teller()).end());
    const reply = await this.#firstAble(question, solversFor(question, build, context.options.solver));
    if ("decision" in reply) return reply;
    const crash = keptOfCrash(reply);
    return this.#findingOf(crash?.kept ?? reply, crash ? [crash.note] : []);
  }

  /**
   * Returns the accepted part of several replies. If nothing of the best reply is accepted, because its values are wrong
   * or its solver is not trusted, tries the best solution of another solver.
   */
  async #findingOfAll({ reply, others, notes }: PortfolioEnd): Promise<Accepted> {
    const finding = await this.#findingOf(reply, notes);
    const { decision } = finding;
    if (decision.kind !== "undecided") return finding;
    const with_solutions = others.filter(({ answer }) => answer.solutions.length > 0);
    const next = bestReply(with_solutions, this.#call.model.goal);
    if (next === undefined) return finding;
    const left = with_solutions.filter((each) => each !== next);
    const instead = await this.#findingOfAll({ reply: next, others: left, notes: [...notes, ...decision.why] });
    return instead.decision.kind === "undecided" ? finding : instead;
  }

  async #findingOf(reply: Reply, notes: readonly string[]): Promise<Accepted> {
    const [error] = reply.answer.errors;
    if (error && missing_value.test(error.message))
      throw (await this.#missing()) ?? faultOf(error, this.#call.model.lines, steps);
    if (error) throw faultOf(error, this.#call.model.lines, steps);
    const accepted = await this.#judge.accepted(reply, notes);
    if (!("kind" in accepted)) return accepted;
    const { solver } = reply.question;
    const { reach } = accepted;
    throw crashFault(accepted.text, accepted.how, nameOf(solver), {
      doubt: reach,
      position: placeOfDoubt(this.#call.model, reach, solver),
      installed: reply.installed ?? [],
    });
  }

  /**
   * Returns the answer of the first solver that supports the model, or Z3's answer if linear solvers do not support it.
   */
  async #firstAble(
    question: Omit<Question, "solver">,
    [first = "", ...others]: readonly string[],
  ): Promise<Reply | Accepted> {
    let reply = await this.#ask({ ...question, solver: first });
    const finding = isUnable(reply) ? await this.#judge.foundExactly(reply) : undefined;
    if (finding) return finding;
    for (const solver of others) {
      const time_ms = timeToSolve(this.#call.context.deadline.left_ms);
      if (!isUnable(reply) || time_ms <= 0) break;
      const next = await this.#ask({ ...question, solver, time_ms });
      // Linear solvers reject everything that is not a sum, so their faults are the least informative.
      if (!isUnable(next) || kindOf(solver) !== "linear") reply = next;
    }
    return reply;
  }

  #ask(question: Question): Promise<Reply> {
    return ask(this.#call.run, this.#call.build, question, this.#call.context.deadline, { onSolution: this.#teller() });
  }

  async #question(): Promise<Omit<Question, "solver">> {
    const { all_solutions, max_solutions, hint } = this.#call.context.options;
    const many = all_solutions || max_solutions !== undefined;
    const solutions_max =
      many && !optimises(this.#call.model) ? (max_solutions ?? model_limits.solutions_max) : undefined;
    return {
      source: this.#call.model.source,
      data: await this.dataFiles(),
      ...(solutions_max !== undefined && { solutions_max }),
      time_ms: timeToSolve(this.#call.context.deadline.left_ms),
      ...(this.#call.context.options.reproducible && { workers: 1 }),
      ...(hint && { hint }),
    };
  }

  /** Returns the data in MiniZinc's format. Raises the same faults as `parametersOf`. */
  async dataFiles(): Promise<readonly string[]> {
    const { data, data_kept = [] } = this.#call.context.options;
    if (this.#call.data) return this.#call.data;
    if (data === undefined) return [];
    const parameters = await this.#parameters();
    return [dataFile(stillTaken(data, data_kept, parameters), parameters)];
  }

  /** Creates the fault that lists the names without a value. */
  async #missing() {
    return missingData(this.#call.context.options.data ?? {}, await this.#parameters());
  }

  #parameters(): Promise<Parameters> {
    const { engine, model, context } = this.#call;
    return parametersOf(engine, { model, data: context.options.data }, context.deadline);
  }

  /** Reports each better solution to the client. */
  #teller(): ((solution: Solution) => void) | undefined {
    if (!optimises(this.#call.model)) return undefined;
    const start = performance.now();
    return ({ objective, bound }) => {
      const seconds = (performance.now() - start) / 1000;
      const is_number = typeof objective === "number" && Number.isFinite(objective);
      this.#call.context.news(betterWords(objective, seconds, bound), is_number ? { objective, bound } : undefined);
    };
  }
}
