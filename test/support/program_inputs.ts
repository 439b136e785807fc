/** Inputs that functions of the prover's fragment are called with in CPython: all small ones, and some that are telling. */
import type { PythonValue } from "../../src/prover/inputs.ts";
import { bitsOf } from "../../src/prover/logic/term.ts";

export interface Parameter {
  readonly name: string;
  readonly annotation: string;
  /** What an expression can use it as. */
  readonly kind: "int" | "bool" | "float" | "list" | "text" | "other";
  /** A constant that can be its default. */
  readonly defaults?: string;
  readonly values: (numbers: readonly number[], below: (bound: number) => number) => PythonValue[];
}

export function int(value: number | bigint): PythonValue {
  return { type: "int", value: String(value) };
}

export function bool(value: boolean): PythonValue {
  return { type: "bool", value };
}

export function list(items: readonly PythonValue[]): PythonValue {
  return { type: "list", items };
}

export function text(value: string): PythonValue {
  return { type: "str", codes: [...value].map((char) => char.codePointAt(0) ?? 0) };
}

/** All lists of these items up to a length, the short ones first. */
function lists<Item>(items: readonly Item[], length_max: number): Item[][] {
  const all: Item[][] = [[]];
  for (let from = 0, length = 0; length < length_max; length++) {
    const to = all.length;
    for (const known of all.slice(from, to)) for (const item of items) all.push([...known, item]);
    from = to;
  }
  return all;
}

const small = [-3, -2, -1, 0, 1, 2, 3, 4];
const floats = [
  Number.NaN,
  -0,
  0,
  1,
  -1,
  0.5,
  2,
  0.1,
  -3.25,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  2 ** 53,
  2 ** 53 - 1,
  2 ** 53 + 2,
  5e-324,
  1e308,
].map((value): PythonValue => ({ type: "float", value: bitsOf(value) }));
const texts = [
  ...lists(["a", "b"], 3).map((chars) => chars.join("")),
  "ab",
  "ba ",
  "0",
  "\0",
  "İ",
  "ß",
  "\ud800",
  "\u{10ffff}",
  "abab",
];
const truths = [bool(false), bool(true)];
const none: PythonValue = { type: "none" };

/** Lists of a few whole numbers: all of up to three small ones, and longer ones by chance. */
function numberLists(numbers: readonly number[], below: (bound: number) => number): PythonValue[] {
  const pool = [...small, ...numbers];
  const longer = Array.from({ length: 60 }, () =>
    Array.from({ length: 3 + below(9) }, () => pool[below(pool.length)] ?? 0),
  );
  const constants = numbers.flatMap((number) => [[number], [number, 1], [1, number]]);
  return [...lists([-1, 0, 1, 2], 3), ...constants, ...longer].map((items) => list(items.map(int)));
}

const wholes = (numbers: readonly number[]) => [...new Set([...small, ...numbers, 6, 8, 13, 27, -8])].map(int);

export const parameters: readonly Parameter[] = [
  { name: "n", annotation: "int", kind: "int", defaults: "3", values: wholes },
  { name: "xs", annotation: "list[int]", kind: "list", values: numberLists },
  { name: "m", annotation: "int", kind: "int", defaults: "1", values: wholes },
  { name: "ys", annotation: "list[int]", kind: "list", values: numberLists },
  { name: "b", annotation: "bool", kind: "bool", defaults: "True", values: () => truths },
  { name: "s", annotation: "str", kind: "text", defaults: "'a'", values: () => texts.map(text) },
  { name: "r", annotation: "str", kind: "text", values: () => texts.map(text) },
  { name: "x", annotation: "float", kind: "float", values: () => floats },
  { name: "y", annotation: "float", kind: "float", defaults: "0.5", values: () => floats },
  {
    name: "o",
    annotation: "int | None",
    kind: "other",
    defaults: "None",
    values: (numbers) => [none, ...wholes(numbers)],
  },
  {
    name: "w",
    annotation: "int | str",
    kind: "other",
    values: (numbers) => [...wholes(numbers), ...texts.slice(0, 5).map(text)],
  },
  {
    name: "p2",
    annotation: "tuple[int, bool]",
    kind: "other",
    values: (numbers) =>
      wholes(numbers).flatMap((one) => truths.map((other): PythonValue => ({ type: "tuple", items: [one, other] }))),
  },
  {
    name: "bs",
    annotation: "list[bool]",
    kind: "list",
    values: () => lists(truths, 4).map(list),
  },
  { name: "fs", annotation: "list[float]", kind: "other", values: (_, below) => listsOf(floats, below) },
  { name: "ss", annotation: "list[str]", kind: "other", values: (_, below) => listsOf(texts.map(text), below) },
  {
    name: "ls",
    annotation: "list[list[int]]",
    kind: "other",
    values: (_, below) =>
      listsOf(
        lists([2, 0, -1], 2).map((items) => list(items.map(int))),
        below,
      ),
  },
  {
    name: "ds",
    annotation: "dict[int, int]",
    kind: "other",
    values: (numbers, below) => dictsOf(wholes(numbers), wholes(numbers), below),
  },
  {
    name: "dt",
    annotation: "dict[str, int]",
    kind: "other",
    values: (numbers, below) => dictsOf(texts.map(text), wholes(numbers), below),
  },
  {
    name: "es",
    annotation: "set[int]",
    kind: "other",
    values: (numbers, below) => setsOf(wholes(numbers), below),
  },
  {
    name: "lo",
    annotation: "list[int] | None",
    kind: "other",
    values: (numbers, below) => [none, ...numberLists(numbers, below)],
  },
  {
    name: "od",
    annotation: "dict[int, int] | None",
    kind: "other",
    values: (numbers, below) => [none, ...dictsOf(wholes(numbers), wholes(numbers), below)],
  },
  {
    name: "ts",
    annotation: "list[tuple[int, int]]",
    kind: "other",
    values: (_, below) =>
      listsOf(
        small.flatMap((a) => [1, 0, -2].map((b): PythonValue => ({ type: "tuple", items: [int(a), int(b)] }))),
        below,
      ),
  },
];

