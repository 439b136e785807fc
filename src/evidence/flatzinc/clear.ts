import { evaluate } from "./evaluate.ts";
import type { Value } from "./meaning.ts";
import { type Constraint, type Expression, elementsOf, type FlatZinc } from "./parse.ts";
import { one, Rational, zero } from "./rational.ts";

/**
 * The minimum distance from a comparison's boundary, relative to the largest number, at which doubles give the same
 * result as exact arithmetic. Doubles have 16 digits, and a sum of a thousand numbers loses at most 6 of them.
 */
const margin = new Rational(1n, 10_000_000_000n);
const terms_max = 1_000;

const comparison = /^float_(lin_)?(?:eq|ne|le|lt)(?:_reif|_imp)?$/;
/** Functions of floats whose error is at most as large as their arguments' errors. */
const harmless =
  /^(?:float_(?:plus|minus|min|max|abs)|int2float|array_(?:var_)?float_element|array_float_(?:min|max)imum)$/;

/**
 * Whether all floats of a model are parameters, and rounding can't change its meaning: each comparison is far from its
 * boundary, or compares two numbers as written. In this case, a compiler that computes in doubles decides correctly.
 * Numbers in the model are as written in the source; computed floats have a name.
 */
export function decidesClearly(model: FlatZinc): boolean {
  const { values, open, defining } = evaluate(model, new Map());
  const isFloat = ({ name }: Constraint) => /float/.test(name);
  const is_known = [...model.variables.values()].every(({ name, type }) => type !== "float" || values.has(name));
  if (!is_known || open.some(isFloat)) return false;
  const numberIn = (expression: Expression | undefined) => numberOf(expression, values);
  const floats = model.constraints.filter(isFloat);
  if (!floats.every(({ name }) => comparison.test(name) || harmless.test(name))) return false;
  const compared = floats
    .filter(({ name }) => comparison.test(name))
    .map((constraint) => ({ constraint, parts: partsOf(model, constraint, numberIn) }));
  const numbers = [
    ...floats.flatMap(({ args }) => args.flatMap((arg) => elementsOf(model, arg) ?? [arg])).map(numberIn),
    ...compared.flatMap(({ parts = [] }) => parts.map(({ value }) => value)),
  ];
  const least = numbers.reduce<Rational>((most, each) => larger(most, each?.magnitude), one).times(margin);
  return compared.every(({ constraint, parts }) => {
    if (!parts || parts.length > terms_max) return false;
    // The constraint only produced a value and decided nothing.
    if (defining.has(constraint) && !constraint.name.endsWith("_reif")) return true;
    const sum = parts.reduce((so_far, { value }) => so_far.plus(value), zero).magnitude;
    return sum.compare(least) > 0 || isWritten(parts);
  });
}

/** A number in a comparison, with its sign; the sum of all parts is compared with 0. */
interface Part {
  readonly value: Rational;
  /** Whether the number is written in the source and has no factor. */
  readonly is_written: boolean;
}

function partsOf(
  model: FlatZinc,
  { name, args: [a, b, c] }: Constraint,
  numberIn: (expression: Expression | undefined) => Rational | undefined,
): Part[] | undefined {
  const plain = (expression: Expression | undefined, factor: Rational) => {
    const value = numberIn(expression);
    const is_written = expression?.kind === "number" && factor.magnitude.compare(one) === 0;
    return value && { value: value.times(factor), is_written };
  };
  const is_sum = name.startsWith("float_lin");
  const factors = is_sum ? elementsOf(model, a)?.map(numberIn) : [one];
  const terms = is_sum ? elementsOf(model, b) : a && [a];
  const parts = terms?.map((term, i) => plain(term, factors?.[i] ?? zero));
  const all_parts = [...(parts ?? [undefined]), plain(is_sum ? c : b, one.negated)];
  const known = all_parts.filter((each) => each !== undefined);
  return known.length === all_parts.length && factors && !factors.includes(undefined) ? known : undefined;
}

/** Whether two numbers are compared as written: the doubles are equal if the written numbers are. */
function isWritten(parts: readonly Part[]): boolean {
  const counting = parts.filter(({ value }) => value.over !== 0n);
  return counting.length <= 2 && counting.every(({ is_written }) => is_written);
}

function numberOf(expression: Expression | undefined, values: ReadonlyMap<string, Value>): Rational | undefined {
  if (expression?.kind === "number") return expression.value;
  const value = expression?.kind === "name" ? values.get(expression.name) : undefined;
  return value instanceof Rational ? value : undefined;
}

function larger(a: Rational, b: Rational | undefined): Rational {
  return b && b.compare(a) > 0 ? b : a;
}
