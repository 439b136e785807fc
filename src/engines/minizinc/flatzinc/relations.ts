import { Rational, zero } from "./rational.ts";

/** A value of a FlatZinc variable; a set is the list of its elements. */
export type Value = Rational | boolean | readonly Rational[];

/** An argument with its value or the values of its elements; undefined if unknown. */
export type ArgumentValue = Value | readonly (Value | undefined)[] | undefined;

/**
 * Whether a relation holds, and its distance from the opposite, relative to its numbers. Relations on integers have no
 * distance, so no tolerance applies.
 */
export interface Truth {
  readonly holds: boolean;
  readonly distance?: Rational;
}

type Test = (args: readonly ArgumentValue[]) => Truth | undefined;

/** Relations by their name without `_reif` or `_imp`. Undefined if the arguments have another type. */
export const relations: Readonly<Record<string, Test>> = {
  ...comparisons("int", false),
  ...comparisons("bool", false),
  ...comparisons("float", true),
  set_in: ([x, s]) => (isNumber(x) && isSet(s) ? exact(has(s, x)) : undefined),
  set_eq: ([a, b]) => (isSet(a) && isSet(b) ? exact(sameSet(a, b)) : undefined),
  set_ne: ([a, b]) => (isSet(a) && isSet(b) ? exact(!sameSet(a, b)) : undefined),
  set_subset: ([a, b]) => (isSet(a) && isSet(b) ? exact(a.every((x) => has(b, x))) : undefined),
  set_superset: ([a, b]) => (isSet(a) && isSet(b) ? exact(b.every((x) => has(a, x))) : undefined),
  bool_clause: ([yes, no]) =>
    isBools(yes) && isBools(no) ? exact(yes.includes(true) || no.includes(false)) : undefined,
  bool_lin_eq: ([c, x, k]) => linear(c, numbers(x), k, (by) => by === 0, false),
  bool_lin_le: ([c, x, k]) => linear(c, numbers(x), k, (by) => by <= 0, false),
  set_le: ([a, b]) => (isSet(a) && isSet(b) ? exact(inOrder(a, b, true)) : undefined),
  set_lt: ([a, b]) => (isSet(a) && isSet(b) ? exact(inOrder(a, b, false)) : undefined),
  table_int: ([x, rows]) => inTable(numbers(x), numbers(rows)),
  table_bool: ([x, rows]) => inTable(numbers(x), numbers(rows)),
  all_different_int: ([x]) => (isSet(x) ? exact(isDistinct(x)) : undefined),
  inverse_offsets: inverse,
};

/** Two lists, each with the least index of the other one. */
function inverse([f, f_low, g, g_low]: readonly ArgumentValue[]): Truth | undefined {
  if (!isSet(f) || !isSet(g) || !isNumber(f_low) || !isNumber(g_low)) return undefined;
  return exact(leadsBack(f, f_low, g, g_low) && leadsBack(g, g_low, f, f_low));
}

function leadsBack(f: readonly Rational[], f_low: Rational, g: readonly Rational[], g_low: Rational): boolean {
  return f.every((x, i) => {
    const back = g[x.minus(f_low).toNumber()];
    return back?.compare(g_low.plus(new Rational(BigInt(i)))) === 0;
  });
}

function comparisons(type: string, tolerant: boolean): Record<string, Test> {
  const signs: Readonly<Record<string, (by: number) => boolean>> = {
    eq: (by) => by === 0,
    ne: (by) => by !== 0,
    le: (by) => by <= 0,
    lt: (by) => by < 0,
  };
  const entries = Object.entries(signs).flatMap(([sign, holds]): [string, Test][] => [
    [`${type}_${sign}`, ([a, b]) => compared(number(a), number(b), holds, tolerant)],
    [`${type}_lin_${sign}`, ([c, x, k]) => linear(c, numbers(x), k, holds, tolerant)],
  ]);
  return Object.fromEntries(entries);
}

function compared(
  a: Rational | undefined,
  b: Rational | undefined,
  holds: (by: number) => boolean,
  tolerant: boolean,
  scale = 1,
): Truth | undefined {
  if (!a || !b) return undefined;
  const truth = holds(a.compare(b));
  return tolerant ? { holds: truth, distance: relative(a.minus(b), [a, b], scale) } : exact(truth);
}

function linear(
  coefficients: ArgumentValue,
  variables: readonly Rational[] | undefined,
  total: ArgumentValue,
  holds: (by: number) => boolean,
  tolerant: boolean,
): Truth | undefined {
  const k = number(total);
  if (!isSet(coefficients) || !variables || !k) return undefined;
  const terms = variables.map((x, i) => x.times(coefficients[i] ?? zero));
  const sum = terms.reduce((so_far, each) => so_far.plus(each), zero);
  const scale = tolerant ? Math.max(1, ...terms.map((each) => each.magnitude.toNumber())) : 1;
  return compared(sum, k, holds, tolerant, scale);
}