/** Lists of some of these values: all short ones, and some by chance. */
function listsOf(values: readonly PythonValue[], below: (bound: number) => number): PythonValue[] {
  const longer = Array.from({ length: 40 }, () =>
    Array.from({ length: 2 + below(5) }, () => values[below(values.length)] ?? none),
  );
  return [...lists(values.slice(0, 5), 2), ...longer].map(list);
}

/** Sets of some of these values, and dicts from these keys. */
function setsOf(keys: readonly PythonValue[], below: (bound: number) => number): PythonValue[] {
  return Array.from({ length: 50 }, (_, i) => {
    const drawn = Array.from({ length: i < 4 ? i : below(6) }, () => keys[below(keys.length)] ?? none);
    return { type: "set", items: [...new Map(drawn.map((each) => [JSON.stringify(each), each])).values()] };
  });
}

function dictsOf(
  keys: readonly PythonValue[],
  values: readonly PythonValue[],
  below: (bound: number) => number,
): PythonValue[] {
  return setsOf(keys, below).flatMap((set): PythonValue[] =>
    set.type === "set"
      ? [{ type: "dict", entries: set.items.map((key) => [key, values[below(values.length)] ?? none]) }]
      : [],
  );
}

/** Numbers that a text mentions, and their neighbours: where it may turn one way or the other. */
function numbersIn(code: string): number[] {
  const own = [...code.matchAll(/(?<![\w.'])\d{1,3}(?![\w.])/g)].map(([digits]) => Number(digits));
  return [...new Set(own.flatMap((number) => [number - 1, number, number + 1, -number]))].filter(
    (number) => Math.abs(number) < 30,
  );
}

/** Whole numbers that floats can't hold, that are not an index, and that no float comes near. */
const great = [2n ** 53n + 1n, -(2n ** 53n), 2n ** 63n, -(2n ** 63n) - 1n, 10n ** 400n, 10n ** 5000n].map(int);

/** Inputs for these parameters: all combinations, or a number of them. */
export function inputsFor(
  chosen: readonly Parameter[],
  code: string,
  count: number,
  below: (bound: number) => number,
): PythonValue[][] {
  const numbers = numbersIn(code);
  // Loops over these take ages, and a call is not followed that long.
  const short = !/for |while |\] \*|\* .*\* |\*\* [a-z]|return.*\bf\(/.test(code) || below(15) === 0;
  // Numbers that are multiplied again and again get too large to be computed; no signal stops a builtin over a range.
  const bounded = /(for|while) (.*\n)*.*\*/.test(code);
  const stuck = /\brange\(/.test(code.replaceAll("list(range(", ""));
  const pools = chosen.map(({ values, annotation }) => {
    const own = values(numbers, below).filter((value) => !bounded || value.type !== "int" || Number(value.value) < 14);
    return short && !bounded && !stuck && annotation === "int" ? [...own, ...great] : own;
  });
  const total = pools.reduce((product, pool) => product * pool.length, 1);
  const at = (place: number): PythonValue[] => {
    let rest = place;
    return pools.flatMap((pool) => {
      const value = pool[rest % pool.length];
      rest = Math.floor(rest / pool.length);
      return value ?? [];
    });
  };
  if (total <= count) return Array.from({ length: total }, (_, i) => at(i));
  // Some that are all small, then any.
  return Array.from({ length: count }, (_, i) =>
    i % 3 === 0
      ? pools.flatMap((pool) => pool[below(Math.min(pool.length, 24))] ?? [])
      : pools.flatMap((pool) => pool[below(pool.length)] ?? []),
  );
}
