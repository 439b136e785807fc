import type { Kind } from "../../src/evidence/flatzinc/measured.ts";
import {
  areApart,
  areDifferent,
  compareLists,
  isCircuit,
  neverAbove,
  tasksOf,
  times,
  total,
} from "./global_meanings.ts";

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

/** Of a constraint under a condition (its last argument, `_reif` or `_imp`), `holds` is the meaning without it. */
const one = (name: string, kinds: string, holds?: Meaning, more?: Omit<Signature, "name" | "kinds" | "holds">) => ({
  ...{ name, kinds, ...more },
  ...(holds && { holds: conditional(name, holds) }),
});
function conditional(name: string, holds: Meaning): Meaning {
  const isMet = (args: readonly Plain[]) => holds(args.slice(0, -1));
  if (name.endsWith("_reif")) return (args) => isMet(args) === (args.at(-1) === 1);
  return name.endsWith("_imp") ? (args) => args.at(-1) === 0 || isMet(args) : holds;
}
const forms = (name: string, kinds: string, holds?: Meaning): Signature[] => [
  one(name, kinds, holds),
  ...["reif", "imp"].map((form) => one(`${name}_${form}`, `${kinds}b`, holds)),
];

const numberOf = (given: Plain | undefined): number => (typeof given === "number" ? given : Number.NaN);
const listOf = (given: Plain | undefined): number[] =>
  Array.isArray(given) ? given.filter((each) => typeof each === "number") : [];
const setsOf = (given: Plain | undefined): number[][] =>
  Array.isArray(given) ? given.filter((each) => Array.isArray(each)) : [];
const product = (a: readonly number[], b: readonly number[]) => total(a.map((each, i) => each * (b[i] ?? 0)));
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
    test(total(listOf(x)), numberOf(k));

const isOrdered = (list: readonly number[], test: Compare) =>
  list.every((each, i) => i === 0 || test(list[i - 1] ?? 0, each));

const rows = (flat: readonly number[], width: number) =>
  Array.from({ length: flat.length / width }, (_, i) => flat.slice(i * width, (i + 1) * width));
const inTable: Meaning = ([x, t]) => rows(listOf(t), listOf(x).length).some((row) => equal(row, listOf(x)));
const ints = { constants: [[-1, 0, 1, 0, 0, 0, 2, 1, -1, 1, 2, 2]], domain: [-1, 2], length: 3 } as const;
const bools = { constants: [[0, 1, 1, 1, 0, 0, 1, 1, 1]], domain: [0, 2], length: 3 } as const;

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
  one("int_pow_fixed", "iji", ([a, b, c]) => numberOf(a) ** numberOf(b) === numberOf(c), { constants: [2] }),
  one("int_abs", "ii"),
  one("int_negate", "ii", ([a, b]) => numberOf(a) === -numberOf(b)),
  one("bool2int", "bi"),
  one("bool_not", "bb"),
  one("bool_xor", "bbb"),
  one("bool_and", "bbb"),
  one("bool_or", "bbb"),
  one("bool_xor_imp", "bbb", of2(ne)),
  one("bool_and_imp", "bbb", ([a, b]) => a === 1 && b === 1),
  one("bool_or_imp", "bbb", ([a, b]) => a === 1 || b === 1),
  one("array_bool_and", "Bb"),
  one("array_bool_or", "Bb"),
  one("array_bool_and_imp", "Bb", ([x]) => !listOf(x).includes(0)),
  one("array_bool_or_imp", "Bb", ([x]) => listOf(x).includes(1)),
  one("array_bool_xor", "B", ([x]) => total(listOf(x)) % 2 === 1),
  one("array_bool_xor_imp", "Bb", ([x]) => total(listOf(x)) % 2 === 1),
  one("array_int_element", "iIi"),
  one("array_var_int_element", "iXi"),
  one("array_bool_element", "iLb"),
  one("array_var_bool_element", "iBb"),
  one("array_var_int_element_imp", "iXib", ([i, x, y]) => listOf(x)[numberOf(i) - 1] === numberOf(y)),
  ...["array_int", "chuffed_array_int", "gecode_array_int"].flatMap((name) =>
    ["maximum", "minimum"].map((each) => ({ name: `${name}_${each}`, kinds: "iX" })),
  ),
];

const sets: readonly Signature[] = [
  ...forms("set_in", "iS"),
  ...["set_eq", "set_ne", "set_subset", "set_superset"].flatMap((name) => forms(name, "SS")),
  ...forms("set_le", "SS", ([a, b]) => compareLists(listOf(a), listOf(b)) <= 0),
  ...forms("set_lt", "SS", ([a, b]) => compareLists(listOf(a), listOf(b)) < 0),
  one("set_card", "Si"),
  ...["union", "intersect", "diff", "symdiff"].map((each) => ({ name: `set_${each}`, kinds: "SSS" })),
  one("array_set_element", "iTS"),
  one("array_var_set_element", "iUS"),
  one("array_set_partition", "US", ([u, s]) => isPartition(setsOf(u), listOf(s))),
  one("array_set_union", "US", ([u, s]) => equal(union(setsOf(u)), listOf(s))),
];

const isPartition = (parts: readonly (readonly number[])[], whole: readonly number[]) =>
  equal(union(parts), whole) && parts.flat().length === whole.length;

