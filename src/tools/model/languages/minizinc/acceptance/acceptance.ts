import type { Build, MiniZinc, RunTask, TakePlace } from "../../../../../engines/minizinc/index.ts";
import type { SmtSolver } from "../../../../../engines/smt/solver.ts";
import { check, isRefuted, isStrict, type Refutation } from "../../../../../evidence/flatzinc/claim.ts";
import { DOUBT_REASONS, type DoubtReason, kindOf, namesFloats } from "../../../../../evidence/flatzinc/trust.ts";
import { checkSolutions } from "../../../../../evidence/flatzinc/values.ts";
import type { Deadline } from "../../../../../kernel/deadline.ts";
import type { Term } from "../../../../../kernel/evidence.ts";
import { type NotShown, undecided } from "../../../../../kernel/verdict.ts";
import type { SolveContext } from "../../../language.ts";
import { model_limits } from "../../../limits.ts";
import { isBetter } from "../best_reply.ts";
import { accountOf } from "../explain/terms.ts";
import { type Model, optimises } from "../model.ts";
import {
  askIfAble,
  compileStandard,
  type Question,
  type Reply,
  readable,
  type Standard,
  timeToSolve,
} from "../question.ts";
import { betterNote, evaluationNote, excessNotes, proofNotes, rounding_note } from "../remarks.ts";
import { namesWithValue, variablesIn } from "../source/declarations.ts";
import { isPlain } from "../source/fixed.ts";
import { othersThan, trustedInstead, usesFloats } from "./choice.ts";
import {
  claimOf,
  type Decision,
  decisionOf,
  doubtOf,
  isDecidedByCompiler,
  nameOf,
  type Solved,
  type Unsolved,
} from "./decide.ts";
import { type Evaluation, evaluated } from "./source.ts";

/** The resources that a `solve_model` call uses: MiniZinc with its tasks, and Z3 for exact arithmetic. */
export interface Call {
  readonly engine: Pick<MiniZinc, "build" | "check">;
  readonly z3: Pick<SmtSolver, "run">;
  readonly run: RunTask;
  readonly takePlace: TakePlace;
  readonly build: Build;
  /** Functions that look up whether CP-SAT is available now, and that prepare it for a later call. */
  readonly cp_sat?: { readonly isReady: () => Promise<boolean>; readonly prepare: () => void };
  readonly model: Model;
  /** The data in MiniZinc's format, if it was already written. */
  readonly data?: readonly string[];
  readonly context: SolveContext;
}

/** A solver run, the part of its answer that is accepted, and remarks on it. */
export interface Finding {
  readonly reply: Reply;
  readonly decision: Decision;
  readonly notes: readonly string[];
  /** Set if the answer is from Z3, because none of MiniZinc's solvers supports the model. */
  readonly by?: "z3";
  /** Set if another engine proved the solver's claim. */
  readonly proved_by?: "z3";
  /** The terms of the objective, if they were computed with the check of the values. */
  readonly terms?: readonly Term[] | undefined;
}

/**
 * Decides which part of a solver's answer to accept. The rest counts as undecided unless a second solver or exact
 * arithmetic confirms it.
 */
