import {
  type Condition,
  comparisons,
  type Declared,
  decimal,
  Generator,
  goals,
  type RandomModel,
  solved,
} from "./random_minizinc.ts";

/** Random models of set variables, of floats with a known answer, and of large numbers, with their solutions. */

type Values = Parameters<Condition["of"]>[0];

const get = (values: Values, name: string): number => values[name] ?? 0;
const sizeOf = (set: number): number => [...set.toString(2)].filter((digit) => digit === "1").length;
const has = (set: number, element: number): boolean => element >= 0 && (set & (1 << element)) !== 0;
const range = (low: number, high: number): number[] => Array.from({ length: high - low + 1 }, (_, i) => low + i);

const set_operators: readonly [string, (a: number, b: number) => number][] = [
  ["union", (a, b) => a | b],
  ["intersect", (a, b) => a & b],
  ["diff", (a, b) => a & ~b],
  ["symdiff", (a, b) => a ^ b],
];

const set_relations: readonly [string, (a: number, b: number) => boolean][] = [
  ["=", (a, b) => a === b],
  ["!=", (a, b) => a !== b],
  ["subset", (a, b) => (a & ~b) === 0],
  ["superset", (a, b) => (b & ~a) === 0],
];

/** Two set variables and a number: membership, size, union and the like, subset, each plain, denied or under a condition. */
export function setModel(seed: number): RandomModel {
  const pick = new Generator(seed, ["n"]);
  const declared: Declared[] = [
    { name: "s", text: "var set of 0..3: s;", values: range(0, 15) },
    { name: "t", text: "var set of 1..3: t;", values: range(0, 15).filter((set) => !has(set, 0)) },
    { name: "n", text: "var 0..4: n;", values: range(0, 4) },
  ];
  const term = () => {
    const constant = pick.between(0, 15);
    const [a, b] = [pick.of(["s", "t"]), pick.of(["s", "t", "c"])];
    const text = (each: string) =>
      each === "c"
        ? `{${range(0, 3)
            .filter((i) => has(constant, i))
            .join(", ")}}`
        : each;
    const of = (each: string, values: Values) => (each === "c" ? constant : get(values, each));
    if (pick.between(0, 2) === 0) return { text: a, of: (values: Values) => get(values, a) };
    const [name, compute] = pick.of(set_operators);
    return {
      text: `(${text(a)} ${name} ${text(b)})`,
      of: (values: Values) => compute(of(a, values), of(b, values)),
    };
  };
  const relation = (): Condition => {
    const [a, b] = [term(), term()];
    const k = pick.between(0, 4);
    const [sign, compare] = pick.of(comparisons);
    const [name, holds] = pick.of(set_relations);
    return pick.of<Condition>([
      { text: `${a.text} ${name} ${b.text}`, of: (values) => holds(a.of(values), b.of(values)) },
      { text: `card(${a.text}) ${sign} ${k}`, of: (values) => compare(sizeOf(a.of(values)), k) },
      { text: `card(${a.text}) ${sign} n`, of: (values) => compare(sizeOf(a.of(values)), get(values, "n")) },
      { text: `n in ${a.text}`, of: (values) => has(a.of(values), get(values, "n")) },
      { text: `${k} in ${a.text}`, of: (values) => has(a.of(values), k) },
      { text: `sum(i in s)(i) ${sign} ${k}`, of: (values) => compare(totalOf(get(values, "s")), k) },
      { text: "disjoint(s, t)", of: (values) => (get(values, "s") & get(values, "t")) === 0 },
    ]);
  };
  const condition = (): Condition => {
    const [a, b] = [relation(), relation()];
    return pick.of<Condition>([
      a,
      a,
      { text: `not (${a.text})`, of: (values) => !a.of(values) },
      { text: `((${a.text}) -> (${b.text}))`, of: (values) => !a.of(values) || b.of(values) },
      { text: `((${a.text}) <-> (${b.text}))`, of: (values) => a.of(values) === b.of(values) },
      { text: `((${a.text}) \\/ (${b.text}))`, of: (values) => a.of(values) || b.of(values) },
    ]);
  };
  const conditions = Array.from({ length: pick.between(1, 4) }, condition);
  const k = pick.between(-2, 2);
  return solved({
    declared,
    conditions,
    goal: pick.of(goals),
    objective: `card(s) + ${k}*n - 2*card(t intersect s)`,
    objectiveOf: (values) =>
      sizeOf(get(values, "s")) + k * get(values, "n") - 2 * sizeOf(get(values, "s") & get(values, "t")),
  });
}

