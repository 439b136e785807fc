import { availableParallelism } from "node:os";
import type { Build, SolverInfo } from "../../../../engines/minizinc/index.ts";
import type { FlatZinc } from "../../../../evidence/flatzinc/parse.ts";
import { kindOf, mayHaveFloats } from "../../../../evidence/flatzinc/trust.ts";
import { idOf } from "../../../../evidence/minizinc/checkers.ts";
import { nameOf } from "../../../../evidence/minizinc/decide.ts";
import {
  type Compiled,
  cp_sat,
  type Question,
  type Reply,
  readable,
  solverId,
} from "../../../../evidence/minizinc/question.ts";
import { Fault } from "../../../../kernel/fault.ts";
import { model_limits } from "../../limits.ts";

/** Returns the solvers to try, best first: the named solver, or the solvers that suit the model. */
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
  if (mayHaveFloats(question.source)) return ["highs", "gecode", "coin-bc"];
  return ["cp-sat", "gecode", "chuffed", "highs", "coin-bc"];
}

/** Equations and inequalities between sums, which the simplex method handles well even in large integer knapsacks. */
const linear_constraints: ReadonlySet<string> = new Set([
  "int_lin_le",
  "int_lin_eq",
  "int_le",
  "int_lt",
  "int_eq",
  "bool2int",
]);

/**
 * The solvers that have not started yet, best first: some will run concurrently, and others are in reserve for models
 * that those do not support.
 */
export interface Waiting {
  readonly beside: readonly string[];
  readonly reserve: readonly string[];
}

/** Returns the solver to start with if the call named none. */
export function firstSolver(build: Build): string {
  return idOf(build, "gecode")[0] ?? solverId(build, undefined);
}

/**
 * Returns the solvers to start if the first one does not finish soon. CP-SAT runs together with HiGHS if a relaxation
 * bounds the objective well, as in linear models, sums and circuits. Without CP-SAT, all other solvers run, and those
 * that suit the compiled model best come first.
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
  // On two processors, CP-SAT alone proves more than CP-SAT and HiGHS together (docs/benchmarks.md).
  return processors > 2
    ? { beside: [cp_sat, ...linear], reserve: rest }
    : { beside: [cp_sat], reserve: [...linear, ...rest] };
}

/**
 * Returns the solver in reserve that is most likely to find a solution where CP-SAT finds none: CP-SAT can spend minutes
 * on preparing a model for which Chuffed needs seconds.
 */
export function searcherIn(reserve: readonly string[]): string | undefined {
  return reserve.find((solver) => kindOf(solver) === "chuffed") ?? reserve[0];
}

/** Whether a linear relaxation bounds the objective of a model well. */
function isRelaxedWell(compiled: FlatZinc): boolean {
  const { constraints } = compiled;
  const is_linear = constraints.every(({ name }) => linear_constraints.has(name));
  return is_linear || isSum(compiled) || constraints.some(({ name }) => /circuit/.test(name));
}

/**
 * The minimum length of a sum; a shorter one is often the difference between two extremes, or a weighted last end time.
 */
const sum_terms_min = 4;

/** Whether an equation defines the objective as a sum of several variables. */
function isSum({ constraints, goal: { objective } }: FlatZinc): boolean {
  if (objective?.kind !== "name") return false;
  return constraints.some(({ name, args: [, terms] }) => {
    if (name !== "int_lin_eq" || terms?.kind !== "array" || terms.elements.length <= sum_terms_min) return false;
    return terms.elements.some((term) => term.kind === "name" && term.name === objective.name);
  });
}

/**
 * Whether several solvers work on a question: the call names no solver, the variables are integers, and one answer is
 * wanted.
 */
export function isPortfolio(question: Omit<Question, "solver">, build: Build, wanted: string | undefined): boolean {
  const is_alone = build.solvers.length <= 1;
  return wanted === undefined && !is_alone && question.solutions_max === undefined && !mayHaveFloats(question.source);
}

function onlyOne(solver: string): Fault {
  return new Fault("invalid_argument", `The solver ${nameOf(solver)} finds only one solution and can't list several.`, [
    'use solver "gecode" or "chuffed" for all_solutions and max_solutions',
    "leave all_solutions and max_solutions out",
  ]);
}

/** Returns the names of other solvers that can answer the same question, the most suitable first. */
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
  if (kind === "chuffed" || kind === "cp_sat") return !mayHaveFloats(question.source);
  const is_curved = readable(compiled)?.constraints.some(({ name }) => curved.test(name)) ?? false;
  return kind !== "linear" || (question.solutions_max === undefined && !is_curved);
}

/** Constraints for non-linear functions of float variables. */
const curved = /^(?:fzn_)?float_(?:times|div|sqrt|pow|exp|ln|log\d*|a?(?:sin|cos|tan)h?)(?:_|$)/;
