import { Arguments, type Comparison, definitionOf, type Meant, stated, statementOf } from "./meaning.ts";
import { type Constraint, type Expression, elementsOf, type FlatZinc, type Range, type Variable } from "./parse.ts";
import { one, Rational, zero } from "./rational.ts";
import { all, any, compared, Formula, type Num, not, plus, same, Term, type Truth, written } from "./terms.ts";

/** A compiled model translated to SMT-LIB, whose integers and reals are exact. */
export interface Translation {
  readonly declarations: string;
  /** A term for the objective; undefined if there isn't one. */
  readonly objective: string | undefined;
  /** The names of constraints that were omitted because they could not be translated. */
  readonly left_out: readonly string[];
  /** Whether constraints were relaxed because of computed decimals. */
  readonly opened: boolean;
}

/**
 * A decimal with fewer digits than this counts as written by a person; any other counts as computed in floating point.
 */
const digits_exact = 15;

/**
 * The amount by which a constraint with a computed decimal is relaxed, relative to its numbers, so that rounding
 * decides nothing.
 */
const slack_share = new Rational(1n, 1_000_000n);

/**
 * Translates a compiled model to SMT-LIB. All assertions follow from the model: a constraint that can't be translated
 * is omitted, and one with a computed decimal is slightly relaxed. So `unsat` also holds for the model.
 */
export function toSmtlib(model: FlatZinc): Translation {
  const lines = [...model.variables.values()].flatMap(declared);
  const left_out = new Set<string>();
  for (const constraint of model.constraints) {
    const formula = formulaOf(model, constraint);
    if (formula === undefined) left_out.add(constraint.name);
    else lines.push(asserted(formula));
  }
  const { objective } = model.goal;
  const meant = objective && meantBy(model, objective);
  const term =
    meant instanceof Rational
      ? written(meant, objective?.kind === "number" && /[.eE]/.test(objective.text))
      : meant instanceof Term
        ? meant.text
        : undefined;
  const opened = model.constraints.some(({ args }) => computedIn(model, args).length > 0);
  return { declarations: lines.join("\n"), objective: term, left_out: [...left_out], opened };
}

function asserted(formula: Truth): string {
  return `(assert ${formula instanceof Formula ? formula.text : formula})`;
}

const sorts = { bool: "Bool", int: "Int", float: "Real" } as const;

/** The name of a variable, distinct from SMT-LIB's own names. */
export function smtName(name: string): string {
  return `v.${name}`;
}

/** A number, a truth value, or a variable's term; undefined for sets, which are not translated. */
function meantBy(model: FlatZinc, expression: Expression): Meant | undefined {
  if (expression.kind === "bool" || expression.kind === "number") return expression.value;
  const variable = expression.kind === "name" ? model.variables.get(expression.name) : undefined;
  if (!variable || variable.type === "set") return undefined;
  const name = smtName(variable.name);
  return variable.type === "bool" ? new Formula(name) : new Term(name, variable.type === "float");
}

function declared({ name: own, type, domain }: Variable): string[] {
  if (type === "set") return [];
  const name = smtName(own);
  const declaration = `(declare-const ${name} ${sorts[type]})`;
  if (!domain || type === "bool") return [declaration];
  const variable = new Term(name, type === "float");
  const ranges = domain.map((range) => {
    const { low, high } = type === "float" ? widened(range) : range;
    return all([compared("le", low, variable), compared("le", variable, high)]);
  });
  return [declaration, asserted(any(ranges))];
}

/** Widens bounds with many digits, since they were computed in floating point. */
function widened({ low, high }: Range): Range {
  const isLong = (value: Rational) => String(value.toNumber()).replace(/\D/g, "").length >= digits_exact;
  const by = (value: Rational) => (isLong(value) ? slackOf([value.magnitude]) : zero);
  return { low: low.minus(by(low)), high: high.plus(by(high)) };
}

/** The formula of a constraint; undefined if it can't be translated. */
function formulaOf(model: FlatZinc, { name, args }: Constraint): Truth | undefined {
  const [, relation = name, mode] = /^(.*?)_(reif|imp)$/.exec(name) ?? [];
  const meant = (each: Expression) => meantBy(model, each);
  const statement = statementOf(relation, new Arguments(model, args, meant));
  const computed = computedIn(model, args);
  const truth = args.at(-1) && new Arguments(model, args, meant).meant(args.length - 1);
  if (statement === undefined) return undefined;
  // Only a comparison of floats can be relaxed.
  if (computed.length > 0 && definitionOf(relation)) return undefined;
  const is_opened = computed.length > 0 && /^float/.test(relation);
  const sides = is_opened ? openedSides(statement, slackOf(computed)) : sidesOf(stated(statement));
  if (!sides || mode === undefined) return sides?.holds;
  if (typeof truth !== "boolean" && !(truth instanceof Formula)) return undefined;
  const if_true = any([not(truth), sides.holds]);
  if (mode === "imp") return if_true;
  return !is_opened ? same(truth, sides.holds) : all([if_true, any([truth, sides.fails])]);
}

/** The consequences of a statement and of its negation. */
interface Sides {
  readonly holds: Truth;
  readonly fails: Truth;
}

function sidesOf(truth: Truth | undefined): Sides | undefined {
  return truth === undefined ? undefined : { holds: truth, fails: not(truth) };
}

/** A comparison of floats and its negation, each with a slack in favour of holding. */
function openedSides(statement: Truth | Comparison, slack: Rational): Sides | undefined {
  if (typeof statement === "boolean" || statement instanceof Formula) return undefined;
  const { sign, left, right } = statement;
  const below = (a: Num, b: Num) => compared("le", a, plus(b, slack));
  const near = all([below(left, right), below(right, left)]);
  if (sign === "eq") return { holds: near, fails: true };
  if (sign === "ne") return { holds: true, fails: near };
  const is_less = sign === "le" || sign === "lt";
  const [less, more] = [below(left, right), below(right, left)];
  return is_less ? { holds: less, fails: more } : { holds: more, fails: less };
}

/** The sizes of the computed decimals in a constraint. */
function computedIn(model: FlatZinc, args: readonly Expression[]): Rational[] {
  const all_parts = args.flatMap((arg) => [arg, ...(elementsOf(model, arg) ?? [])]);
  return all_parts.flatMap((each) =>
    each.kind === "number" && !each.substituted && isComputed(each.text) ? [each.value.magnitude] : [],
  );
}

/** The maximum distance of computed numbers of these sizes from their exact values. */
function slackOf(sizes: readonly Rational[]): Rational {
  return sizes.reduce((most, each) => (each.compare(most) > 0 ? each : most), one).times(slack_share);
}

function isComputed(text: string): boolean {
  if (!/[.eE]/.test(text)) return false;
  // Beyond this limit, doubles can't represent every integer, so even a number with few digits may have been rounded.
  if (Math.abs(Number(text)) > Number.MAX_SAFE_INTEGER) return true;
  const digits = text
    .replace(/[eE].*$/, "")
    .replace(/[-+.]/g, "")
    .replace(/^0+|0+$/g, "");
  return digits.length >= digits_exact;
}
