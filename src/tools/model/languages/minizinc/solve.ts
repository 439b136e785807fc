import { writeExactJson } from "../../../../engines/minizinc/exact_json.ts";
import type { FlatZinc } from "../../../../engines/minizinc/flatzinc/parse.ts";
import { DOUBT_REASONS, type DoubtReason, kindOf, namesFloats } from "../../../../engines/minizinc/flatzinc/trust.ts";
import type { Build, MiniZinc, RunTask } from "../../../../engines/minizinc/index.ts";
import type { Solution } from "../../../../engines/minizinc/read.ts";
import type { SmtSolver } from "../../../../engines/smt/solver.ts";
import type { Deadline } from "../../../../kernel/deadline.ts";
import { type NotShown, undecided } from "../../../../kernel/verdict.ts";
import { type Found, notBegun, type Open, type Outcome, type SolveContext } from "../../language.ts";
import { model_limits } from "../../limits.ts";
import { checkSolutions } from "./check.ts";
import { believed, isUnable, othersThan, solversFor } from "./choice.ts";
import { findConflict } from "./conflict.ts";
import { type Decision, decide, doubtOf, isDecidedByCompiler, nameOf, type Solved, type Unsolved } from "./decide.ts";
import { claimOf, decideExactly, isRefuted, isStrict } from "./exact.ts";
import { faultOf, remarkText } from "./faults.ts";
import { additions, type Model, parametersOf, placeOfDoubt } from "./model.ts";
import { ask, compileStandard, type Question, type Reply, type Standard, solverId, timeToSolve } from "./question.ts";
import {
  told_no_conflict,
  told_rounding,
  toldBetter,
  toldDoubt,
  toldExcess,
  toldLimit,
  toldProof,
  toldStatistics,
} from "./remarks.ts";
import { dataFile, missingData, stillTaken } from "./source/data.ts";
import { namesOfVariables, namesWithValue } from "./source/shown.ts";
import { plainValues } from "./values.ts";

const missing_value = /must be defined/;
const mend = ["mend the item with replace_item, then solve again"];

/** A run, what of it may be believed, and what there is to say of that. */
interface Finding {
  readonly reply: Reply;
  readonly decision: Decision;
  readonly notes: readonly string[];
  /** Where no solver of MiniZinc has what the model needs. */
  readonly by?: "z3";
}

/** What answers: MiniZinc with the tasks of one call, and Z3 for what has to be exact. */
interface Engines {
  readonly engine: MiniZinc;
  readonly z3: Pick<SmtSolver, "run">;
  readonly run: RunTask;
  readonly build: Build;
}

/** One call of `solve_model`. */
export class Solve {
  readonly #engine: MiniZinc;
  readonly #model: Model;
  readonly #context: SolveContext;
  readonly #run: RunTask;
  readonly #build: Build;
  readonly #z3: Pick<SmtSolver, "run">;
  readonly #deadline: Deadline;
  #compiled: Promise<Standard | undefined> | undefined;

  constructor({ engine, z3, run, build }: Engines, model: Model, context: SolveContext) {
    this.#engine = engine;
    this.#z3 = z3;
    this.#run = run;
    this.#build = build;
    this.#model = model;
    this.#context = context;
    this.#deadline = context.deadline;
  }