/** A difference relative to the compared numbers, or absolute if these are smaller than 1. */
export function relative(difference: Rational, sizes: readonly Rational[], scale = 1): Rational {
  const size = Math.max(scale, 1, ...sizes.map((each) => each.magnitude.toNumber()));
  return difference.magnitude.by(Rational.of(size) ?? largest(sizes)) ?? zero;
}

function largest(sizes: readonly Rational[]): Rational {
  return sizes.reduce((most, each) => (each.magnitude.compare(most) > 0 ? each.magnitude : most), new Rational(1n));
}

type Compute = (args: readonly ArgumentValue[]) => Value | undefined;

/** Constraints that give one argument its value: which one, out of the others. */
export const functions: Readonly<Record<string, { readonly result: number; readonly compute: Compute }>> = {
  ...arithmetic("int"),
  ...arithmetic("float"),
  int_div: at(2, ([a, b]) => ofNumbers(a, b, (x, y) => truncated(x, y))),
  int_mod: at(2, ([a, b]) => ofNumbers(a, b, (x, y) => remainder(x, y))),
  int_pow: at(2, ([a, b]) => ofNumbers(a, b, power)),
  float_div: at(2, ([a, b]) => ofNumbers(a, b, (x, y) => x.by(y))),
  float_sqrt: of_double(Math.sqrt),
  float_exp: of_double(Math.exp),
  float_ln: of_double(Math.log),
  float_log2: of_double(Math.log2),
  float_log10: of_double(Math.log10),
  float_sin: of_double(Math.sin),
  float_cos: of_double(Math.cos),
  float_tan: of_double(Math.tan),
  bool2int: at(1, ([a]) => number(a)),
  int2float: at(1, ([a]) => number(a)),
  bool_not: at(1, ([a]) => (typeof a === "boolean" ? !a : undefined)),
  bool_xor: at(2, ([a, b]) => (typeof a === "boolean" && typeof b === "boolean" ? a !== b : undefined)),
  bool_and: at(2, ([a, b]) => (typeof a === "boolean" && typeof b === "boolean" ? a && b : undefined)),
  bool_or: at(2, ([a, b]) => (typeof a === "boolean" && typeof b === "boolean" ? a || b : undefined)),
  array_bool_and: at(1, ([list]) => (isBools(list) ? !list.includes(false) : undefined)),
  array_bool_or: at(1, ([list]) => (isBools(list) ? list.includes(true) : undefined)),
  ...elements(["int", "bool", "float", "set"]),
  ...extremes(["array_int", "array_float", "chuffed_array_int", "gecode_array_int"]),
  set_card: at(1, ([s]) => (isSet(s) ? new Rational(BigInt(s.length)) : undefined)),
  set_union: at(2, ([a, b]) => (isSet(a) && isSet(b) ? sorted([...a, ...b.filter((x) => !has(a, x))]) : undefined)),
  set_intersect: at(2, ([a, b]) => (isSet(a) && isSet(b) ? a.filter((x) => has(b, x)) : undefined)),
  set_diff: at(2, ([a, b]) => (isSet(a) && isSet(b) ? a.filter((x) => !has(b, x)) : undefined)),
  set_symdiff: at(2, ([a, b]) =>
    isSet(a) && isSet(b) ? sorted([...a.filter((x) => !has(b, x)), ...b.filter((x) => !has(a, x))]) : undefined,
  ),
};

function at(result: number, compute: Compute) {
  return { result, compute };
}

function arithmetic(type: string) {
  return {
    [`${type}_plus`]: at(2, ([a, b]) => ofNumbers(a, b, (x, y) => x.plus(y))),
    [`${type}_minus`]: at(2, ([a, b]) => ofNumbers(a, b, (x, y) => x.minus(y))),
    [`${type}_times`]: at(2, ([a, b]) => ofNumbers(a, b, (x, y) => x.times(y))),
    [`${type}_min`]: at(2, ([a, b]) => ofNumbers(a, b, (x, y) => (x.compare(y) < 0 ? x : y))),
    [`${type}_max`]: at(2, ([a, b]) => ofNumbers(a, b, (x, y) => (x.compare(y) > 0 ? x : y))),
    [`${type}_abs`]: at(1, ([a]) => number(a)?.magnitude),
  };
}

