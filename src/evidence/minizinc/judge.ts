import type { Deadline } from "../../kernel/deadline.ts";
import { confirmed, type Finding, open } from "../../kernel/evidence.ts";
import { type NotShown, undecided } from "../../kernel/verdict.ts";
import { check, isRefuted, isStrict, type Refutation } from "../flatzinc/claim.ts";
import { DOUBT_REASONS, type DoubtReason, kindOf, mayHaveFloats, namesFloats } from "../flatzinc/trust.ts";
import { checkSolutions } from "../flatzinc/values.ts";
import { evidence_limits } from "../limits.ts";
import type { Ruling } from "../ruling.ts";
import { type Asking, optimises } from "./asking.ts";
import { trustedInstead } from "./checkers.ts";
import {
  type Crash,
  claimOf,
  type Decision,
  decide,
  decisionOf,
  doubtOf,
  isDecidedByCompiler,
  nameOf,
  type Solved,
  type Unsolved,
} from "./decide.ts";
import { namesWithValue, variablesIn } from "./declarations.ts";
import { type Account, evaluated } from "./evaluation.ts";
import { excludedBy } from "./exclusion.ts";
import { isPlain } from "./fixed.ts";
import { betterNote, evaluationNote, excessNotes, proofNotes, rounding_note } from "./notes.ts";
import {
  askIfAble,
  compileStandard,
  type Question,
  type Reply,
  readable,
  type Standard,
  timeToSolve,
} from "./question.ts";

/**
 * A solver run, the part of its answer that is accepted, and remarks on it. The finding is about the values or the
 * unsat; its `optimum` is about the claim that there are no others, or no better ones.
 */
export interface Accepted extends Ruling {
  readonly reply: Reply;
  readonly decision: Decision;
  readonly notes: readonly string[];
  /** Set if the answer is from Z3, because none of MiniZinc's solvers supports the model. */
  readonly by?: "z3";
}

const not_checked = open("nothing checked the claim");

/**
 * Decides which part of a solver's answer to accept. The rest counts as undecided unless a second solver or exact
 * arithmetic confirms it.
 */
export class Judge {
  readonly #asking: Asking;
  readonly #account: () => Account | undefined;
  #compiled: Promise<Standard | undefined> | undefined;

  /** `account` computes the terms of the objective together with the check of the values. */
  constructor(asking: Asking, account: () => Account | undefined) {
    this.#asking = asking;
    this.#account = account;
  }

  /** Decides about a run; returns a crash as it is. Raises `cancelled`. */
  async accepted(reply: Reply, notes: readonly string[]): Promise<Accepted | Crash> {
    const own = await this.#withoutNeedlessDoubt(reply);
    const decision = decide(own);
    if (decision.kind === "crashed") return decision;
    const first = await this.#reconsidered({ finding: not_checked, reply: own, decision, notes });
    return this.#proved(await this.#checked(first));
  }

