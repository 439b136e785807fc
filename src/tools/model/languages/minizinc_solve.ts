import type { Job } from "../../../kernel/child.ts";
import { limits } from "../../../kernel/limits.ts";
import { OPEN_REASONS } from "../../../kernel/verdict.ts";
import { writeExactJson } from "../../../solvers/minizinc/exact_json.ts";
import type { Build, MiniZinc, RunTask } from "../../../solvers/minizinc/index.ts";
import type { Solution } from "../../../solvers/minizinc/read.ts";
import type { ItemLine, Outcome, SolveContext } from "../language.ts";
import { narrow, placesOf, without } from "./minizinc_conflict.ts";
import { dataFile, missingData } from "./minizinc_data.ts";
import { type Decision, decide, nameOf, out_of_reach } from "./minizinc_decide.ts";
import { faultOf, listed, remarkText } from "./minizinc_faults.ts";
import { additions, type Model, parametersOf, placeOfDoubt, sourceOf } from "./minizinc_model.ts";
import { ask, type Question, type Reply, solverId, timeToSolve } from "./minizinc_question.ts";
import { namesWithValue } from "./minizinc_shown.ts";
import { placed, type Statement } from "./minizinc_source.ts";
import { plainValues } from "./minizinc_values.ts";

const missing_value = /must be defined/;
const mend = ["mend the item with replace_item, then solve again"];

/** One call of `solve_model`. */
export class Solve {
  readonly #engine: MiniZinc;
  readonly #model: Model;
  readonly #context: SolveContext;
  readonly #until: number;

  constructor(engine: MiniZinc, model: Model, context: SolveContext) {
    this.#engine = engine;
    this.#model = model;
    this.#context = context;
    this.#until = performance.now() + context.job.left_ms;
  }

