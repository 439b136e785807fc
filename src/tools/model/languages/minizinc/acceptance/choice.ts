import { availableParallelism } from "node:os";
import type { Build, SolverInfo } from "../../../../../engines/minizinc/index.ts";
import type { FlatZinc } from "../../../../../evidence/flatzinc/parse.ts";
import { DOUBT_REASONS, type DoubtReason, kindOf, mayHaveFloats } from "../../../../../evidence/flatzinc/trust.ts";
import { Fault } from "../../../../../kernel/fault.ts";
import { model_limits } from "../../../limits.ts";
import { cp_sat } from "../cp_sat.ts";
import { type Compiled, type Question, type Reply, readable, solverId } from "../question.ts";
import { type Decision, doubtOf, nameOf } from "./decide.ts";

/** The solvers to try, best first: the named one, or those that suit the model. */
export function solversFor(question: Omit<Question, "solver">, build: Build, wanted: string | undefined): string[] {
  const many = question.solutions_max !== undefined;
  if (wanted !== undefined) {
    const chosen = solverId(build, wanted);
    if (many && kindOf(chosen) === "linear") throw onlyOne(chosen);
    return [chosen];
  }
  const solvers = suitable(question)
    .flatMap((name) => (name === cp_sat ? [] : idOf(build, name)))
    .filter((id) => !many || kindOf(id) !== "linear");
  return solvers.length > 0 ? solvers : [solverId(build, undefined)];
}

/** The names of the solvers that suit a model, best first. */
function suitable(question: Pick<Question, "source">): readonly string[] {
  // Gecode enumerates the doubles one by one, while HiGHS solves a linear model at once.
  if (usesFloats(question)) return ["highs", "gecode", "coin-bc"];
  return ["cp-sat", "gecode", "chuffed", "highs", "coin-bc"];
}

/** Sums with equality and order only: the simplex method decides them, including large integer knapsacks. */
const linear_constraints: ReadonlySet<string> = new Set([
  "int_lin_le",
  "int_lin_eq",
  "int_le",
  "int_lt",
  "int_eq",
  "bool2int",
]);

/**
 * The solvers not started yet: those that run concurrently, best first, and those in reserve for models that these
 * don't support.
 */
export interface Waiting {
  readonly beside: readonly string[];
  readonly reserve: readonly string[];
}

/** The solver that starts on a question for which none was named. */
export function firstSolver(build: Build): string {
  return idOf(build, "gecode")[0] ?? solverId(build, undefined);
}

/**
 * The solvers that follow if the first one does not finish soon. CP-SAT runs together with HiGHS if a relaxation bounds
 * the objective well: linear models, sums, circuits. Without CP-SAT, the others run in the order in which they suit the
 * compiled model.
 */
export function followers(
  build: Build,
  compiled: Compiled,
  has_cp_sat: boolean,
  processors: number = availableParallelism(),
): Waiting {
  const highs = idOf(build, "highs");
  const model = readable(compiled);
  const linear = model && isRelaxedWell(model) ? highs : [];
  const others = ["chuffed", "gecode", "coin-bc"].flatMap((name) => idOf(build, name));
  const rest = linear.length > 0 ? others : [...others, ...highs];
  if (!has_cp_sat) return { beside: [...linear, ...rest], reserve: [] };
  // On two processors, CP-SAT proves more alone than together with HiGHS (docs/benchmarks.md).
  return processors > 2
    ? { beside: [cp_sat, ...linear], reserve: rest }
    : { beside: [cp_sat], reserve: [...linear, ...rest] };
}

/** Whether a linear relaxation bounds the objective of a model well. */
function isRelaxedWell(compiled: FlatZinc): boolean {
  const { constraints } = compiled;
  const is_linear = constraints.every(({ name }) => linear_constraints.has(name));
  return is_linear || isSum(compiled) || constraints.some(({ name }) => /circuit/.test(name));
}

/** Fewer terms are often the difference of two extremes, or a weighted last end time. */
const sum_terms_min = 4;