  /** Solves with tasks that all run in the same place. Raises a fault when the model can't be run. */
  async outcome(): Promise<Outcome> {
    const question = await this.#question();
    if (question.time_ms <= 0) return neverBegun();
    const reply = await this.#firstAble(question);
    if ("decision" in reply) return this.#outcomeOf(reply);
    const [error] = reply.answer.errors;
    if (error && missing_value.test(error.message))
      throw (await this.#missing()) ?? faultOf(error, this.#model.lines, mend);
    if (error) throw faultOf(error, this.#model.lines, mend);
    const own = await this.#withoutNeedlessDoubt(reply);
    const decision = decide(own, (doubt) => placeOfDoubt(this.#model, doubt, own.question.solver));
    const finding = await this.#checked(await this.#reconsidered({ reply: own, decision, notes: [] }));
    return this.#outcomeOf(await this.#proved(finding));
  }

  /** The answer of the first solver that has what the model needs, or what Z3 finds where linear solvers do not. */
  async #firstAble(question: Omit<Question, "solver">): Promise<Reply | Finding> {
    const [first = "", ...others] = solversFor(question, this.#build, this.#context.options.solver);
    let reply = await this.#ask({ ...question, solver: first });
    const found = isUnable(reply) ? await this.#foundExactly(reply) : undefined;
    if (found) return found;
    for (const solver of others) {
      const time_ms = timeToSolve(this.#deadline.left_ms);
      if (!isUnable(reply) || time_ms <= 0) break;
      const next = await this.#ask({ ...question, solver, time_ms });
      // Linear solvers refuse whatever is no sum: their fault says least.
      if (!isUnable(next) || kindOf(solver) !== "linear") reply = next;
    }
    return reply;
  }

  /**
   * What Z3 finds, in a share of the time, for a model with floats that the first solver can't take, such as one that is
   * not linear: the others go through the doubles one by one. Not for the best or all solutions, nor where a solver was named.
   */
  async #foundExactly(reply: Reply): Promise<Finding | undefined> {
    const { solver, source, data, solutions_max } = reply.question;
    const is_named = this.#context.options.solver !== undefined;
    if (is_named || this.#optimises || solutions_max !== undefined) return undefined;
    const standard = [source, ...data].some(namesFloats) ? await this.#standard(reply.question) : undefined;
    if (!standard) return undefined;
    const share = this.#deadline.atMost(this.#deadline.left_ms * model_limits.minizinc_refute_share);
    const exactly = await decideExactly(this.#z3, standard, { kind: "unsat" }, share);
    const unable: Finding = {
      reply: { ...reply, answer: { ...reply.answer, errors: [] } },
      decision: { ...undecided("doubted", DOUBT_REASONS.float), why: [], doubt: [] },
      notes: [],
    };
    if (exactly.kind === "proven")
      return { ...unable, decision: { kind: "unsat" }, notes: toldProof({ kind: "unsat" }), by: "z3" };
    if (exactly.kind === "undecided") return undefined;
    const found = this.#withExactSolution(unable, standard.model, exactly.counterexample, nameOf(solver));
    return found.decision.kind === "sat" ? { ...found, by: "z3" } : undefined;
  }

  #ask(question: Question): Promise<Reply> {
    return ask(this.#run, this.#build, question, this.#deadline, this.#teller());
  }

  /** Rounding can't have changed what the compiler decided where all of it is far from its boundary. */
  async #withoutNeedlessDoubt(reply: Reply): Promise<Reply> {
    const claims = reply.solutions_seen === 0 || this.#optimises || reply.question.solutions_max !== undefined;
    if (!claims || !isDecidedByCompiler(reply)) return reply;
    const standard = await this.#standard(reply.question);
    return { ...reply, is_clear: standard?.clear === true };
  }

  /** Lets another solver answer where the word of the first one does not count. */
  async #reconsidered(finding: Finding): Promise<Finding> {
    const { reply, decision } = finding;
    const solver = believed(decision, reply.question.solver, this.#build);
    const time_ms = timeToSolve(this.#deadline.left_ms);
    if (solver === undefined || time_ms <= 0) return finding;
    const second = await ask(this.#run, this.#build, { ...reply.question, solver, time_ms }, this.#deadline);
    if (second.answer.errors.length > 0 || second.end.ending.kind !== "exited" || second.end.ending.code !== 0)
      return finding;
    const decided = decide(second);
    const is_better =
      decided.kind === "unsat" || (decided.kind === "sat" && (decided.proved || decision.kind === "undecided"));
    if (!is_better || (decided.kind === "unsat" && reply.solutions_seen > 0)) return finding;
    const [doubt] = doubtOf(decision);
    const note = `${nameOf(reply.question.solver)} is not believed here (${doubt?.what ?? "its numbers"}); this is the answer of ${nameOf(solver)}.`;
    return { reply: second, decision: decided, notes: [note] };
  }

  /** Holds the solutions against the compiled model, in exact arithmetic. */
  async #checked(finding: Finding): Promise<Finding> {
    const { reply, decision, notes } = finding;
    if (decision.kind !== "sat") return finding;
    // What the library states wrongly is wrong in all that is compiled by it: values can't be held against anything.
    if (decision.doubt.some(({ reason }) => reason === DOUBT_REASONS.misstated))
      return { ...finding, decision: doubted(decision, DOUBT_REASONS.misstated) };
    const { solver } = reply.question;
    const { solutions } = reply.answer;
    const { witness: last } = decision;
    const floats = decision.doubt.some(
      ({ reason }) => reason === DOUBT_REASONS.float || reason === DOUBT_REASONS.compiler,
    );
    const standard = floats || kindOf(solver) === "linear" ? await this.#standard(reply.question) : undefined;
    const compiled = standard?.model ?? reply.compiled;
    const check = compiled && compiled !== "unreadable" ? checkSolutions(compiled, solutions) : undefined;
    if (check?.broken !== undefined) return this.#broken(finding, check.broken);
    if (standard?.exact && check && check.excess > 0) {
      const share = this.#deadline.atMost(this.#deadline.left_ms * model_limits.minizinc_refute_share);
      if (await isRefuted(this.#z3, standard.model, last, share))
        return this.#broken(finding, "the constraints on floats, which only rounding allows with these whole numbers");
    }
    if (floats) {
      const kept = check ? toldExcess(check, nameOf(solver)) : ["The values were not checked in exact arithmetic."];
      return { ...finding, notes: [...notes, ...kept, ...(standard?.exact ? [] : [told_rounding])] };
    }
    const doubtful = decision.doubt.some(({ reason }) => reason !== DOUBT_REASONS.unmeasured);
    const is_confirmed = check !== undefined && check.unchecked.length === 0;
    if (!doubtful || is_confirmed || (await this.#confirmed(last, reply))) return finding;
    return { ...finding, decision: doubted(decision, decision.doubt[0]?.reason ?? DOUBT_REASONS.reach) };
  }

  #broken({ reply, decision, notes }: Finding, constraint: string): Finding {
    const others = othersThan(reply.question.solver, this.#build);
    const next = others.length > 0 ? ` Take another solver: ${others.join(", ")}.` : "";
    const why = `The values that ${nameOf(reply.question.solver)} gave break ${constraint}: they are no solution.${next}`;
    return {
      reply,
      notes,
      decision: { ...undecided("unconfirmed", not_a_solution), why: [why], doubt: doubtOf(decision) },
    };
  }

  /** Decides in exact arithmetic what a solver claims without being believed. */
  async #proved(finding: Finding): Promise<Finding> {
    const { reply, decision, notes } = finding;
    const doubt = doubtOf(decision);
    const doubtful = doubt.length > 0 && doubt.every(({ reason }) => reason !== DOUBT_REASONS.misstated);
    const standard = doubtful ? await this.#standard(reply.question) : undefined;
    const claim = standard && claimOf(reply, decision, standard.model);
    if (!claim) return finding;
    this.#context.progress("confirming the answer in exact arithmetic");
    const before_last_word = this.#deadline.earlierBy(model_limits.minizinc_last_word_ms);
    const exactly = await decideExactly(this.#z3, standard, claim, before_last_word);
    const solver = nameOf(reply.question.solver);
    if (exactly.kind === "undecided") return finding;
    if (exactly.kind === "proven" && decision.kind === "sat")
      return { reply, decision: { ...decision, proved: true, doubt: [] }, notes: [...notes, ...toldProof(claim)] };
    if (exactly.kind === "proven")
      return { reply, decision: { kind: "unsat" }, notes: [...notes, ...toldProof(claim)] };
    if (decision.kind === "sat") return { ...finding, notes: [...notes, toldBetter(claim, isStrict(standard.model))] };
    return this.#withExactSolution(finding, standard.model, exactly.counterexample, solver);
  }

  /** The solution that exact arithmetic found where the solver says that there is none. */
  #withExactSolution(
    finding: Finding,
    model: FlatZinc,
    counterexample: Pick<Solution, "values"> | NotShown,
    solver: string,
  ): Finding {
    const { reply, notes } = finding;
    const has_enums = this.#model.statements.some(({ tokens: [first] }) => first?.text === "enum");
    // What the compiler gave a value itself is in no compiled model.
    const { statements } = this.#model;
    const own = namesWithValue(statements);
    const values = "values" in counterexample ? counterexample.values : undefined;
    const is_whole =
      values && namesOfVariables(statements).every((name) => own.has(name) || Object.hasOwn(values, name));
    const solution = is_whole && { values, objective: undefined, text: "" };
    const check = solution && checkSolutions(model, [solution]);
    if (!solution || !check || has_enums || check.broken !== undefined)
      return { ...finding, notes: [...notes, `Exact arithmetic finds solutions, which ${solver} does not.`] };
    const witness = { ...solution, objective: this.#optimises ? check.objective : undefined };
    const answer = { ...reply.answer, solutions: [witness] };
    return {
      reply: { ...reply, answer, solutions_seen: 1 },
      decision: { kind: "sat", witness, proved: false, limit: undefined, doubt: [] },
      notes: [
        ...notes,
        `${solver} ${reply.answer.status === undefined ? "does not have what the model needs" : "finds none that holds"}; this solution is of Z3, in exact arithmetic.`,
        ...toldExcess(check, "Z3"),
      ],
    };
  }

  /** The model compiled to MiniZinc's own constraints, none of them for one solver. */
  #standard(question: Question): Promise<Standard | undefined> {
    this.#compiled ??= compileStandard(this.#run, this.#build, question, this.#deadline);
    return this.#compiled;
  }

  async #outcomeOf({ reply, decision, notes, by }: Finding): Promise<Outcome> {
    const common = { ...this.#common(reply), ...(by && { engine: `minizinc ${this.#build.version}, z3` }) };
    const warnings = [...notes, ...common.warnings];
    if (decision.kind === "sat")
      return {
        ...common,
        verdict: this.#found(decision, reply),
        warnings: [...warnings, ...this.#remarks(decision, reply)],
      };
    if (decision.kind === "undecided")
      return { ...common, verdict: openOf(decision), warnings: [...warnings, ...this.#whyOpen(decision, reply)] };
    if (by) return { ...common, verdict: { kind: "unsat" }, warnings: [...warnings, told_no_conflict] };
    this.#context.progress("looking for the constraints that conflict");
    const conflict = await findConflict(this.#model, reply.question, {
      ask: (question) => ask(this.#run, this.#build, question, this.#deadline),
      left_ms: () => this.#deadline.left_ms,
      solver: reply.question.solver,
      confirm: async (question) => {
        const standard = await compileStandard(this.#run, this.#build, question, this.#deadline);
        const exactly = standard && (await decideExactly(this.#z3, standard, { kind: "unsat" }, this.#deadline));
        return exactly?.kind === "proven";
      },
    });
    const { items } = conflict;
    return {
      ...common,
      verdict: { kind: "unsat", ...(items && { core: { items } }) },
      warnings: [...warnings, ...conflict.warnings],
    };
  }

  async #question(): Promise<Omit<Question, "solver">> {
    const { data, all_solutions, max_solutions } = this.#context.options;
    const files = data === undefined ? [] : [await this.#dataFile(data)];
    const many = all_solutions || max_solutions !== undefined;
    const wanted = many && !this.#optimises ? (max_solutions ?? model_limits.solutions_max) : undefined;
    return {
      source: this.#model.source,
      data: files,
      ...(wanted !== undefined && { solutions_max: wanted }),
      time_ms: timeToSolve(this.#deadline.left_ms),
    };
  }

  async #dataFile(data: NonNullable<SolveContext["options"]["data"]>): Promise<string> {
    const parameters = await parametersOf(this.#engine, this.#model, this.#deadline);
    return dataFile(this.#context.options.data_kept ? stillTaken(data, parameters) : data, parameters);
  }

  get #optimises(): boolean {
    return this.#model.goal === "minimize" || this.#model.goal === "maximize";
  }

  /** The fault that lists what has no value. */
  async #missing() {
    return missingData(this.#context.options.data ?? {}, await parametersOf(this.#engine, this.#model, this.#deadline));
  }

  /** Tells the client of each better solution. */
  #teller(): ((solution: Solution) => void) | undefined {
    if (!this.#optimises) return undefined;
    const start = performance.now();
    return ({ objective }) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      this.#context.news(`objective ${String(objective)} after ${seconds} s`);
    };
  }

  #common({ answer, question }: Reply): Pick<Outcome, "statistics" | "output" | "warnings" | "engine"> {
    const text = answer.solutions.at(-1)?.text ?? "";
    return {
      statistics: toldStatistics(answer.statistics),
      output: [...answer.traces, text].flatMap((part) => (part === "" ? [] : part.replace(/\n$/, "").split("\n"))),
      warnings: [
        ...additions(this.#model),
        ...answer.warnings.map((warning) => remarkText(warning, this.#model.lines)),
      ],
      engine: `minizinc ${this.#build.version}, ${nameOf(question.solver)} (${this.#build.kind})`,
    };
  }

  #found({ witness, proved, doubt }: Solved, { answer, question }: Reply): Found {
    const { solutions, statistics } = answer;
    // HiGHS gives 0 as the bound of a linear programme.
    const bound = proved || doubt.length > 0 ? undefined : boundIn(statistics);
    return {
      kind: "sat",
      witness: { values: plainValues(witness.values) },
      ...(this.#optimises && { best: { value: witness.objective ?? null, proved } }),
      ...(this.#optimises && bound !== undefined && { objective_bound: bound }),
      ...(question.solutions_max !== undefined && { solutions: solutions.map(({ values }) => plainValues(values)) }),
    };
  }

  /** Why nothing is decided, and what to do about it. */
  #whyOpen({ why, doubt }: Unsolved, { question }: Reply): string[] {
    const reach = doubt.filter((each) => each.reason === DOUBT_REASONS.reach).map(({ what }) => what);
    const position = reach.length > 0 ? placeOfDoubt(this.#model, reach, question.solver) : undefined;
    const others = othersThan(question.solver, this.#build);
    return [...why, ...(doubt.length > 0 ? [toldDoubt(doubt, nameOf(question.solver), others, position)] : [])];
  }

  /** What a reader has to know besides the values. */
  #remarks({ proved, limit, doubt }: Solved, { question, solutions_seen: found }: Reply): string[] {
    const { all_solutions, max_solutions } = this.#context.options;
    const many = question.solutions_max !== undefined;
    const others = othersThan(question.solver, this.#build);
    return [
      ...(limit === undefined ? [] : [toldLimit(limit, this.#optimises, others)]),
      ...(doubt.length > 0 && (this.#optimises || many)
        ? [`Nothing is proved beyond these values. ${toldDoubt(doubt, nameOf(question.solver), others)}`]
        : []),
      ...(many && proved ? [`These are all solutions: ${found}.`] : []),
      ...(many && !proved && limit === undefined ? [`There may be more solutions than these ${found}.`] : []),
      ...((all_solutions || max_solutions !== undefined) && this.#optimises
        ? ["The model optimises: only its best solution is given. For all solutions use `solve satisfy`."]
        : []),
    ];
  }

  /** Whether MiniZinc's own exact arithmetic agrees with a solution: the model is compiled with its values put in. */
  async #confirmed(solution: Solution, { question }: Reply): Promise<boolean> {
    const data = [...question.data, writeExactJson(openValues(solution, this.#model))];
    const time_ms = timeToSolve(this.#deadline.left_ms);
    if (time_ms <= 0) return false;
    const solver = solverId(this.#build, undefined);
    const reply = await ask(this.#run, this.#build, { ...question, data, solver, time_ms }, this.#deadline);
    if (reply.answer.errors.length > 0 || reply.compiled === undefined || reply.compiled === "unreadable") return false;
    const { ending } = reply.end;
    const is_closed = reply.compiled.constraints.length === 0;
    return ending.kind === "exited" && ending.code === 0 && reply.solutions_seen > 0 && is_closed;
  }
}

/** The reason of an answer whose values are none of the model's solutions. */
const not_a_solution = "the solver's solution does not hold";

/** What is left of an answer whose values are not believed either. */
function doubted({ limit, doubt }: Solved, reason: DoubtReason): Unsolved {
  return { ...undecided("doubted", reason), cut_by: limit, why: [], doubt };
}

/** What of it belongs to any language. */
function openOf({ kind, cause, reason, cut_by }: Unsolved): Open {
  return { kind, cause, reason, cut_by };
}

/** The values that the solver chose; the others follow from the model itself, and can't be given again. */
function openValues({ values }: Solution, { statements }: Model): Solution["values"] {
  const valued = namesWithValue(statements);
  return Object.fromEntries(Object.entries(values).filter(([name]) => !valued.has(name)));
}

function boundIn({ objectiveBound }: Readonly<Record<string, unknown>>): number | undefined {
  return typeof objectiveBound === "number" && Number.isFinite(objectiveBound) ? objectiveBound : undefined;
}

/** The time ran out before a process was free and ready. */
export function neverBegun(): Outcome {
  return notBegun("minizinc", "No process was free and ready within the whole time; the model was not begun.");
}