function totalOf(set: number): number {
  return range(0, 4).reduce((sum, i) => sum + (has(set, i) ? i : 0), 0);
}

/** Numbers at which linear solvers round, and the limits of 32 bits. */
const large = [99_999, 100_000, 250_000, 1_000_000, 5_000_000, 9_999_999, 500_000_000, 1_000_000_000, 2_147_483_646];

/** Large numbers: switches by a big M, implications, sums and products near to the limits of solvers. */
export function bigModel(seed: number): RandomModel {
  const pick = new Generator(seed, ["x", "y"]);
  const M = pick.of(pick.between(0, 2) > 0 ? large.slice(0, 6) : large);
  const near = [0, 1, 2, pick.between(3, 9), M - 1, M].toSorted((a, b) => a - b);
  const declared: Declared[] = [
    ...["x", "y"].map((name) => ({ name, text: `var {${near.join(", ")}}: ${name};`, values: [...new Set(near)] })),
    ...["b", "c"].map((name) => ({ name, text: `var 0..1: ${name};`, values: [0, 1] })),
  ];
  const relation = (): Condition => {
    const [x, y] = pick.of([
      ["x", "y"],
      ["y", "x"],
    ] as const);
    const [sign, holds] = pick.of(comparisons);
    const k = pick.of([...near, M - 2, pick.between(0, 5)]);
    const by = pick.between(0, 3);
    return pick.of<Condition>([
      { text: `${x} <= ${M}*b`, of: (values) => get(values, x) <= M * get(values, "b") },
      { text: `${x} >= ${M - 1}*(1 - c)`, of: (values) => get(values, x) >= (M - 1) * (1 - get(values, "c")) },
      { text: `${x} ${sign} ${k}`, of: (values) => holds(get(values, x), k) },
      { text: `${x} - ${y} ${sign} ${k}`, of: (values) => holds(get(values, x) - get(values, y), k) },
      { text: `${x} + ${by} ${sign} ${y}`, of: (values) => holds(get(values, x) + by, get(values, y)) },
      { text: `${x} + ${y} ${sign} ${k}`, of: (values) => holds(get(values, x) + get(values, y), k) },
      {
        text: `${x} * b ${sign} ${y} + c`,
        of: (values) => holds(get(values, x) * get(values, "b"), get(values, y) + get(values, "c")),
      },
      { text: `${x} div 2 ${sign} ${y}`, of: (values) => holds(Math.trunc(get(values, x) / 2), get(values, y)) },
      { text: `abs(${x} - ${y}) ${sign} ${by}`, of: (values) => holds(Math.abs(get(values, x) - get(values, y)), by) },
    ]);
  };
  const condition = (): Condition => {
    const [a, b] = [relation(), relation()];
    const switched = pick.of(["b", "c"]);
    return pick.of<Condition>([
      a,
      { text: `(${switched} = 1 -> ${a.text})`, of: (values) => get(values, switched) !== 1 || a.of(values) },
      { text: `(${a.text} -> ${b.text})`, of: (values) => !a.of(values) || b.of(values) },
      { text: `(${switched} = 1 <-> ${a.text})`, of: (values) => (get(values, switched) === 1) === a.of(values) },
    ]);
  };
  const fee = pick.between(1, 9);
  return solved({
    declared,
    conditions: Array.from({ length: pick.between(2, 5) }, condition),
    goal: pick.of(goals),
    objective: `x - y + ${fee}*b - ${fee}*c`,
    objectiveOf: (values) => get(values, "x") - get(values, "y") + fee * get(values, "b") - fee * get(values, "c"),
  });
}