/** Whether an equation defines the objective as a sum of several variables. */
function isSum({ constraints, goal: { objective } }: FlatZinc): boolean {
  if (objective?.kind !== "name") return false;
  return constraints.some(({ name, args: [, terms] }) => {
    if (name !== "int_lin_eq" || terms?.kind !== "array" || terms.elements.length <= sum_terms_min) return false;
    return terms.elements.some((term) => term.kind === "name" && term.name === objective.name);
  });
}

/** Whether several solvers work on a question: one without a named solver, over integers, with a single answer. */
export function isPortfolio(question: Omit<Question, "solver">, build: Build, wanted: string | undefined): boolean {
  const is_alone = build.solvers.length <= 1;
  return wanted === undefined && !is_alone && question.solutions_max === undefined && !usesFloats(question);
}

/** Whether a model's variables may include reals. In data, only parameters declared as reals can be reals. */
export function usesFloats({ source }: Pick<Question, "source">): boolean {
  return mayHaveFloats(source);
}

function onlyOne(solver: string): Fault {
  return new Fault("invalid_argument", `The solver ${nameOf(solver)} finds only one solution and can't list several.`, [
    'use solver "gecode" or "chuffed" for all_solutions and max_solutions',
    "leave all_solutions and max_solutions out",
  ]);
}

/** Doubts that apply to other solvers too: they also compute in floats, or receive the same wrong model. */
const shared: ReadonlySet<DoubtReason> = new Set([
  DOUBT_REASONS.float,
  DOUBT_REASONS.compiler,
  DOUBT_REASONS.misstated,
  DOUBT_REASONS.restricted,
]);

/** Another solver whose claim may be accepted if the first one's is not. */
export function trustedInstead(
  decision: Decision,
  solver: string,
  build: Build,
  has_cp_sat: boolean,
): string | undefined {
  const doubt = doubtOf(decision);
  if (doubt.length === 0 || doubt.some(({ reason }) => shared.has(reason))) return undefined;
  if (has_cp_sat && kindOf(solver) !== "cp_sat") return cp_sat;
  if (kindOf(solver) !== "gecode") return idOf(build, "gecode")[0];
  return doubt.every(({ reason }) => reason === DOUBT_REASONS.unmeasured) ? idOf(build, "chuffed")[0] : undefined;
}

/** The names of other solvers that can answer the same question, the most suitable first. */
export function othersThan(
  { question, compiled, also_ran = [] }: Pick<Reply, "question" | "compiled" | "also_ran">,
  build: Build,
): string[] {
  const usual = suitable(question);
  const rankOf = ({ names: [name = ""] }: SolverInfo) => (usual.includes(name) ? usual.indexOf(name) : usual.length);
  const able = build.solvers
    .filter(({ id, names }) => id !== question.solver && !/gist/.test(names.join()) && takes(id, question, compiled))
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .map(({ id }) => id);
  return able
    .map(nameOf)
    .filter((name) => !also_ran.includes(name))
    .slice(0, model_limits.solvers_named_max);
}

/**
 * Whether a solver can answer a question: Chuffed and CP-SAT have no floats; linear solvers support only sums of
 * floats, and return a single solution.
 */
function takes(solver: string, question: Question, compiled: Compiled): boolean {
  const kind = kindOf(solver);
  if (kind === "chuffed" || kind === "cp_sat") return !usesFloats(question);
  const is_curved = readable(compiled)?.constraints.some(({ name }) => curved.test(name)) ?? false;
  return kind !== "linear" || (question.solutions_max === undefined && !is_curved);
}

/** Functions of float variables other than sums. */
const curved = /^(?:fzn_)?float_(?:times|div|sqrt|pow|exp|ln|log\d*|a?(?:sin|cos|tan)h?)(?:_|$)/;

function idOf({ solvers }: Build, name: string): string[] {
  return solvers.flatMap(({ id, names }) => (names.includes(name) ? [id] : [])).slice(0, 1);
}