  /** Solves with tasks that all run in the same place. Raises a fault when the model can't be run. */
  async with(run: RunTask, build: Build): Promise<Outcome> {
    const question = await this.#question(build);
    if (question.time_ms <= 0) return notBegun();
    const reply = await ask(run, build, question, this.#rest(), this.#teller());
    const [error] = reply.answer.errors;
    if (error && missing_value.test(error.message))
      throw (await this.#missing()) ?? faultOf(error, this.#model.lines, mend);
    if (error) throw faultOf(error, this.#model.lines, mend);
    const decision = decide(reply, (doubt) => placeOfDoubt(this.#model, doubt, question.solver));
    const common = this.#common(reply, build);
    if (decision.kind === "sat") return { ...common, ...(await this.#sat(decision, reply, run, build)) };
    if (decision.kind === "open") return { ...common, ...this.#undecided(decision, reply, common.warnings) };
    const conflict = await this.#conflict(question, run, build);
    const warnings = [...common.warnings, ...conflict.warnings];
    return { ...common, status: "unsat", ...no_values, ...conflict, warnings };
  }

  #rest(): Job {
    return { left_ms: Math.max(0, this.#until - performance.now()), signal: this.#context.job.signal };
  }

  async #question(build: Build): Promise<Question> {
    const { solver, data, all_solutions, max_solutions } = this.#context.options;
    const chosen = solverId(build, solver);
    const files =
      data === undefined ? [] : [dataFile(data, await parametersOf(this.#engine, this.#model, this.#rest()))];
    const many = all_solutions || max_solutions !== undefined;
    const wanted = many && !this.#optimises ? (max_solutions ?? limits.solutions_max) : undefined;
    return {
      source: this.#model.source,
      data: files,
      solver: chosen,
      ...(wanted !== undefined && { solutions_max: wanted }),
      time_ms: timeToSolve(this.#rest().left_ms),
    };
  }

  get #optimises(): boolean {
    return this.#model.goal === "minimize" || this.#model.goal === "maximize";
  }

  /** The fault that lists what has no value. */
  async #missing() {
    return missingData(this.#context.options.data ?? {}, await parametersOf(this.#engine, this.#model, this.#rest()));
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

  #common({ answer, question }: Reply, build: Build): Pick<Outcome, "statistics" | "output" | "warnings" | "engine"> {
    const text = answer.solutions.at(-1)?.text ?? "";
    return {
      statistics: answer.statistics,
      output: [...answer.traces, text].flatMap((part) => (part === "" ? [] : part.replace(/\n$/, "").split("\n"))),
      warnings: [
        ...additions(this.#model),
        ...answer.warnings.map((warning) => remarkText(warning, this.#model.lines)),
      ],
      engine: `minizinc ${build.version}, ${nameOf(question.solver)} (${build.kind})`,
    };
  }

  async #sat(
    decision: Extract<Decision, { kind: "sat" }>,
    reply: Reply,
    run: RunTask,
    build: Build,
  ): Promise<Partial<Outcome> & Pick<Outcome, "status" | "model" | "objective_value" | "optimal">> {
    const { warnings } = this.#common(reply, build);
    const { solutions, statistics } = reply.answer;
    const last = solutions.at(-1);
    const doubtful = decision.doubt.length > 0;
    if (!last || (doubtful && !(await this.#confirmed(last, reply, run, build)))) {
      const status = decision.limit === OPEN_REASONS.timeout ? "timeout" : "unknown";
      return this.#undecided({ kind: "open", status, reason: out_of_reach, why: decision.doubt }, reply, warnings);
    }
    const bound = decision.proved ? undefined : boundIn(statistics);
    return {
      status: "sat",
      model: plainValues(last.values),
      objective_value: this.#optimises ? (last.objective ?? null) : null,
      optimal: this.#optimises ? decision.proved : null,
      ...(this.#optimises && bound !== undefined && { objective_bound: bound }),
      ...(reply.question.solutions_max !== undefined &&
        !doubtful && { solutions: solutions.map(({ values }) => plainValues(values)) }),
      warnings: [...warnings, ...this.#remarks(decision, reply)],
    };
  }

  #undecided(
    { status, reason, why }: Extract<Decision, { kind: "open" }>,
    { question }: Reply,
    warnings: readonly string[],
  ) {
    const position = reason === out_of_reach ? placeOfDoubt(this.#model, why, question.solver) : undefined;
    const doubt =
      reason === out_of_reach
        ? [
            `${position ? placed(position) : ""}The solver's answer is not believed: ${listed(why)}. Give all variables small bounds, or try another solver.`,
          ]
        : why;
    return { status, reason, ...no_values, warnings: [...warnings, ...doubt] };
  }

  /** What a reader has to know besides the values. */
  #remarks({ proved, limit, doubt }: Extract<Decision, { kind: "sat" }>, { question, found }: Reply): string[] {
    const { all_solutions, max_solutions } = this.#context.options;
    const many = question.solutions_max !== undefined;
    return [
      ...(limit === undefined
        ? []
        : [
            `The ${limit} was reached: ${this.#optimises ? "this is the best solution found so far; better ones may exist" : "there may be more solutions"}.`.replace(
              "The timeout",
              "The time limit",
            ),
          ]),
      ...(doubt.length > 0
        ? [
            `Nothing is proved beyond this solution, because ${nameOf(question.solver)} can't reckon with all numbers of the model: ${listed(doubt)}. Give all variables small bounds.`,
          ]
        : []),
      ...(many && proved ? [`These are all solutions: ${found}.`] : []),
      ...(many && !proved && limit === undefined ? [`There may be more solutions than these ${found}.`] : []),
      ...((all_solutions || max_solutions !== undefined) && this.#optimises
        ? ["The model optimises: only its best solution is given. For all solutions use `solve satisfy`."]
        : []),
    ];
  }

  /** Whether MiniZinc's own exact arithmetic agrees with a solution: the model is compiled with its values put in. */
  async #confirmed(solution: Solution, { question }: Reply, run: RunTask, build: Build): Promise<boolean> {
    const data = [...question.data, writeExactJson(openValues(solution, this.#model))];
    const time_ms = timeToSolve(this.#rest().left_ms);
    if (time_ms <= 0) return false;
    const reply = await ask(
      run,
      build,
      { ...question, data, solver: solverId(build, undefined), time_ms },
      this.#rest(),
    );
    if (reply.answer.errors.length > 0) return false;
    const { ending } = reply.end;
    const constraints = /^constraint /m.test(reply.flatzinc ?? "constraint ");
    return ending.kind === "exited" && ending.code === 0 && reply.found > 0 && !constraints;
  }

  /** The constraints that can't hold together, as few of them as the time allows. */
  async #conflict(
    question: Question,
    run: RunTask,
    build: Build,
  ): Promise<{ unsat_items?: ItemLine[]; warnings: string[] }> {
    const { items, statements, tail } = this.#model;
    const all = statements.filter(({ tokens }) => tokens[0]?.text === "constraint");
    if (all.length === 0)
      return { warnings: ["There is no constraint: the declarations by themselves have no values."] };
    this.#context.progress("looking for the constraints that conflict");
    const { left_ms, signal } = this.#rest();
    const until = performance.now() + Math.min(limits.minizinc_conflict_ms_max, left_ms / 2);
    const left = () => until - performance.now();
    const solver = solverId(build, undefined);
    const conflicts = async (kept: readonly Statement[]) => {
      const removed = all.filter((statement) => !kept.includes(statement));
      const source = sourceOf(without(items, removed), tail);
      const time_ms = Math.min(limits.minizinc_conflict_probe_ms_max, left());
      if (time_ms <= 0) return false;
      const reply = await ask(
        run,
        build,
        { source, data: question.data, solver, time_ms },
        { left_ms: left(), signal },
      );
      return isUnsat(reply);
    };
    const { constraints, smallest } = await narrow(all, conflicts, () => left() > 0);
    if (constraints.length === 0)
      return { warnings: ["The declarations by themselves have no values, whatever the constraints."] };
    if (!smallest && constraints.length === all.length && all.length > 1)
      return {
        warnings: ["There was no time to find out which constraints conflict; delete_item by item shows it."],
      };
    const warnings = smallest
      ? []
      : [
          "There was no time to make the set of conflicting constraints smaller: some may not be needed for the conflict.",
        ];
    return { unsat_items: placesOf(constraints, items), warnings };
  }
}

/** Whether a run decided unsat; a fault of it, or a limit, decides nothing. */
function isUnsat(reply: Reply): boolean {
  const { ending } = reply.end;
  if (reply.answer.errors.length > 0 || ending.kind !== "exited" || ending.code !== 0) return false;
  return reply.found === 0 && decide(reply).kind === "unsat";
}

/** The values that the solver chose; the others follow from the model itself, and can't be given again. */
function openValues({ values }: Solution, { statements }: Model): Solution["values"] {
  const valued = namesWithValue(statements);
  return Object.fromEntries(Object.entries(values).filter(([name]) => !valued.has(name)));
}

function boundIn({ objectiveBound }: Readonly<Record<string, unknown>>): number | undefined {
  return typeof objectiveBound === "number" && Number.isFinite(objectiveBound) ? objectiveBound : undefined;
}

const no_values = { model: null, objective_value: null, optimal: null } as const;

/** The time ran out before a process was free and ready. */
export function notBegun(): Outcome {
  return {
    status: "timeout",
    reason: OPEN_REASONS.timeout,
    ...no_values,
    statistics: {},
    output: [],
    warnings: ["No process was free and ready within the whole time; the model was not begun."],
    engine: "minizinc",
  };
}