export class Acceptance {
  readonly #call: Call;
  #compiled: Promise<Standard | undefined> | undefined;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Asks Z3, within a share of the time, about a model with floats that the first solver does not support, such as a
   * non-linear one. The remaining solvers would enumerate the doubles one by one. Z3 is not asked for an optimum or for
   * all solutions, or if the call named a solver.
   */
  async foundExactly(reply: Reply): Promise<Finding | undefined> {
    const { solver, source, data, solutions_max } = reply.question;
    const is_named = this.#call.context.options.solver !== undefined;
    if (is_named || optimises(this.#call.model) || solutions_max !== undefined) return undefined;
    const standard = [source, ...data].some(namesFloats) ? await this.#standard(reply.question) : undefined;
    if (!standard) return undefined;
    const exactly = await check(this.#call.z3, standard, { kind: "unsat" }, this.#share());
    const unable: Finding = {
      reply: { ...reply, answer: { ...reply.answer, errors: [] } },
      decision: { ...undecided("doubted", DOUBT_REASONS.float), why: [], doubt: [] },
      notes: [],
    };
    if (exactly.kind === "proven")
      return { ...unable, decision: { kind: "unsat" }, notes: proofNotes({ kind: "unsat" }), by: "z3" };
    if (exactly.kind === "undecided") return undefined;
    const finding = this.#withExactSolution(unable, exactly.counterexample, nameOf(solver));
    return finding.decision.kind === "sat" ? { ...finding, by: "z3" } : undefined;
  }

  /** Removes doubts about rounding if every comparison that the compiler decided has a clear margin. */
  async withoutNeedlessDoubt(reply: Reply): Promise<Reply> {
    const claims =
      reply.solutions_seen === 0 || optimises(this.#call.model) || reply.question.solutions_max !== undefined;
    if (!claims || !isDecidedByCompiler(reply)) return reply;
    const standard = await this.#standard(reply.question);
    return { ...reply, is_clear: standard?.clear === true };
  }

  /** Asks another solver if the first solver's claim is not accepted. */
  async reconsidered(finding: Finding): Promise<Finding> {
    const { reply, decision } = finding;
    if (doubtOf(decision).length === 0) return finding;
    const has_cp_sat = (await this.#call.cp_sat?.isReady()) ?? false;
    const solver = trustedInstead(decision, reply.question.solver, this.#call.build, has_cp_sat);
    const time_ms = timeToSolve(this.#call.context.deadline.left_ms);
    if (solver === undefined || time_ms <= 0 || reply.also_ran?.includes(nameOf(solver))) return finding;
    const second = await askIfAble(
      this.#call.run,
      this.#call.build,
      { ...reply.question, solver, time_ms },
      this.#call.context.deadline,
    );
    // Even a run stopped by a limit can have values.
    const decided = second?.answer.errors.length === 0 ? decisionOf(second) : undefined;
    if (second === undefined || decided === undefined) return finding;
    const is_better =
      decided.kind === "unsat" ||
      (decided.kind === "sat" && (decided.proved || decision.kind === "undecided" || !optimises(this.#call.model)));
    if (!is_better || (decided.kind === "unsat" && reply.solutions_seen > 0)) return finding;
    const excluded = await this.#excludedBy(decided, second, reply);
    if (excluded !== undefined) return { ...finding, notes: [...finding.notes, excluded] };
    const [doubt] = doubtOf(decision);
    const note = `${nameOf(reply.question.solver)} is not trusted here (${doubt?.what ?? "its numbers"}); this answer is from ${nameOf(solver)}.`;
    return { reply: second, decision: decided, notes: [...finding.notes, note] };
  }

  /**
   * Returns a note if the claimed optimum is worse than the first solver's solution, and no check shows that solution
   * to be wrong.
   */
  async #excludedBy(decided: Decision, second: Reply, first: Reply): Promise<string | undefined> {
    const solution = first.answer.solutions.at(-1);
    if (decided.kind !== "sat" || !solution || !isBetter(solution, decided.witness, this.#call.model.goal))
      return undefined;
    const standard = await this.#standard(first.question);
    if (standard && checkSolutions(standard.model, [solution]).broken !== undefined) return undefined;
    const claim = `${nameOf(second.question.solver)} claimed that ${String(decided.witness.objective)} is the best value`;
    return `${claim}, and ${nameOf(first.question.solver)} has a better solution. The claim was discarded.`;
  }

  /** Checks the solutions against the model's own text, and against the compiled model in exact arithmetic. */
  async checked(finding: Finding): Promise<Finding> {
    const { reply, decision } = finding;
    if (decision.kind !== "sat") return finding;
    const { solver } = reply.question;
    const { solutions } = reply.answer;
    const kind = kindOf(solver);
    const evaluation = await this.#evaluated(reply, decision);
    if (evaluation?.kind === "broken") return this.#broken(finding, evaluation.what);
    const terms = evaluation?.kind === "holds" ? evaluation.terms : undefined;
    const notes = [...finding.notes, ...(evaluation?.kind === "open" ? [evaluationNote(evaluation.why)] : [])];
    // A constraint that the compiler translates wrongly is wrong in every compiled form.
    if (evaluation?.kind === "open" && decision.doubt.some(({ reason }) => reason === DOUBT_REASONS.misstated))
      return { ...finding, decision: doubted(decision, DOUBT_REASONS.misstated) };
    const floats = decision.doubt.some(
      ({ reason }) => reason === DOUBT_REASONS.float || reason === DOUBT_REASONS.compiler,
    );
    const is_compiled_apart = kind === "linear" || (kind === "cp_sat" && evaluation?.kind !== "holds");
    const standard = floats || is_compiled_apart ? await this.#standard(reply.question) : undefined;
    const compiled = standard?.model ?? readable(reply.compiled);
    const check = compiled && checkSolutions(compiled, solutions);
    if (check?.broken !== undefined) return this.#broken(finding, check.broken);
    // CP-SAT computes in integers, so nothing depends on rounding.
    const may_be_rounded = kind !== "cp_sat" && standard?.exact;
    if (may_be_rounded && check && (check.excess > 0 || check.unchecked.length > 0)) {
      if (await isRefuted(this.#call.z3, standard.model, decision.witness, this.#share()))
        return this.#broken(
          finding,
          "the constraints on floats, which hold for these integers only because of rounding",
        );
    }
    if (floats) {
      const check_notes = check
        ? excessNotes(check, nameOf(solver))
        : ["The values were not checked in exact arithmetic."];
      return { ...finding, notes: [...notes, ...check_notes, ...(standard?.exact ? [] : [rounding_note])] };
    }
    const is_confirmed = check !== undefined && check.unchecked.length === 0;
    if (evaluation?.kind === "holds" || decision.doubt.length === 0 || is_confirmed)
      return { ...finding, notes, terms };
    return { ...finding, decision: doubted(decision, decision.doubt[0]?.reason ?? DOUBT_REASONS.reach) };
  }

  #broken({ reply, decision, notes }: Finding, constraint: string): Finding {
    const others = othersThan(reply, this.#call.build);
    const next = others.length > 0 ? ` Use another solver: ${others.join(", ")}.` : "";
    const why = `The values of ${nameOf(reply.question.solver)} violate ${constraint}: they are not a solution.${next}`;
    return {
      reply,
      notes,
      decision: { ...undecided("unconfirmed", not_a_solution), why: [why], doubt: doubtOf(decision) },
    };
  }

  /** Uses exact arithmetic to decide a solver's claim that was not accepted. */
  async proved(finding: Finding): Promise<Finding> {
    const { reply, decision, notes } = finding;
    const doubt = doubtOf(decision);
    const compiled_wrongly: readonly DoubtReason[] = [DOUBT_REASONS.misstated, DOUBT_REASONS.restricted];
    const doubtful = doubt.length > 0 && !doubt.some(({ reason }) => compiled_wrongly.includes(reason));
    const standard = doubtful ? await this.#standard(reply.question) : undefined;
    const claim = standard && claimOf(reply, decision, standard.model);
    if (!claim) return finding;
    this.#call.context.progress("confirming the answer in exact arithmetic");
    const before_last_word = this.#call.context.deadline.earlierBy(model_limits.minizinc_last_word_ms);
    const exactly = await check(this.#call.z3, standard, claim, before_last_word);
    const solver = nameOf(reply.question.solver);
    if (exactly.kind === "undecided") return finding;
    if (exactly.kind === "proven") {
      const by_z3 = exactly.proof.by === "z3" && ({ proved_by: "z3" } as const);
      const proved = { reply, notes: [...notes, ...proofNotes(claim)], ...by_z3 };
      return decision.kind === "sat"
        ? { ...proved, decision: { ...decision, proved: true, doubt: [] } }
        : { ...proved, decision: { kind: "unsat" } };
    }
    if (decision.kind === "sat") return { ...finding, notes: [...notes, betterNote(claim, isStrict(standard.model))] };
    return this.#withExactSolution(finding, exactly.counterexample, solver);
  }

  /** Uses the solution that exact arithmetic found although the solver claims that none exists. */
  #withExactSolution(finding: Finding, found: Refutation | NotShown, solver: string): Finding {
    const { reply, notes } = finding;
    const { statements } = this.#call.model;
    const has_enums = statements.some(({ tokens: [first] }) => first?.text === "enum");
    // Values that the compiler itself computed do not occur in any compiled model.
    const own = namesWithValue(statements);
    const isWhole = ({ values }: Refutation) =>
      variablesIn(statements).every(({ name: { text } }) => own.has(text) || Object.hasOwn(values, text));
    if (!("values" in found) || has_enums || !isWhole(found))
      return { ...finding, notes: [...notes, `Z3 finds solutions in exact arithmetic, but ${solver} found none.`] };
    const { values, check } = found;
    const witness = { values, text: "", objective: optimises(this.#call.model) ? check.objective : undefined };
    const answer = { ...reply.answer, solutions: [witness] };
    return {
      reply: { ...reply, answer, solutions_seen: 1 },
      decision: { kind: "sat", witness, proved: false, limit: undefined, doubt: [] },
      notes: [
        ...notes,
        `${solver} ${reply.answer.status === undefined ? "does not support the model" : "finds no correct solution"}; this solution is from Z3, in exact arithmetic.`,
        ...excessNotes(check, "Z3"),
      ],
    };
  }

  /** The deadline of a step that may use only a share of the time, or this minimum. */
  #share(ms_min = 0): Deadline {
    const { deadline } = this.#call.context;
    return deadline.atMost(Math.max(ms_min, deadline.left_ms * model_limits.minizinc_refute_share));
  }

  /** Compiles the model to MiniZinc's standard constraints rather than for a particular solver. */
  #standard(question: Question): Promise<Standard | undefined> {
    this.#compiled ??= compileStandard(this.#call.run, question, this.#call.context.deadline);
    return this.#compiled;
  }

  /**
   * Whether there are no doubts about the answer, and the model uses only constructs that are known to be compiled
   * correctly.
   */
  #isPlain({ question }: Pick<Reply, "question">, { doubt }: Pick<Solved, "doubt">): boolean {
    return doubt.length === 0 && isPlain(question.source);
  }

  /**
   * Evaluates the model's own text with the values of the solutions: of all solutions if there is a doubt about the
   * answer, otherwise of the last one. Returns undefined without evaluating a model with floats, which are rounded, or
   * a model that uses only constructs known to be compiled correctly.
   */
  async #evaluated({ question, answer }: Reply, { witness, doubt }: Solved): Promise<Evaluation | undefined> {
    if (usesFloats(question)) return undefined;
    // A model compiled for CP-SAT is not itself checked, so its solutions are always evaluated.
    if (this.#isPlain({ question }, { doubt }) && kindOf(question.solver) !== "cp_sat") return undefined;
    const share = this.#share(model_limits.minizinc_evaluation_ms);
    if (doubt.length === 0) {
      const account = accountOf(this.#call.model);
      const evaluation = await evaluated(this.#call, question, witness, share, account);
      // A term may not compile although the model does.
      if (evaluation.kind === "holds" || !account) return evaluation;
    }
    for (const solution of doubt.length > 0 ? answer.solutions : [witness]) {
      const evaluation = await evaluated(this.#call, question, solution, share);
      if (evaluation.kind !== "holds") return evaluation;
    }
    return { kind: "holds" };
  }
}

/** The reason to reject an answer whose values are not a solution of the model. */
const not_a_solution = "the solver's solution does not hold";

/** What remains of an answer if even its values are not accepted. */
function doubted({ limit, doubt }: Solved, reason: DoubtReason): Unsolved {
  return { ...undecided("doubted", reason), cut_by: limit, why: [], doubt };
}
