import type { Kind } from "../../src/evidence/flatzinc/measured.ts";

/**
 * Constraints of FlatZinc with the kinds of their arguments, one letter each:
 * `i` a whole number, `j` a constant, `b` a truth value, `S` a set, `s` a constant set; of lists `I` constants, `X`
 * whole numbers, `B` truth values, `L` constant truth values, `U` sets, `T` constant sets. All of `i b S X B U` may be
 * variables or constants.
 */
export interface Signature {
  readonly name: string;
  readonly kinds: string;
  /** What it means, where the evaluator of `src` does not know it. */
  readonly holds?: Meaning;
  /** The values of its whole numbers, where only these make sense. */
  readonly domain?: readonly [number, number];
  /** How long its lists of variables are, where it matters. */
  readonly length?: number;
  /** Constants of the model: the replacement of each `I` or `j`, in order. */
  readonly constants?: readonly (number | readonly number[])[];
  /** The solvers that are accepted with these constants, and not with others. */
  readonly believed_by?: Kind;
}

export type Plain = number | readonly number[] | readonly (readonly number[])[];
type Meaning = (args: readonly Plain[]) => boolean;

const forms = (name: string, kinds: string, holds?: Meaning): Signature[] => [
  { name, kinds, ...(holds && { holds }) },
  { name: `${name}_reif`, kinds: `${kinds}b`, ...(holds && { holds: reified(holds) }) },
  { name: `${name}_imp`, kinds: `${kinds}b`, ...(holds && { holds: implied(holds) }) },
];
const reified =
  (holds: Meaning): Meaning =>
  (args) =>
    holds(args.slice(0, -1)) === (args.at(-1) === 1);
const implied =
  (holds: Meaning): Meaning =>
  (args) =>
    args.at(-1) === 0 || holds(args.slice(0, -1));

const numberOf = (given: Plain | undefined): number => (typeof given === "number" ? given : Number.NaN);
const listOf = (given: Plain | undefined): number[] =>
  Array.isArray(given) ? given.filter((each) => typeof each === "number") : [];
const setsOf = (given: Plain | undefined): number[][] =>
  Array.isArray(given) ? given.filter((each) => Array.isArray(each)) : [];
const sum = (list: readonly number[]) => list.reduce((total, each) => total + each, 0);
const product = (a: readonly number[], b: readonly number[]) => sum(a.map((each, i) => each * (b[i] ?? 0)));
const count = (list: readonly number[], value: number) => list.filter((each) => each === value).length;
const equal = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((each, i) => each === b[i]);
const union = (sets: readonly (readonly number[])[]) => [...new Set(sets.flat())].sort((a, b) => a - b);

type Compare = (a: number, b: number) => boolean;
const ge: Compare = (a, b) => a >= b;
const gt: Compare = (a, b) => a > b;
const le: Compare = (a, b) => a <= b;
const lt: Compare = (a, b) => a < b;
const ne: Compare = (a, b) => a !== b;
const of2 =
  (test: Compare): Meaning =>
  ([a, b]) =>
    test(numberOf(a), numberOf(b));
const ofSum =
  (test: Compare): Meaning =>
  ([c, x, k]) =>
    test(product(listOf(c), listOf(x)), numberOf(k));
const ofCount =
  (test: Compare): Meaning =>
  ([x, k]) =>
    test(sum(listOf(x)), numberOf(k));

/** Lists in the order of a dictionary. */
function before(a: readonly number[], b: readonly number[], orEqual: boolean): boolean {
  for (const [i, each] of a.entries()) {
    const other = b[i];
    if (other === undefined) return false;
    if (each !== other) return each < other;
  }
  return a.length < b.length || orEqual;
}

/** Whether the list, whose places count from `offset`, is one round through all places. */
function isCircuit(list: readonly number[], offset: number, only: boolean): boolean {
  const places = list.map((each) => each - offset);
  if (places.some((each) => each < 0 || each >= places.length) || new Set(places).size < places.length) return false;
  const moved = places.flatMap((each, i) => (each === i ? [] : [i]));
  if (only && moved.length === 0) return true;
  const [start = 0] = only ? moved : [0];
  let [at, seen] = [places[start] ?? 0, 1];
  for (; at !== start; at = places[at] ?? 0) seen++;
  return seen === (only ? moved.length : places.length);
}

const isOrdered = (list: readonly number[], test: Compare) =>
  list.every((each, i) => i === 0 || test(list[i - 1] ?? 0, each));