  /**
   * Asks Z3, within a share of the time, about a model with floats that the first solver does not support, such as a
   * non-linear one. The remaining solvers would enumerate the doubles one by one. Z3 is not asked for an optimum or for
   * all solutions, or if the call named a solver.
   */
  async foundExactly(reply: Reply): Promise<Accepted | undefined> {
    const { solver, source, data, solutions_max } = reply.question;
    const is_named = this.#asking.context.options.solver !== undefined;
    if (is_named || optimises(this.#asking.model) || solutions_max !== undefined) return undefined;
    const standard = [source, ...data].some(namesFloats) ? await this.#standard(reply.question) : undefined;
    if (!standard) return undefined;
    const exactly = await check(this.#asking.z3, standard, { kind: "unsat" }, this.#share());
    const unable: Accepted = {
      finding: not_checked,
      reply: { ...reply, answer: { ...reply.answer, errors: [] } },
      decision: { ...undecided("doubted", DOUBT_REASONS.float), why: [], doubt: [] },
      notes: [],
    };
    if (exactly.kind === "proven")
      return { ...unable, decision: { kind: "unsat" }, notes: proofNotes({ kind: "unsat" }), by: "z3" };
    if (exactly.kind === "undecided") return undefined;
    const accepted = this.#withExactSolution(unable, exactly.counterexample, nameOf(solver));
    return accepted.decision.kind === "sat" ? { ...accepted, by: "z3" } : undefined;
  }

  /** Removes doubts about rounding if every comparison that the compiler decided has a clear margin. */
  async #withoutNeedlessDoubt(reply: Reply): Promise<Reply> {
    const claims =
      reply.solutions_seen === 0 || optimises(this.#asking.model) || reply.question.solutions_max !== undefined;
    if (!claims || !isDecidedByCompiler(reply)) return reply;
    const standard = await this.#standard(reply.question);
    return { ...reply, is_clear: standard?.clear === true };
  }

  /** Asks another solver if the first solver's claim is not accepted. */
  async #reconsidered(first: Accepted): Promise<Accepted> {
    const { reply, decision, notes } = first;
    const { run, build, cp_sat, context, model } = this.#asking;
    if (doubtOf(decision).length === 0) return first;
    const solver = trustedInstead(decision, reply.question.solver, build, (await cp_sat?.isReady()) ?? false);
    const time_ms = timeToSolve(context.deadline.left_ms);
    if (solver === undefined || time_ms <= 0 || reply.also_ran?.includes(nameOf(solver))) return first;
    const second = await askIfAble(run, build, { ...reply.question, solver, time_ms }, context.deadline);
    // Even a run stopped by a limit can have values.
    const decided = second?.answer.errors.length === 0 ? decisionOf(second) : undefined;
    if (second === undefined || decided === undefined) return first;
    const is_better =
      decided.kind === "unsat" ||
      (decided.kind === "sat" && (decided.proved || decision.kind === "undecided" || !optimises(model)));
    if (!is_better || (decided.kind === "unsat" && reply.solutions_seen > 0)) return first;
    const excluded =
      decided.kind === "sat"
        ? await excludedBy(
            { solver, decision: decided, goal: model.goal },
            reply.answer.solutions.at(-1),
            nameOf(reply.question.solver),
            () => this.#standard(reply.question),
          )
        : undefined;
    if (excluded && !excluded.is_wrong) return { ...first, notes: [...notes, excluded.note] };
    const [doubt] = doubtOf(decision);
    const note = `${nameOf(reply.question.solver)} is not trusted here (${doubt?.what ?? "its numbers"}); this answer is from ${nameOf(solver)}.`;
    return { finding: not_checked, reply: second, decision: decided, notes: [...notes, note] };
  }

  /** Checks the solutions against the model's own text, and against the compiled model in exact arithmetic. */
  async #checked(accepted: Accepted): Promise<Accepted> {
    const { reply, decision } = accepted;
    if (decision.kind !== "sat") return accepted;
    const { solver } = reply.question;
    const { solutions } = reply.answer;
    const kind = kindOf(solver);
    const finding = (await this.#evaluated(reply, decision)) ?? not_checked;
    if (finding.verdict === "refuted") return broken(accepted, finding.reason ?? "the model");
    const why = finding === not_checked ? undefined : finding.reason;
    const notes = [...accepted.notes, ...(why === undefined ? [] : [evaluationNote(why)])];
    // A constraint that the compiler translates wrongly is wrong in every compiled form.
    if (why !== undefined && decision.doubt.some(({ reason }) => reason === DOUBT_REASONS.misstated))
      return { ...accepted, decision: doubted(decision, DOUBT_REASONS.misstated) };
    const floats = decision.doubt.some(
      ({ reason }) => reason === DOUBT_REASONS.float || reason === DOUBT_REASONS.compiler,
    );
    const is_compiled_apart = kind === "linear" || (kind === "cp_sat" && finding.verdict !== "confirmed");
    const standard = floats || is_compiled_apart ? await this.#standard(reply.question) : undefined;
    const compiled = standard?.model ?? readable(reply.compiled);
    const check = compiled && checkSolutions(compiled, solutions);
    if (check?.broken !== undefined) return broken(accepted, check.broken);
    // CP-SAT computes in integers, so nothing depends on rounding.
    const may_be_rounded = kind !== "cp_sat" && standard?.exact;
    if (may_be_rounded && check && (check.excess > 0 || check.unchecked.length > 0)) {
      if (await isRefuted(this.#asking.z3, standard.model, decision.witness, this.#share()))
        return broken(accepted, "the constraints on floats, which hold for these integers only because of rounding");
    }
    if (floats) {
      const check_notes = check
        ? excessNotes(check, nameOf(solver))
        : ["The values were not checked in exact arithmetic."];
      return { ...accepted, finding, notes: [...notes, ...check_notes, ...(standard?.exact ? [] : [rounding_note])] };
    }
    const is_confirmed = check !== undefined && check.unchecked.length === 0;
    if (finding.verdict === "confirmed" || decision.doubt.length === 0 || is_confirmed)
      return { ...accepted, finding, notes };
    return { ...accepted, decision: doubted(decision, decision.doubt[0]?.reason ?? DOUBT_REASONS.reach) };
  }

  /** Uses exact arithmetic to decide a solver's claim that was not accepted. */
  async #proved(accepted: Accepted): Promise<Accepted> {
    const { reply, decision, notes, finding } = accepted;
    const doubt = doubtOf(decision);
    const compiled_wrongly: readonly DoubtReason[] = [DOUBT_REASONS.misstated, DOUBT_REASONS.restricted];
    const doubtful = doubt.length > 0 && !doubt.some(({ reason }) => compiled_wrongly.includes(reason));
    const standard = doubtful ? await this.#standard(reply.question) : undefined;
    const claim = standard && claimOf(reply, decision, standard.model);
    if (!claim) return accepted;
    const { z3, context } = this.#asking;
    context.progress("confirming the answer in exact arithmetic");
    const exactly = await check(z3, standard, claim, context.deadline.earlierBy(evidence_limits.minizinc_last_word_ms));
    if (exactly.kind === "undecided") return accepted;
    if (exactly.kind === "proven") {
      const by = confirmed(exactly.proof.by === "z3" ? ["z3"] : []);
      const with_notes = { reply, notes: [...notes, ...proofNotes(claim)] };
      return decision.kind === "sat"
        ? { ...with_notes, finding: { ...finding, optimum: by }, decision: { ...decision, proved: true, doubt: [] } }
        : { ...with_notes, finding: by, decision: { kind: "unsat" } };
    }
    if (decision.kind === "sat") return { ...accepted, notes: [...notes, betterNote(claim, isStrict(standard.model))] };
    return this.#withExactSolution(accepted, exactly.counterexample, nameOf(reply.question.solver));
  }

  /** Uses the solution that exact arithmetic found although the solver claims that none exists. */
  #withExactSolution(accepted: Accepted, found: Refutation | NotShown, solver: string): Accepted {
    const { reply, notes } = accepted;
    const { statements } = this.#asking.model;
    const has_enums = statements.some(({ tokens: [first] }) => first?.text === "enum");
    // Values that the compiler itself computed do not occur in any compiled model.
    const own = namesWithValue(statements);
    const isWhole = ({ values }: Refutation) =>
      variablesIn(statements).every(({ name: { text } }) => own.has(text) || Object.hasOwn(values, text));
    if (!("values" in found) || has_enums || !isWhole(found))
      return { ...accepted, notes: [...notes, `Z3 finds solutions in exact arithmetic, but ${solver} found none.`] };
    const { values, check } = found;
    const witness = { values, text: "", objective: optimises(this.#asking.model) ? check.objective : undefined };
    const answer = { ...reply.answer, solutions: [witness] };
    return {
      finding: not_checked,
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
    const { deadline } = this.#asking.context;
    return deadline.atMost(Math.max(ms_min, deadline.left_ms * evidence_limits.minizinc_refute_share));
  }

  /** Compiles the model to MiniZinc's standard constraints rather than for a particular solver. */
  #standard(question: Question): Promise<Standard | undefined> {
    this.#compiled ??= compileStandard(this.#asking.run, question, this.#asking.context.deadline);
    return this.#compiled;
  }

  /**
   * Evaluates the model's own text with the values of the solutions: of all solutions if there is a doubt about the
   * answer, otherwise of the last one. Returns undefined without evaluating a model with floats, which are rounded, or
   * a model that uses only constructs known to be compiled correctly.
   */
  async #evaluated({ question, answer }: Reply, { witness, doubt }: Solved): Promise<Finding | undefined> {
    if (mayHaveFloats(question.source)) return undefined;
    // A model compiled for CP-SAT is not itself checked, so its solutions are always evaluated.
    if (doubt.length === 0 && isPlain(question.source) && kindOf(question.solver) !== "cp_sat") return undefined;
    const share = this.#share(evidence_limits.minizinc_evaluation_ms);
    if (doubt.length === 0) {
      const account = this.#account();
      const finding = await evaluated(this.#asking, question, witness, share, account);
      // A term may not compile although the model does.
      if (finding.verdict === "confirmed" || !account) return finding;
    }
    for (const solution of doubt.length > 0 ? answer.solutions : [witness]) {
      const finding = await evaluated(this.#asking, question, solution, share);
      if (finding.verdict !== "confirmed") return finding;
    }
    return confirmed([]);
  }
}

/** Rejects an answer whose values violate a constraint. */
function broken({ reply, decision, notes, finding }: Accepted, constraint: string): Accepted {
  const why = `The values of ${nameOf(reply.question.solver)} violate ${constraint}: they are not a solution.`;
  const doubt = doubtOf(decision);
  return { finding, reply, notes, decision: { ...undecided("unconfirmed", not_a_solution), why: [why], doubt } };
}

/** The reason to reject an answer whose values are not a solution of the model. */
const not_a_solution = "the solver's solution does not hold";

/** What remains of an answer if even its values are not accepted. */
function doubted({ limit, doubt }: Solved, reason: DoubtReason): Unsolved {
  return { ...undecided("doubted", reason), cut_by: limit, why: [], doubt };
}