const globals: readonly Signature[] = [
  one("fzn_all_different_int", "X"),
  one("gecode_all_different_int", "X"),
  one("fzn_all_different_int_imp", "Xb", ([x]) => areDifferent(listOf(x))),
  one("fzn_all_equal_int", "X", ([x]) => new Set(listOf(x)).size <= 1),
  one("fzn_increasing_int", "X", ([x]) => isOrdered(listOf(x), le)),
  one("fzn_decreasing_int", "X", ([x]) => isOrdered(listOf(x), ge)),
  one("fzn_increasing_bool", "B", ([x]) => isOrdered(listOf(x), le)),
  one("fzn_decreasing_bool", "B", ([x]) => isOrdered(listOf(x), ge)),
  one("fzn_at_least_int", "jXj", ([n, x, v]) => times(listOf(x), numberOf(v)) >= numberOf(n)),
  one("fzn_at_most_int", "jXj", ([n, x, v]) => times(listOf(x), numberOf(v)) <= numberOf(n)),
  one("fzn_nvalue", "iX", ([n, x]) => new Set(listOf(x)).size === numberOf(n)),
  one("fzn_among", "iXs", ([n, x, s]) => total(listOf(s).map((v) => times(listOf(x), v))) === numberOf(n)),
  one("gecode_count", "Xii", ([x, v, n]) => times(listOf(x), numberOf(v)) === numberOf(n)),
  one("gecode_count_reif", "Xiib", ([x, v, n]) => times(listOf(x), numberOf(v)) === numberOf(n)),
  one("fzn_member_int", "Xi", ([x, v]) => listOf(x).includes(numberOf(v))),
  one("fzn_member_bool", "Bb", ([x, v]) => listOf(x).includes(numberOf(v))),
  one("gecode_member_int_reif", "Xib", ([x, v]) => listOf(x).includes(numberOf(v))),
  one("gecode_member_bool_reif", "Bbb", ([x, v]) => listOf(x).includes(numberOf(v))),
  one("gecode_array_int_lt", "XX", ([a, b]) => compareLists(listOf(a), listOf(b)) < 0),
  one("gecode_array_int_lq", "XX", ([a, b]) => compareLists(listOf(a), listOf(b)) <= 0),
  one("array_int_lt", "XX", ([a, b]) => compareLists(listOf(a), listOf(b)) < 0),
  one("array_int_lq", "XX", ([a, b]) => compareLists(listOf(a), listOf(b)) <= 0),
  one("gecode_array_bool_lt", "BB", ([a, b]) => compareLists(listOf(a), listOf(b)) < 0),
  one("gecode_array_bool_lq", "BB", ([a, b]) => compareLists(listOf(a), listOf(b)) <= 0),
  one("gecode_circuit", "jX", ([k, x]) => isCircuit(listOf(x), numberOf(k)), {
    constants: [0],
    domain: [0, 3],
    length: 4,
  }),
  one("chuffed_circuit", "Xj", ([x, k]) => isCircuit(listOf(x), numberOf(k)), {
    constants: [1],
    domain: [1, 4],
    length: 4,
  }),
  one("chuffed_subcircuit", "Xj", ([x, k]) => isCircuit(listOf(x), numberOf(k), true), {
    constants: [1],
    domain: [1, 4],
    length: 4,
  }),
  one("fzn_table_int", "XI", inTable, ints),
  one("gecode_table_int", "XI", inTable, ints),
  one("gecode_table_int_reif", "XIb", inTable, ints),
  one("gecode_table_int_imp", "XIb", inTable, ints),
  one("chuffed_table_int", "XI", inTable, ints),
  one("gecode_table_bool", "BL", inTable, bools),
  one("gecode_table_bool_reif", "BLb", inTable, bools),
  one("gecode_table_bool_imp", "BLb", inTable, bools),
  one("chuffed_disjunctive_strict", "XI", ([s, d]) => areApart(tasksOf(listOf(s), listOf(d))), {
    constants: [[2, 0, 1]],
    domain: [0, 3],
    length: 3,
  }),
  one("chuffed_disjunctive_strict", "XI", ([s, d]) => areApart(tasksOf(listOf(s), listOf(d))), {
    constants: [[2, 1, 3, 1]],
    believed_by: "chuffed",
    domain: [0, 5],
    length: 4,
  }),
  one("gecode_schedule_unary", "XI", ([s, d]) => neverAbove(tasksOf(listOf(s), listOf(d)), 1), {
    constants: [[2, 1, 3]],
    domain: [0, 5],
    length: 3,
  }),
  one(
    "chuffed_cumulative",
    "XIIj",
    ([s, d, n, k]) => neverAbove(tasksOf(listOf(s), listOf(d), listOf(n)), numberOf(k)),
    {
      constants: [[2, 1, 3], [1, 2, 2], 3],
      domain: [0, 4],
      length: 3,
    },
  ),
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
  one(
    "gecode_precede",
    "Xjj",
    ([x, s, t]) => {
      const list = listOf(x);
      const [first, second] = [list.indexOf(numberOf(s)), list.indexOf(numberOf(t))];
      return second < 0 || (first >= 0 && first < second);
    },
    { constants: [1, 2] },
  ),
];

export const signatures: readonly Signature[] = [...basic, ...functions, ...sets, ...globals];
