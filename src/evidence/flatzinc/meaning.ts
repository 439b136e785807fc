import { type Domain, type Expression, elementsOf, type FlatZinc } from "./parse.ts";
import { Rational, zero } from "./rational.ts";
import {
  all,
  any,
  asNumber,
  chosen,
  compared,
  distinct,
  equal,
  Formula,
  minus,
  type Num,
  not,
  plus,
  quotient,
  type Sign,
  same,
  Term,
  type Truth,
  times,
  toReal,
  total,
} from "./terms.ts";

/** A value of a FlatZinc variable; a set is the list of its elements. */
export type Value = Rational | boolean | readonly Rational[];

/** A value, or an SMT-LIB term for an unknown value. */
export type Meant = Value | Term | Formula;

/** The arguments of a constraint by position; an argument that is unknown or has another type is undefined. */
export class Arguments {
  readonly #model: FlatZinc;
  readonly #args: readonly Expression[];
  readonly #meant: (expression: Expression) => Meant | undefined;

  constructor(model: FlatZinc, args: readonly Expression[], meant: (expression: Expression) => Meant | undefined) {
    this.#model = model;
    this.#args = args;
    this.#meant = meant;
  }

  get count(): number {
    return this.#args.length;
  }

  meant(at: number): Meant | undefined {
    const arg = this.#args[at];
    return arg && this.#meant(arg);
  }