/** The element of a list at a variable index, which counts from 1. */
function elements(types: readonly string[]) {
  const pick = at(2, ([index, list]) => {
    const i = number(index);
    if (!i?.isWhole || !Array.isArray(list) || i.over < 1n || i.over > BigInt(list.length)) return undefined;
    const element: Value | undefined = list[Number(i.over) - 1];
    return element;
  });
  return Object.fromEntries(
    types.flatMap((type) => [`array_${type}_element`, `array_var_${type}_element`]).map((name) => [name, pick]),
  );
}

function extremes(prefixes: readonly string[]) {
  const best = (better: (by: number) => boolean) => ({
    result: 0,
    compute: ([, list]: readonly ArgumentValue[]) =>
      numbers(list)?.reduce((extreme, each) => (better(each.compare(extreme)) ? each : extreme)),
  });
  return Object.fromEntries(
    prefixes.flatMap((prefix) => [
      [`${prefix}_maximum`, best((by) => by > 0)],
      [`${prefix}_minimum`, best((by) => by < 0)],
    ]),
  );
}

function of_double(compute: (x: number) => number) {
  return at(1, ([a]) => {
    const x = number(a);
    return x && Rational.of(compute(x.toNumber()));
  });
}

/** Rounded towards 0, as MiniZinc divides. */
function truncated(a: Rational, b: Rational): Rational | undefined {
  return b.over === 0n ? undefined : new Rational(a.over / b.over);
}

/** With the sign of the dividend. */
function remainder(a: Rational, b: Rational): Rational | undefined {
  return b.over === 0n ? undefined : new Rational(a.over % b.over);
}

/** Powers this large are past all solvers. */
const exponent_max = 1000n;

function power(a: Rational, b: Rational): Rational | undefined {
  if (!b.isWhole || b.over > exponent_max) return undefined;
  if (b.over >= 0n) return new Rational(a.over ** b.over, a.under ** b.over);
  // In integers, only 1 and -1 have a negative power that is not rounded to 0.
  if (a.magnitude.over !== 1n) return a.over === 0n ? undefined : zero;
  return a.over < 0n && b.over % 2n !== 0n ? a : a.magnitude;
}

function ofNumbers(
  a: ArgumentValue,
  b: ArgumentValue,
  compute: (x: Rational, y: Rational) => Rational | undefined,
): Rational | undefined {
  const [x, y] = [number(a), number(b)];
  return x && y && compute(x, y);
}

/** A number, or a truth value as 0 or 1. */
export function number(argument: ArgumentValue): Rational | undefined {
  if (typeof argument === "boolean") return argument ? new Rational(1n) : zero;
  return isNumber(argument) ? argument : undefined;
}

export function numbers(argument: ArgumentValue): Rational[] | undefined {
  if (!Array.isArray(argument)) return undefined;
  const all = argument.map((each: Value | undefined) => number(each));
  const known = all.filter((each) => each !== undefined);
  return known.length === all.length ? known : undefined;
}

function isNumber(argument: ArgumentValue): argument is Rational {
  return argument instanceof Rational;
}

function isSet(argument: ArgumentValue): argument is readonly Rational[] {
  return Array.isArray(argument) && argument.every((each) => each instanceof Rational);
}

function isBools(argument: ArgumentValue): argument is readonly boolean[] {
  return Array.isArray(argument) && argument.every((each) => typeof each === "boolean");
}

function exact(holds: boolean): Truth {
  return { holds };
}

function has(set: readonly Rational[], x: Rational): boolean {
  return set.some((each) => each.compare(x) === 0);
}

export function sameSet(a: readonly Rational[], b: readonly Rational[]): boolean {
  return a.length === b.length && a.every((x) => has(b, x));
}

function sorted(set: readonly Rational[]): Rational[] {
  return set.toSorted((a, b) => a.compare(b));
}

function isDistinct(list: readonly Rational[]): boolean {
  return new Set(list.map(({ over, under }) => `${over}/${under}`)).size === list.length;
}

/** Sets in the order of a dictionary, as the compiler compares them. */
function inOrder(a: readonly Rational[], b: readonly Rational[], or_equal: boolean): boolean {
  const at = a.findIndex((x, i) => b[i] === undefined || x.compare(b[i]) !== 0);
  const [x, y] = [a[at], b[at]];
  if (x) return y !== undefined && x.compare(y) < 0;
  return a.length < b.length || or_equal;
}

/** Whether a list is one of the rows, which are stored one after another. */
function inTable(list: readonly Rational[] | undefined, rows: readonly Rational[] | undefined): Truth | undefined {
  if (!list || !rows) return undefined;
  const count = list.length === 0 ? 0 : rows.length / list.length;
  const matches = Array.from({ length: count }, (_, row) =>
    list.every((x, i) => rows[row * list.length + i]?.compare(x) === 0),
  );
  return exact(matches.includes(true));
}