/** Whether the tasks never need more than the limit. */
function fits(
  starts: readonly number[],
  durations: readonly number[],
  needs: readonly number[],
  limit: number,
): boolean {
  return starts.every((at) => {
    const running = starts.map((start, i) => (start <= at && at < start + (durations[i] ?? 0) ? (needs[i] ?? 0) : 0));
    return sum(running) <= limit;
  });
}

const rows = (flat: readonly number[], width: number) =>
  Array.from({ length: flat.length / width }, (_, i) => flat.slice(i * width, (i + 1) * width));
const inTable: Meaning = ([x, t]) => rows(listOf(t), listOf(x).length).some((row) => equal(row, listOf(x)));
const table3 = [[-1, 0, 1, 0, 0, 0, 2, 1, -1, 1, 2, 2]];
const tableBool = [[0, 1, 1, 1, 0, 0, 1, 1, 1]];

const basic: readonly Signature[] = [
  ...["int_eq", "int_ne", "int_le", "int_lt"].flatMap((name) => forms(name, "ii")),
  ...forms("int_ge", "ii", of2(ge)),
  ...forms("int_gt", "ii", of2(gt)),
  ...["bool_eq", "bool_ne", "bool_le", "bool_lt"].flatMap((name) => forms(name, "bb")),
  ...forms("bool_ge", "bb", of2(ge)),
  ...forms("bool_gt", "bb", of2(gt)),
  ...["int_lin_eq", "int_lin_ne", "int_lin_le"].flatMap((name) => forms(name, "IXj")),
  ...forms("int_lin_lt", "IXj", ofSum(lt)),
  ...forms("int_lin_ge", "IXj", ofSum(ge)),
  ...forms("int_lin_gt", "IXj", ofSum(gt)),
  ...["bool_lin_eq", "bool_lin_le"].flatMap((name) => forms(name, "IBi")),
  ...forms("bool_lin_ne", "IBi", ofSum(ne)),
  ...forms("bool_lin_lt", "IBi", ofSum(lt)),
  ...forms("bool_lin_ge", "IBi", ofSum(ge)),
  ...forms("bool_lin_gt", "IBi", ofSum(gt)),
  ...forms("set_in", "is"),
  ...forms("bool_clause", "BB"),
];

const functions: readonly Signature[] = [
  ...["plus", "minus", "times", "min", "max", "div", "mod", "pow"].map((name) => ({
    name: `int_${name}`,
    kinds: "iii",
  })),
  {
    name: "int_pow_fixed",
    kinds: "iji",
    holds: ([a, b, c]) => numberOf(a) ** numberOf(b) === numberOf(c),
    constants: [2],
  },
  { name: "int_abs", kinds: "ii" },
  { name: "int_negate", kinds: "ii", holds: ([a, b]) => numberOf(a) === -numberOf(b) },
  { name: "bool2int", kinds: "bi" },
  { name: "bool_not", kinds: "bb" },
  { name: "bool_xor", kinds: "bbb" },
  { name: "bool_and", kinds: "bbb" },
  { name: "bool_or", kinds: "bbb" },
  { name: "bool_xor_imp", kinds: "bbb", holds: implied(of2(ne)) },
  { name: "bool_and_imp", kinds: "bbb", holds: implied(([a, b]) => a === 1 && b === 1) },
  { name: "bool_or_imp", kinds: "bbb", holds: implied(([a, b]) => a === 1 || b === 1) },
  { name: "array_bool_and", kinds: "Bb" },
  { name: "array_bool_or", kinds: "Bb" },
  { name: "array_bool_and_imp", kinds: "Bb", holds: implied(([x]) => !listOf(x).includes(0)) },
  { name: "array_bool_or_imp", kinds: "Bb", holds: implied(([x]) => listOf(x).includes(1)) },
  { name: "array_bool_xor", kinds: "B", holds: ([x]) => sum(listOf(x)) % 2 === 1 },
  { name: "array_bool_xor_imp", kinds: "Bb", holds: implied(([x]) => sum(listOf(x)) % 2 === 1) },
  { name: "array_int_element", kinds: "iIi" },
  { name: "array_var_int_element", kinds: "iXi" },
  { name: "array_bool_element", kinds: "iLb" },
  { name: "array_var_bool_element", kinds: "iBb" },
  {
    name: "array_var_int_element_imp",
    kinds: "iXib",
    holds: implied(([i, x, y]) => listOf(x)[numberOf(i) - 1] === numberOf(y)),
  },
  ...["array_int", "chuffed_array_int", "gecode_array_int"].flatMap((name) =>
    ["maximum", "minimum"].map((each) => ({ name: `${name}_${each}`, kinds: "iX" })),
  ),
];

