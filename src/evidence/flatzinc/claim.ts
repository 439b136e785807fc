import type { Solution } from "../../engines/minizinc/read.ts";
import { readCheck } from "../../engines/smt/read.ts";
import type { SmtSolver } from "../../engines/smt/solver.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { type Judgement, limitReached, type NotShown, undecided } from "../../kernel/verdict.ts";
import type { Value } from "./meaning.ts";
import { type Constraint, type Expression, elementsOf, type FlatZinc } from "./parse.ts";
import { one, Rational, zero } from "./rational.ts";
import { smtName, toSmtlib } from "./smtlib.ts";
import { outputsOf, valuesIn } from "./solution.ts";
import { checkSolutions, type SolutionCheck } from "./values.ts";

/** A solver's claim about a compiled model, to be decided in exact arithmetic. */
export type Claim =
  | { readonly kind: "unsat" }
  /** No solution is better than this value by more than the tolerance. */
  | { readonly kind: "best"; readonly value: Rational; readonly tolerance: Rational }
  /** There are no solutions other than these; only the values of integers and truth values are compared. */
  | { readonly kind: "all"; readonly solutions: readonly ReadonlyMap<string, Value>[] };

/** A model compiled for no particular solver. `exact` says that the compiler decided nothing in floating point. */
export interface Problem {
  readonly model: FlatZinc;
  readonly exact: boolean;
}

/** Values that refute a claim, by their names in the model, and the result of their exact evaluation. */
export interface Refutation {
  readonly values: Solution["values"];
  readonly check: SolutionCheck;
}

/**
 * Checks a claim with Z3, whose integers and reals are exact. The values of a refutation have been evaluated, unless
 * they can't be shown.
 */
export async function check(
  z3: Pick<SmtSolver, "run">,
  { model, exact }: Problem,
  claim: Claim,
  deadline: Deadline,
): Promise<Judgement<{ readonly by: "z3" | "compiler" }, Refutation | NotShown>> {
  if (!exact) return undecided("doubted", "MiniZinc's compiler decided something in rounded floats");
  const { declarations, objective, left_out, opened } = toSmtlib(model);
  if (model.constraints.some(isPlainlyFalse)) return { kind: "proven", proof: { by: "compiler" } };
  const denial = denialOf(claim, model, objective);
  if (denial === undefined) return undecided("unsupported", "the claim can't be translated for Z3");
  if (deadline.is_over) return limitReached("time");
  const outputs = outputsOf(model);
  const value_request = outputs.names.length > 0 ? `(get-value (${outputs.names.map(smtName).join(" ")}))` : "";
  const script = [
    "(set-option :pp.decimal true)",
    "(set-option :pp.decimal_precision 17)",
    declarations,
    denial,
    '(check-sat)\n(echo "")',
  ].join("\n");
  const answer = await z3.run(deadline, async (session) => {
    const reply = await session.ask(script);
    const word = reply.kind === "text" ? readCheck(reply.text.trim()) : undefined;
    if (word !== "sat" || value_request === "") return { word, text: "" };
    const values = await session.ask(value_request);
    return { word, text: values.kind === "text" ? values.text : "" };
  });
  if (answer === "expired") return limitReached("time");
  if (answer.word === "unsat") return { kind: "proven", proof: { by: "z3" } };
  if (answer.word !== "sat") return undecided("incomplete", "Z3 did not decide it");
  if (left_out.length > 0)
    return undecided("unsupported", "constraints that were left out could exclude the values that Z3 found");
  // Values that satisfy constraints only within a tolerance are checked against the model later; a better objective
  // within the tolerance proves nothing.
  if (opened && claim.kind !== "unsat") return undecided("incomplete", "constraints were only stated with a tolerance");
  const values = outputs.read(answer.text);
  if (!values) return { kind: "refuted", counterexample: { not_shown: "Z3's values could not be read" } };
  const evaluated = checkSolutions(model, [{ values }]);
  if (evaluated.broken !== undefined) return undecided("incomplete", `Z3's values violate ${evaluated.broken}`);
  return { kind: "refuted", counterexample: { values, check: evaluated } };
}

/**
 * Whether no solution has these integers and truth values and an objective at least as good. If so, a solver that works
 * with a tolerance returned numbers that only rounding allows. False if Z3 reached no verdict.
 */