  /** The elements of a list, some of which may be unknown. */
  list(at: number): readonly (Meant | undefined)[] | undefined {
    return elementsOf(this.#model, this.#args[at])?.map((each) => this.#meant(each));
  }

  /** The ranges of a set. */
  ranges(at: number): Domain | undefined {
    const arg = this.#args[at];
    if (arg?.kind === "set") return arg.ranges;
    return elements(this, at)?.map((each) => ({ low: each, high: each }));
  }
}

/** A comparison of two numbers. For floats that were rounded earlier, its result is not exact. */
export interface Comparison {
  readonly sign: Sign;
  readonly left: Num;
  readonly right: Num;
  /** The numbers in a sum; their sizes determine how exactly the sum can be computed. */
  readonly parts: readonly Num[];
}

type Read<T> = (args: Arguments, at: number) => T | undefined;

const number: Read<Num> = (args, at) => numberOf(args.meant(at));
const truth: Read<Truth> = (args, at) => truthOf(args.meant(at));
const numbers: Read<Num[]> = (args, at) => allOf(args.list(at)?.map(numberOf));
const truths: Read<Truth[]> = (args, at) => allOf(args.list(at)?.map(truthOf));
const list: Read<readonly (Meant | undefined)[]> = (args, at) => args.list(at);
const ranges: Read<Domain> = (args, at) => args.ranges(at);
const elements: Read<readonly Rational[]> = (args, at) => {
  const meant = args.meant(at);
  return isSet(meant) ? meant : undefined;
};
/** A list of numbers, all of which are known. */
const known: Read<Rational[]> = (args, at) =>
  allOf(numbers(args, at)?.map((each) => (each instanceof Rational ? each : undefined)));

const one = <A, R>(a: Read<A>, make: (a: A) => R | undefined) => two(a, () => true, make);

const two =
  <A, B, R>(a: Read<A>, b: Read<B>, make: (a: A, b: B) => R | undefined) =>
  (args: Arguments): R | undefined => {
    const [x, y] = [a(args, 0), b(args, 1)];
    return x === undefined || y === undefined ? undefined : make(x, y);
  };

const three =
  <A, B, C, R>(a: Read<A>, b: Read<B>, c: Read<C>, make: (a: A, b: B, c: C) => R | undefined) =>
  (args: Arguments): R | undefined => {
    const z = c(args, 2);
    return z === undefined ? undefined : two(a, b, (x, y) => make(x, y, z))(args);
  };

type Relation = (args: Arguments) => Truth | Comparison | undefined;

/** The meaning of each relation, by its name without `_reif` or `_imp`. */
const relations: Readonly<Record<string, Relation>> = {
  ...comparisons("int"),
  ...comparisons("float"),
  ...comparisons("bool"),
  bool_eq: two(truth, truth, same),
  bool_ne: two(truth, truth, (a, b) => not(same(a, b))),
  bool_le: two(truth, truth, (a, b) => any([not(a), b])),
  bool_lt: two(truth, truth, (a, b) => all([not(a), b])),
  bool_clause: two(truths, truths, (yes, no) => any([...yes, ...no.map(not)])),
  set_in: two(number, ranges, within),
  set_eq: two(elements, elements, sameSet),
  set_ne: two(elements, elements, (a, b) => !sameSet(a, b)),
  set_subset: two(elements, elements, (a, b) => a.every((x) => has(b, x))),
  set_superset: two(elements, elements, (a, b) => b.every((x) => has(a, x))),
  set_le: two(elements, elements, (a, b) => inOrder(a, b, true)),
  set_lt: two(elements, elements, (a, b) => inOrder(a, b, false)),
  table_int: two(numbers, numbers, inTable),
  table_bool: two(numbers, numbers, inTable),
  all_different_int: one(numbers, distinct),
  inverse_offsets: inverse,
};

function comparisons(type: string): Record<string, Relation> {
  const all_signs: readonly Sign[] = ["eq", "ne", "le", "lt", "ge", "gt"];
  return Object.fromEntries(
    all_signs.flatMap((sign): [string, Relation][] => [
      [`${type}_${sign}`, two(number, number, (left, right) => ({ sign, left, right, parts: [] }))],
      [
        `${type}_lin_${sign}`,
        three(numbers, numbers, number, (factors, terms, right) => {
          const parts = terms.map((x, i) => times(factors[i] ?? zero, x));
          return { sign, left: total(parts), right, parts };
        }),
      ],
    ]),
  );
}

/** A constraint that determines one of its arguments. */
interface Definition {
  /** The position of the argument that the constraint determines. */
  readonly result: number;
  /** The argument's value, computed from the other arguments. */
  readonly value: (args: Arguments) => Meant | undefined;
  /** The constraint's meaning, if it is not just that the argument has this value. */
  readonly states?: (args: Arguments) => Truth | undefined;
}

const definitions: Readonly<Record<string, Definition>> = {
  ...arithmetic("int"),
  ...arithmetic("float"),
  int_div: divided((_, __, by) => by),
  int_mod: divided((a, b, by) => minus(a, times(b, by))),
  int_pow: { result: 2, value: two(number, number, power) },
  float_div: {
    result: 2,
    value: two(number, number, (a, b) => (a instanceof Rational && b instanceof Rational ? a.by(b) : undefined)),
    states: three(number, number, number, (a, b, c) => all([compared("ne", b, zero), equal(times(c, b), a)])),
  },
  float_sqrt: {
    ...inDoubles(Math.sqrt),
    states: two(number, number, (a, b) => all([compared("ge", b, zero), equal(times(b, b), a)])),
  },
  float_exp: inDoubles(Math.exp),
  float_ln: inDoubles(Math.log),
  float_log2: inDoubles(Math.log2),
  float_log10: inDoubles(Math.log10),
  float_sin: inDoubles(Math.sin),
  float_cos: inDoubles(Math.cos),
  float_tan: inDoubles(Math.tan),
  bool2int: { result: 1, value: one(number, (a) => a) },
  int2float: { result: 1, value: one(number, toReal) },
  bool_not: { result: 1, value: one(truth, not) },
  bool_xor: { result: 2, value: two(truth, truth, (a, b) => not(same(a, b))) },
  bool_and: { result: 2, value: two(truth, truth, (a, b) => all([a, b])) },
  bool_or: { result: 2, value: two(truth, truth, (a, b) => any([a, b])) },
  array_bool_and: { result: 1, value: one(truths, all) },
  array_bool_or: { result: 1, value: one(truths, any) },
  ...Object.fromEntries(["int", "bool", "float", "set"].flatMap(elementOf)),
  ...extremes("int"),
  ...extremes("float"),
  set_card: { result: 1, value: one(elements, (s) => new Rational(BigInt(s.length))) },
  set_union: ofSets((a, b) => sorted([...a, ...b.filter((x) => !has(a, x))])),
  set_intersect: ofSets((a, b) => a.filter((x) => has(b, x))),
  set_diff: ofSets((a, b) => a.filter((x) => !has(b, x))),
  set_symdiff: ofSets((a, b) => sorted([...a.filter((x) => !has(b, x)), ...b.filter((x) => !has(a, x))])),
};

/** A constraint's name without the prefix of the solver library that it comes from. */
function plainName(name: string): string {
  return name.replace(/^(?:fzn|gecode|chuffed)_(?=all_different|table_|array_int_m)/, "");
}

/** How a constraint determines one argument; undefined if it is a relation. */
export function definitionOf(name: string): Definition | undefined {
  return definitions[plainName(name)];
}

/** Returns a constraint's meaning; undefined if it is unknown. The caller handles `_reif` and `_imp`. */
export function statementOf(name: string, args: Arguments): Truth | Comparison | undefined {
  const definition = definitionOf(name);
  if (!definition) return relations[plainName(name)]?.(args);
  if (definition.states) return definition.states(args);
  const result = args.count > definition.result ? args.meant(definition.result) : true;
  const value = definition.value(args);
  return value === undefined || result === undefined ? undefined : equation(result, value);
}

/** The equality of two values; undefined if they have different types. */
export function equation(a: Meant, b: Meant): Truth | Comparison | undefined {
  if (isSet(a) && isSet(b)) return sameSet(a, b);
  if (isTruth(a) && isTruth(b)) return same(a, b);
  const [left, right] = [numberOf(a), numberOf(b)];
  return left && right && { sign: "eq", left, right, parts: [] };
}

/** A statement as a truth value. */
export function stated(statement: Truth | Comparison | undefined): Truth | undefined {
  if (statement === undefined || typeof statement === "boolean" || statement instanceof Formula) return statement;
  return compared(statement.sign, statement.left, statement.right);
}

/** Functions whose values are computed in doubles here. */
export const is_irrational = /^float_(?:sqrt|exp|ln|log\w*|a?(?:sin|cos|tan)h?|pow)$/;

function inDoubles(compute: (x: number) => number): Definition {
  return {
    result: 1,
    value: one(number, (x) => (x instanceof Rational ? Rational.of(compute(x.toNumber())) : undefined)),
    states: () => undefined,
  };
}

function arithmetic(type: string): Record<string, Definition> {
  const binary = (compute: (a: Num, b: Num) => Num): Definition => ({ result: 2, value: two(number, number, compute) });
  return {
    [`${type}_plus`]: binary(plus),
    [`${type}_minus`]: binary(minus),
    [`${type}_times`]: binary(times),
    [`${type}_min`]: binary((a, b) => chosen(compared("le", a, b), a, b)),
    [`${type}_max`]: binary((a, b) => chosen(compared("ge", a, b), a, b)),
    [`${type}_abs`]: { result: 1, value: one(number, (a) => chosen(compared("ge", a, zero), a, minus(zero, a))) },
  };
}

/** A value computed from the quotient of two numbers, the second of which is not 0. */
function divided(compute: (a: Num, b: Num, by: Num) => Num): Definition {
  const value = (a: Num, b: Num) => {
    const by = quotient(a, b);
    return by && compute(a, b, by);
  };
  return {
    result: 2,
    value: two(number, number, value),
    states: three(number, number, number, (a, b, c) => {
      const result = value(a, b);
      return result === undefined ? false : all([compared("ne", b, zero), equal(c, result)]);
    }),
  };
}

/** The list element at an index, counted from 1. */
function elementOf(type: string): [string, Definition][] {
  const definition: Definition = {
    result: 2,
    value: two(number, list, (index, all_elements) =>
      index instanceof Rational && index.isWhole ? all_elements[Number(index.over) - 1] : undefined,
    ),
    states: (args) => {
      const [index, all_elements, value] = [number(args, 0), args.list(1), args.meant(2)];
      if (!index || !all_elements || value === undefined) return undefined;
      const cases = all_elements.map((each) => (each === undefined ? undefined : stated(equation(each, value))));
      return (
        allOf(cases) && any(cases.map((each = false, i) => all([equal(index, new Rational(BigInt(i + 1))), each])))
      );
    },
  };
  return [
    [`array_${type}_element`, definition],
    [`array_var_${type}_element`, definition],
  ];
}

/** The largest and the smallest number in a list. */
function extremes(type: string): Record<string, Definition> {
  const extreme = (sign: Sign): Definition => ({
    result: 0,
    value: two(
      () => true,
      numbers,
      (_, all_numbers) =>
        all_numbers.length === 0
          ? undefined
          : all_numbers.reduce((best, each) => chosen(compared(sign, each, best), each, best)),
    ),
    states: two(number, numbers, (result, all_numbers) =>
      all([
        ...all_numbers.map((each) => compared(sign, result, each)),
        any(all_numbers.map((each) => equal(result, each))),
      ]),
    ),
  });
  return { [`array_${type}_maximum`]: extreme("ge"), [`array_${type}_minimum`]: extreme("le") };
}

function ofSets(compute: (a: readonly Rational[], b: readonly Rational[]) => readonly Rational[]): Definition {
  return { result: 2, value: two(elements, elements, compute) };
}

/** The maximum exponent; larger ones exceed the range of all solvers. */
const exponent_max = 1000n;

function power(a: Num, b: Num): Rational | undefined {
  if (!(a instanceof Rational) || !(b instanceof Rational) || !b.isWhole || b.over > exponent_max) return undefined;
  if (b.over >= 0n) return new Rational(a.over ** b.over, a.under ** b.over);
  // In integers, only 1 and -1 have a negative power that is not rounded to 0.
  if (a.magnitude.over !== 1n) return a.over === 0n ? undefined : zero;
  return a.over < 0n && b.over % 2n !== 0n ? a : a.magnitude;
}

function within(x: Num, domain: Domain): Truth {
  return any(domain.map(({ low, high }) => all([compared("le", low, x), compared("le", x, high)])));
}

/** Whether a list equals one of the rows, which are stored consecutively. */
function inTable(values: readonly Num[], rows: readonly Num[]): Truth {
  const count = values.length === 0 ? 0 : rows.length / values.length;
  const row = (at: number) => all(values.map((x, i) => equal(rows[at * values.length + i] ?? zero, x)));
  return any(Array.from({ length: count }, (_, at) => row(at)));
}

/** Whether two lists are inverse, each with the smallest index of the other. */
function inverse(args: Arguments): Truth | undefined {
  const [f, f_low, g, g_low] = [known(args, 0), number(args, 1), known(args, 2), number(args, 3)];
  if (!f || !g || !(f_low instanceof Rational) || !(g_low instanceof Rational)) return undefined;
  return leadsBack(f, f_low, g, g_low) && leadsBack(g, g_low, f, f_low);
}

function leadsBack(f: readonly Rational[], f_low: Rational, g: readonly Rational[], g_low: Rational): boolean {
  return f.every((x, i) => {
    const back = g[x.minus(f_low).toNumber()];
    return back?.compare(g_low.plus(new Rational(BigInt(i)))) === 0;
  });
}

/** A number, or a truth value as 0 or 1. */
export function numberOf(meant: Meant | undefined): Num | undefined {
  if (isTruth(meant)) return asNumber(meant);
  return meant instanceof Rational || meant instanceof Term ? meant : undefined;
}

function truthOf(meant: Meant | undefined): Truth | undefined {
  return isTruth(meant) ? meant : undefined;
}

function isTruth(meant: Meant | undefined): meant is Truth {
  return typeof meant === "boolean" || meant instanceof Formula;
}

export function isSet(meant: Meant | undefined): meant is readonly Rational[] {
  return Array.isArray(meant);
}

function allOf<T>(values: readonly (T | undefined)[] | undefined): T[] | undefined {
  const found = values?.filter((each) => each !== undefined);
  return found && found.length === values?.length ? found : undefined;
}

function has(set: readonly Rational[], x: Rational): boolean {
  return set.some((each) => each.compare(x) === 0);
}

function sameSet(a: readonly Rational[], b: readonly Rational[]): boolean {
  return a.length === b.length && a.every((x) => has(b, x));
}

function sorted(set: readonly Rational[]): Rational[] {
  return set.toSorted((a, b) => a.compare(b));
}

/** The lexicographic order of sets, as used by the compiler. */
function inOrder(a: readonly Rational[], b: readonly Rational[], or_equal: boolean): boolean {
  const at = a.findIndex((x, i) => b[i] === undefined || x.compare(b[i]) !== 0);
  const [x, y] = [a[at], b[at]];
  if (x) return y !== undefined && x.compare(y) < 0;
  return a.length < b.length || or_equal;
}