const sets: readonly Signature[] = [
  ...forms("set_in", "iS"),
  ...["set_eq", "set_ne", "set_subset", "set_superset"].flatMap((name) => forms(name, "SS")),
  ...forms("set_le", "SS", ([a, b]) => before(listOf(a), listOf(b), true)),
  ...forms("set_lt", "SS", ([a, b]) => before(listOf(a), listOf(b), false)),
  { name: "set_card", kinds: "Si" },
  ...["union", "intersect", "diff", "symdiff"].map((each) => ({ name: `set_${each}`, kinds: "SSS" })),
  { name: "array_set_element", kinds: "iTS" },
  { name: "array_var_set_element", kinds: "iUS" },
  { name: "array_set_partition", kinds: "US", holds: ([u, s]) => isPartition(setsOf(u), listOf(s)) },
  { name: "array_set_union", kinds: "US", holds: ([u, s]) => equal(union(setsOf(u)), listOf(s)) },
];

const isPartition = (parts: readonly (readonly number[])[], whole: readonly number[]) =>
  equal(union(parts), whole) && parts.flat().length === whole.length;

const globals: readonly Signature[] = [
  { name: "fzn_all_different_int", kinds: "X" },
  { name: "gecode_all_different_int", kinds: "X" },
  {
    name: "fzn_all_different_int_imp",
    kinds: "Xb",
    holds: implied(([x]) => new Set(listOf(x)).size === listOf(x).length),
  },
  { name: "fzn_all_equal_int", kinds: "X", holds: ([x]) => new Set(listOf(x)).size <= 1 },
  { name: "fzn_increasing_int", kinds: "X", holds: ([x]) => isOrdered(listOf(x), le) },
  { name: "fzn_decreasing_int", kinds: "X", holds: ([x]) => isOrdered(listOf(x), ge) },
  { name: "fzn_increasing_bool", kinds: "B", holds: ([x]) => isOrdered(listOf(x), le) },
  { name: "fzn_decreasing_bool", kinds: "B", holds: ([x]) => isOrdered(listOf(x), ge) },
  { name: "fzn_at_least_int", kinds: "jXj", holds: ([n, x, v]) => count(listOf(x), numberOf(v)) >= numberOf(n) },
  { name: "fzn_at_most_int", kinds: "jXj", holds: ([n, x, v]) => count(listOf(x), numberOf(v)) <= numberOf(n) },
  { name: "fzn_nvalue", kinds: "iX", holds: ([n, x]) => new Set(listOf(x)).size === numberOf(n) },
  {
    name: "fzn_among",
    kinds: "iXs",
    holds: ([n, x, s]) => sum(listOf(s).map((v) => count(listOf(x), v))) === numberOf(n),
  },
  { name: "gecode_count", kinds: "Xii", holds: ([x, v, n]) => count(listOf(x), numberOf(v)) === numberOf(n) },
  {
    name: "gecode_count_reif",
    kinds: "Xiib",
    holds: reified(([x, v, n]) => count(listOf(x), numberOf(v)) === numberOf(n)),
  },
  { name: "fzn_member_int", kinds: "Xi", holds: ([x, v]) => listOf(x).includes(numberOf(v)) },
  { name: "fzn_member_bool", kinds: "Bb", holds: ([x, v]) => listOf(x).includes(numberOf(v)) },
  { name: "gecode_member_int_reif", kinds: "Xib", holds: reified(([x, v]) => listOf(x).includes(numberOf(v))) },
  { name: "gecode_member_bool_reif", kinds: "Bbb", holds: reified(([x, v]) => listOf(x).includes(numberOf(v))) },
  { name: "gecode_array_int_lt", kinds: "XX", holds: ([a, b]) => before(listOf(a), listOf(b), false) },
  { name: "gecode_array_int_lq", kinds: "XX", holds: ([a, b]) => before(listOf(a), listOf(b), true) },
  { name: "array_int_lt", kinds: "XX", holds: ([a, b]) => before(listOf(a), listOf(b), false) },
  { name: "array_int_lq", kinds: "XX", holds: ([a, b]) => before(listOf(a), listOf(b), true) },
  { name: "gecode_array_bool_lt", kinds: "BB", holds: ([a, b]) => before(listOf(a), listOf(b), false) },
  { name: "gecode_array_bool_lq", kinds: "BB", holds: ([a, b]) => before(listOf(a), listOf(b), true) },
  {
    name: "gecode_circuit",
    kinds: "jX",
    constants: [0],
    domain: [0, 3],
    length: 4,
    holds: ([k, x]) => isCircuit(listOf(x), numberOf(k), false),
  },
  {
    name: "chuffed_circuit",
    kinds: "Xj",
    constants: [1],
    domain: [1, 4],
    length: 4,
    holds: ([x, k]) => isCircuit(listOf(x), numberOf(k), false),
  },
  {
    name: "chuffed_subcircuit",
    kinds: "Xj",
    constants: [1],
    domain: [1, 4],
    length: 4,
    holds: ([x, k]) => isCircuit(listOf(x), numberOf(k), true),
  },
  { name: "fzn_table_int", kinds: "XI", constants: table3, domain: [-1, 2], length: 3, holds: inTable },
  { name: "gecode_table_int", kinds: "XI", constants: table3, domain: [-1, 2], length: 3, holds: inTable },
  {
    name: "gecode_table_int_reif",
    kinds: "XIb",
    constants: table3,
    domain: [-1, 2],
    length: 3,
    holds: reified(inTable),
  },
  {
    name: "gecode_table_int_imp",
    kinds: "XIb",
    constants: table3,
    domain: [-1, 2],
    length: 3,
    holds: implied(inTable),
  },
  { name: "chuffed_table_int", kinds: "XI", constants: table3, domain: [-1, 2], length: 3, holds: inTable },
  { name: "gecode_table_bool", kinds: "BL", constants: tableBool, domain: [0, 2], length: 3, holds: inTable },
  {
    name: "gecode_table_bool_reif",
    kinds: "BLb",
    constants: tableBool,
    domain: [0, 2],
    length: 3,
    holds: reified(inTable),
  },
  {
    name: "gecode_table_bool_imp",
    kinds: "BLb",
    constants: tableBool,
    domain: [0, 2],
    length: 3,
    holds: implied(inTable),
  },
  {
    name: "chuffed_disjunctive_strict",
    kinds: "XI",
    constants: [[2, 0, 1]],
    domain: [0, 3],
    length: 3,
    holds: ([s, d]) => isDisjunctive(listOf(s), listOf(d)),
  },
  {
    name: "chuffed_disjunctive_strict",
    kinds: "XI",
    constants: [[2, 1, 3, 1]],
    believed_by: "chuffed",
    domain: [0, 5],
    length: 4,
    holds: ([s, d]) => isDisjunctive(listOf(s), listOf(d)),
  },
  {
    name: "gecode_schedule_unary",
    kinds: "XI",
    constants: [[2, 1, 3]],
    domain: [0, 5],
    length: 3,
    holds: ([s, d]) => fits(listOf(s), listOf(d), [1, 1, 1], 1),
  },
  {
    name: "chuffed_cumulative",
    kinds: "XIIj",
    constants: [[2, 1, 3], [1, 2, 2], 3],
    domain: [0, 4],
    length: 3,
    holds: ([s, d, n, k]) => fits(listOf(s), listOf(d), listOf(n), numberOf(k)),
  },
  ...(
    [
      ["eq", (a, b) => a === b],
      ["ne", ne],
      ["le", le],
      ["lt", lt],
      ["ge", ge],
      ["gt", gt],
    ] satisfies [string, Compare][]
  ).map(([sign, test]): Signature => ({ name: `bool_sum_${sign}`, kinds: "Bi", holds: ofCount(test) })),
  {
    name: "gecode_precede",
    kinds: "Xjj",
    constants: [1, 2],
    holds: ([x, s, t]) => {
      const list = listOf(x);
      const [first, second] = [list.indexOf(numberOf(s)), list.indexOf(numberOf(t))];
      return second < 0 || (first >= 0 && first < second);
    },
  },
];

/** Tasks of which no two overlap; one without a duration is not inside of another. */
function isDisjunctive(starts: readonly number[], durations: readonly number[]): boolean {
  const ends = starts.map((start, i) => start + (durations[i] ?? 0));
  return starts.every((start, i) =>
    starts.every((other, j) => i === j || (ends[i] ?? 0) <= other || (ends[j] ?? 0) <= start),
  );
}

export const signatures: readonly Signature[] = [...basic, ...functions, ...sets, ...globals];