export async function isRefuted(
  z3: Pick<SmtSolver, "run">,
  model: FlatZinc,
  { values, objective }: Solution,
  deadline: Deadline,
): Promise<boolean> {
  if (deadline.is_over) return false;
  const translation = toSmtlib(model);
  const value = typeof objective === "number" ? Rational.of(objective) : undefined;
  const worst = value && { kind: model.goal.kind, value, tolerance: toleranceOf(value) };
  const script = [
    translation.declarations,
    ...wholeOf(valuesIn(model, values), model).map((each) => `(assert ${each})`),
    ...(worst && translation.objective !== undefined
      ? [`(assert (not ${worseThan(translation.objective, worst)}))`]
      : []),
    '(check-sat)\n(echo "")',
  ].join("\n");
  const answer = await z3.run(deadline, (session) => session.ask(script));
  return answer !== "expired" && answer.kind === "text" && readCheck(answer.text.trim()) === "unsat";
}

/** A difference in the objective too small to matter, relative to its size. */
const tolerance = new Rational(1n, 1_000_000n);

function toleranceOf(value: Rational): Rational {
  return value.magnitude.plus(one).times(tolerance);
}

/**
 * The claim that the last of these solutions is optimal, or that they are all solutions. Undefined if the claim can't
 * be stated, because the objective is unknown or a list of solutions contains floats or sets.
 */
export function claimOn(model: FlatZinc, claimed: "best" | "all", solutions: readonly Solution[]): Claim | undefined {
  const last = solutions.at(-1);
  if (claimed === "best") {
    const value = typeof last?.objective === "number" ? Rational.of(last.objective) : undefined;
    if (!value || model.goal.kind === "satisfy") return undefined;
    const exact = isStrict(model) || !isFloat(model, model.goal.objective);
    return { kind: "best", value, tolerance: exact ? zero : toleranceOf(value) };
  }
  const whole = outputsOf(model).names.every((name) => model.variables.get(name)?.type !== "float");
  if (!whole || hasSets(model)) return undefined;
  return { kind: "all", solutions: solutions.map(({ values }) => valuesIn(model, values)) };
}

function isFloat(model: FlatZinc, objective: Expression | undefined): boolean {
  return objective?.kind === "name" && model.variables.get(objective.name)?.type === "float";
}

function hasSets(model: FlatZinc): boolean {
  return [...model.variables.values()].some(({ type }) => type === "set");
}

/** The negation of the claim; undefined if it can't be stated. */
function denialOf(claim: Claim, model: FlatZinc, objective: string | undefined): string | undefined {
  if (claim.kind === "unsat") return "";
  if (claim.kind === "all") return claim.solutions.map((values) => differs(values, model)).join("\n");
  if (objective === undefined) return undefined;
  const { kind } = model.goal;
  const { value, tolerance } = claim;
  return kind === "maximize"
    ? `(assert (> ${objective} ${value.plus(tolerance).toSmtlib()}))`
    : `(assert (< ${objective} ${value.minus(tolerance).toSmtlib()}))`;
}

/** A condition that an objective is worse than a value by more than the tolerance. */
function worseThan(objective: string, { kind, value, tolerance: by }: Objective): string {
  return kind === "maximize"
    ? `(< ${objective} ${value.minus(by).toSmtlib()})`
    : `(> ${objective} ${value.plus(by).toSmtlib()})`;
}

interface Objective {
  readonly kind: FlatZinc["goal"]["kind"];
  readonly value: Rational;
  readonly tolerance: Rational;
}

function differs(values: ReadonlyMap<string, Value>, model: FlatZinc): string {
  return `(assert (not (and true ${wholeOf(values, model).join(" ")})))`;
}

/** Formulas that fix the integers and truth values. */
function wholeOf(values: ReadonlyMap<string, Value>, model: FlatZinc): string[] {
  return [...values].flatMap(([name, value]) => {
    const { type } = model.variables.get(name) ?? {};
    if (type === "bool" && typeof value === "boolean") return [value ? smtName(name) : `(not ${smtName(name)})`];
    if (type === "int" && typeof value === "object" && "over" in value)
      return [`(= ${smtName(name)} ${value.over < 0n ? `(- ${-value.over})` : value.over})`];
    return [];
  });
}

function isPlainlyFalse({ name, args }: Constraint): boolean {
  const [a, b] = args;
  return name === "bool_eq" && a?.kind === "bool" && b?.kind === "bool" && a.value !== b.value;
}

/** Whether the model contains strict inequalities, so that the objective can have a bound that no solution reaches. */
export function isStrict(model: FlatZinc): boolean {
  const isOpen = (arg: Expression) =>
    arg.kind === "name" && (elementsOf(model, arg)?.some(({ kind }) => kind === "name") ?? true);
  return model.constraints.some(
    ({ name, args }) =>
      /^float_(lin_)?(lt|ne|(le|eq)_(reif|imp))/.test(name) &&
      args.some((arg) => (arg.kind === "array" ? arg.elements.some(isOpen) : isOpen(arg))),
  );
}
