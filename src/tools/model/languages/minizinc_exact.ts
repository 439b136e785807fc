import type { Job } from "../../../kernel/child.ts";
import type { Constraint, Expression, FlatZinc } from "../../../solvers/minizinc/flatzinc/parse.ts";
import { one, Rational, zero } from "../../../solvers/minizinc/flatzinc/rational.ts";
import type { Value } from "../../../solvers/minizinc/flatzinc/relations.ts";
import { smtName, toSmtlib } from "../../../solvers/minizinc/flatzinc/smtlib.ts";
import { outputsOf, valuesIn } from "../../../solvers/minizinc/flatzinc/solution.ts";
import type { Z3 } from "../../../solvers/z3/index.ts";
import { readCheck } from "../../../solvers/z3/read.ts";
import { type Decision, not_a_solution } from "./minizinc_decide.ts";
import type { Reply } from "./minizinc_question.ts";

/** What a solver claims of a compiled model, to be decided in exact arithmetic. */
export type Claim =
  | { readonly kind: "unsat" }
  /** No solution is better than this value by more than the tolerance. */
  | { readonly kind: "best"; readonly value: Rational; readonly tolerance: Rational }
  /** There are no solutions but these, by the values of whole numbers and truth values. */
  | { readonly kind: "all"; readonly solutions: readonly ReadonlyMap<string, Value>[] };

/** The claim holds, does not (with the values of a solution, by their names in the model), or was not decided. */
export type Exactly =
  | { readonly kind: "holds" }
  | { readonly kind: "fails"; readonly values: Readonly<Record<string, unknown>> | undefined }
  | { readonly kind: "open" };

/** Decides a claim with Z3, whose integers and reals are exact, for a model that MiniZinc compiled for no solver. */
export async function decideExactly(z3: Pick<Z3, "run">, model: FlatZinc, claim: Claim, job: Job): Promise<Exactly> {
  const { declarations, objective, left_out, opened } = toSmtlib(model);
  // Found by the compiler, in floating point: nothing is left to decide.
  if (model.constraints.some(isPlainlyFalse)) return { kind: "open" };
  const denial = denialOf(claim, model, objective);
  if (denial === undefined || job.left_ms <= 0) return { kind: "open" };
  const outputs = outputsOf(model);
  const wanted = outputs.names.length > 0 ? `(get-value (${outputs.names.map(smtName).join(" ")}))` : "";
  const script = [
    "(set-option :pp.decimal true)",
    "(set-option :pp.decimal_precision 17)",
    declarations,
    denial,
    '(check-sat)\n(echo "")',
  ].join("\n");
  const answer = await z3.run(job, async (session) => {
    const reply = await session.ask(script);
    const word = reply.kind === "text" ? readCheck(reply.text.trim()) : undefined;
    if (word !== "sat" || wanted === "") return { word, text: "" };
    const values = await session.ask(wanted);
    return { word, text: values.kind === "text" ? values.text : "" };
  });
  if (answer === "expired") return { kind: "open" };
  if (answer.word === "unsat") return { kind: "holds" };
  // What was left out could forbid the values that were found.
  if (answer.word !== "sat" || left_out.length > 0) return { kind: "open" };
  // Values within a slack are held against the model afterwards; a better value within it says nothing.
  if (opened && claim.kind !== "unsat") return { kind: "open" };
  return { kind: "fails", values: outputs.read(answer.text) };
}

/** A difference in the objective that no one reads, in relation to its size. */
const tolerance = new Rational(1n, 1_000_000n);

/** What a run claims that its solver is not believed on; undefined where it claims nothing, or nothing that can be said. */
export function claimOf({ answer, found, question }: Reply, decision: Decision, model: FlatZinc): Claim | undefined {
  if (decision.kind === "open") {
    const says_none = found === 0 && answer.status === "UNSATISFIABLE";
    return says_none || decision.reason === not_a_solution ? { kind: "unsat" } : undefined;
  }
  const last = answer.solutions.at(-1);
  if (answer.status === "OPTIMAL_SOLUTION" && last && model.goal.kind !== "satisfy") {
    const value = typeof last.objective === "number" ? Rational.of(last.objective) : undefined;
    const exact = isStrict(model) || !isFloat(model, model.goal.objective);
    return value && { kind: "best", value, tolerance: exact ? zero : value.magnitude.plus(one).times(tolerance) };
  }
  const listed = question.solutions_max !== undefined && answer.status === "ALL_SOLUTIONS";
  const whole = outputsOf(model).names.every((name) => model.variables.get(name)?.type !== "float");
  const complete = answer.solutions.length === found && !hasSets(model);
  if (!listed || !whole || !complete) return undefined;
  return { kind: "all", solutions: answer.solutions.map(({ values }) => valuesIn(model, values)) };
}

function isFloat(model: FlatZinc, objective: Expression | undefined): boolean {
  return objective?.kind === "name" && model.variables.get(objective.name)?.type === "float";
}

function hasSets(model: FlatZinc): boolean {
  return [...model.variables.values()].some(({ type }) => type === "set");
}

/** What holds where the claim does not; undefined where that can't be said. */
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

function differs(values: ReadonlyMap<string, Value>, model: FlatZinc): string {
  const others = [...values].flatMap(([name, value]) => {
    const { type } = model.variables.get(name) ?? {};
    if (type === "bool" && typeof value === "boolean") return [value ? `(not ${smtName(name)})` : smtName(name)];
    if (type === "int" && typeof value === "object" && "over" in value)
      return [`(distinct ${smtName(name)} ${value.over < 0n ? `(- ${-value.over})` : value.over})`];
    return [];
  });
  return `(assert (or false ${others.join(" ")}))`;
}

function isPlainlyFalse({ name, args }: Constraint): boolean {
  const [a, b] = args;
  return name === "bool_eq" && a?.kind === "bool" && b?.kind === "bool" && a.value !== b.value;
}

/** Whether inequalities exclude their boundary, so that there may be a bound that no solution reaches. */
export function isStrict({ constraints }: FlatZinc): boolean {
  return constraints.some(({ name }) => /^float_(lin_)?(lt|ne|(le|eq)_(reif|imp))/.test(name));
}