/** Reals whose answer is known: roots of whole numbers, products, chains of differences with strict inequalities. */
export function floatModel(seed: number): RandomModel {
  const pick = new Generator(seed, ["n", "k"]);
  const kind = pick.between(0, 2);
  return kind === 0 ? rootModel(pick) : kind === 1 ? productModel(pick) : differenceModel(pick);
}

function rootModel(pick: Generator): RandomModel {
  const most = pick.between(0, 30);
  const [sign, holds] = pick.of(comparisons);
  const k = pick.between(0, 9);
  const declared: Declared[] = [{ name: "n", text: "var 0..9: n;", values: range(0, 9) }];
  return solved({
    declared,
    others: [`var 0.0..${decimal(most * 10)}: x;`],
    conditions: [
      // The root is in the domain of x: n <= (most/10)^2.
      { text: "x * x = int2float(n)", of: (values) => get(values, "n") * 100 <= most * most },
      { text: `n ${sign} ${k}`, of: (values) => holds(get(values, "n"), k) },
    ],
    goal: pick.of(goals),
    objective: "n",
    objectiveOf: (values) => get(values, "n"),
  });
}

function productModel(pick: Generator): RandomModel {
  const [low, high] = [pick.between(1, 20), pick.between(20, 60)];
  const product = pick.between(1, 400);
  const declared: Declared[] = [{ name: "n", text: "var 1..9: n;", values: range(1, 9) }];
  return solved({
    declared,
    others: [`var ${decimal(low * 10)}..${decimal(high * 10)}: y;`],
    // y = product/10/n lies in its domain.
    conditions: [
      {
        text: `int2float(n) * y = ${decimal(product * 10)}`,
        of: (values) => low * get(values, "n") <= product && product <= high * get(values, "n"),
      },
    ],
    goal: pick.of(goals),
    objective: "n",
    objectiveOf: (values) => get(values, "n"),
  });
}

/** Differences of reals that are less or at most a number: possible unless a cycle of them is below 0, or 0 and strict. */
function differenceModel(pick: Generator): RandomModel {
  const names = ["x", "y", "z"];
  const bounds = Array.from({ length: pick.between(3, 6) }, () => {
    const a = pick.between(0, 2);
    return { a, b: (a + pick.between(1, 2)) % 3, cents: pick.between(-30, 40), strict: pick.between(0, 1) === 1 };
  });
  const declared: Declared[] = [{ name: "n", text: "var 0..1: n;", values: [0, 1] }];
  const possible = isPossible(bounds);
  return solved({
    declared,
    others: names.map((name) => `var 0.0..100.0: ${name};`),
    conditions: bounds.map(({ a, b, cents, strict }, i) => ({
      text: `${names[a]} - ${names[b]} ${strict ? "<" : "<="} ${decimal(cents)}`,
      of: () => i > 0 || possible,
    })),
    goal: "satisfy",
    objective: "n",
    objectiveOf: (values) => get(values, "n"),
  });
}

interface Difference {
  readonly a: number;
  readonly b: number;
  readonly cents: number;
  readonly strict: boolean;
}

function isPossible(bounds: readonly Difference[]): boolean {
  // In units of 1/1000 of a cent, of which a strict bound takes one: no sum of so few has a thousand of them.
  const distance = range(0, 2).map((i) => range(0, 2).map((j) => (i === j ? 0 : Number.POSITIVE_INFINITY)));
  const read = (i: number, j: number) => distance[i]?.[j] ?? 0;
  const put = (i: number, j: number, value: number) => {
    const row = distance[i];
    if (row) row[j] = Math.min(read(i, j), value);
  };
  for (const { a, b, cents, strict } of bounds) put(a, b, cents * 1000 - (strict ? 1 : 0));
  for (const k of range(0, 2))
    for (const i of range(0, 2)) for (const j of range(0, 2)) put(i, j, read(i, k) + read(k, j));
  return range(0, 2).every((i) => read(i, i) >= 0);
}
