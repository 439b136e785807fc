/** Random small MiniZinc models with their solutions by brute force. */

import { Chance } from "./chance.ts";

export type Assignment = Readonly<Record<string, number>>;

export interface RandomModel {
  readonly items: readonly string[];
  /** The same in parts, of which a batch of models is made. */
  readonly names: readonly string[];
  readonly declarations: readonly string[];
  readonly constraints: readonly string[];
  readonly objective: string;
  readonly objective_type: "int" | "float";
  /** All solutions; a truth value is 0 or 1, a set the sum of the powers of two of its elements. Reals are left out. */
  readonly solutions: readonly Assignment[];
  readonly goal: "satisfy" | "minimize" | "maximize";
  /** The best value of the objective, in the units of the model. */
  readonly best: number | undefined;
  readonly objectiveOf: (values: Assignment) => number;
}

/** A number of a model; undefined where MiniZinc leaves it undefined, which makes the comparison around it false. */
interface Sum {
  readonly text: string;
  readonly of: (values: Assignment) => number | undefined;
}

export interface Condition {
  readonly text: string;
  readonly of: (values: Assignment) => boolean;
}

export interface Declared {
  readonly name: string;
  readonly text: string;
  readonly values: readonly number[];
}

export const comparisons: readonly [string, (a: number, b: number) => boolean][] = [
  ["=", (a, b) => a === b],
  ["!=", (a, b) => a !== b],
  ["<", (a, b) => a < b],
  ["<=", (a, b) => a <= b],
  [">", (a, b) => a > b],
  [">=", (a, b) => a >= b],
];

/** Picks numbers, terms and conditions over some variables. */
export class Generator extends Chance {
  readonly #names: readonly string[];

  constructor(seed: number, names: readonly string[]) {
    super(seed);
    this.#names = names;
  }

  number(depth: number): Sum {
    const kind = depth <= 0 ? this.between(0, 2) : this.between(0, 12);
    if (kind <= 1) return this.#variable();
    if (kind === 2) return this.#constant(this.between(-6, 6));
    if (kind === 3) return this.#binary("+", depth, (a, b) => a + b);
    if (kind === 4) return this.#binary("-", depth, (a, b) => a - b);
    if (kind === 5) return this.#binary("*", depth, (a, b) => a * b);
    if (kind === 6) return this.#call("min", depth, Math.min);
    if (kind === 7) return this.#call("max", depth, Math.max);
    if (kind === 8) return this.#absolute(depth);
    if (kind === 9) return this.#division("div", depth, (a, b) => Math.trunc(a / b));
    if (kind === 10) return this.#division("mod", depth, (a, b) => a % b);
    if (kind === 11) return this.#element();
    return this.#choice(depth);
  }

  #variable(): Sum {
    const name = this.of(this.#names);
    return { text: name, of: (values) => values[name] };
  }

  #constant(value: number): Sum {
    return { text: value < 0 ? `(${value})` : String(value), of: () => value };
  }

  #binary(sign: string, depth: number, compute: (a: number, b: number) => number | undefined): Sum {
    const [a, b] = [this.number(depth - 1), this.number(depth - 1)];
    return { text: `(${a.text} ${sign} ${b.text})`, of: (values) => both(a.of(values), b.of(values), compute) };
  }

  /**
   * The divisor is never 0: MiniZinc 2.6 loses in an `xor` that a value is undefined, which is about its compiler and
   * no solver.
   */
  #division(sign: string, depth: number, compute: (a: number, b: number) => number): Sum {
    const a = this.number(depth - 1);
    const x = this.#variable();
    const fixed = this.of([-7, -5, -3, -2, 2, 3, 4, 5]);
    const [text, divisor] = this.of<readonly [string, (x: number) => number]>([
      [`(${fixed})`, () => fixed],
      [`(1 + abs(${x.text}))`, (value) => 1 + Math.abs(value)],
      [`(-1 - abs(${x.text}))`, (value) => -1 - Math.abs(value)],
    ]);
    return {
      text: `(${a.text} ${sign} ${text})`,
      of: (values) => both(a.of(values), x.of(values), (n, value) => compute(n, divisor(value))),
    };
  }

  #call(name: string, depth: number, compute: (a: number, b: number) => number): Sum {
    const [a, b] = [this.number(depth - 1), this.number(depth - 1)];
    return { text: `${name}(${a.text}, ${b.text})`, of: (values) => both(a.of(values), b.of(values), compute) };
  }

  #absolute(depth: number): Sum {
    const a = this.number(depth - 1);
    return { text: `abs(${a.text})`, of: (values) => both(a.of(values), 0, Math.abs) };
  }

  #element(): Sum {
    const list = Array.from({ length: this.between(2, 4) }, () => this.between(-5, 5));
    const index = this.#variable();
    return {
      text: `[${list.join(", ")}][1 + abs(${index.text}) mod ${list.length}]`,
      of: (values) => list[Math.abs(index.of(values) ?? 0) % list.length],
    };
  }

  #choice(depth: number): Sum {
    const [a, b] = [this.number(0), this.number(0)];
    const condition = this.condition(Math.min(0, depth - 1));
    return {
      text: `(if ${condition.text} then ${a.text} else ${b.text} endif)`,
      of: (values) => (condition.of(values) ? a.of(values) : b.of(values)),
    };
  }

  condition(depth: number): Condition {
    const kind = depth <= 0 ? this.between(0, 4) : this.between(0, 9);
    if (kind <= 3) return this.#comparison(depth);
    if (kind === 4) return this.#member();
    if (kind === 5) return this.#opposite(depth);
    if (kind === 6) return this.#joined("/\\", depth, (a, b) => a && b);
    if (kind === 7) return this.#joined("\\/", depth, (a, b) => a || b);
    if (kind === 8) return this.#joined("->", depth, (a, b) => !a || b);
    return this.#joined("xor", depth, (a, b) => a !== b);
  }

  #comparison(depth: number): Condition {
    const [sign, holds] = this.of(comparisons);
    const [a, b] = [this.number(depth + 1), this.number(depth)];
    return {
      text: `${a.text} ${sign} ${b.text}`,
      of: (values) => {
        const [x, y] = [a.of(values), b.of(values)];
        return x !== undefined && y !== undefined && holds(x, y);
      },
    };
  }

  #member(): Condition {
    const set = [...new Set(Array.from({ length: this.between(1, 4) }, () => this.between(-4, 6)))];
    const a = this.#variable();
    return { text: `${a.text} in {${set.join(", ")}}`, of: (values) => set.includes(a.of(values) ?? 99) };
  }

  #opposite(depth: number): Condition {
    const a = this.condition(depth - 1);
    return { text: `not (${a.text})`, of: (values) => !a.of(values) };
  }

  #joined(sign: string, depth: number, compute: (a: boolean, b: boolean) => boolean): Condition {
    const [a, b] = [this.condition(depth - 1), this.condition(depth - 1)];
    return { text: `((${a.text}) ${sign} (${b.text}))`, of: (values) => compute(a.of(values), b.of(values)) };
  }

  global(): Condition {
    const names = this.#names.slice(0, 3);
    const list = `[${names.join(", ")}]`;
    const read = (values: Assignment) => names.map((name) => values[name] ?? 0);
    const k = this.between(0, 3);
    const v = this.between(-2, 3);
    const rows = Array.from({ length: 4 }, () => names.map(() => this.between(-3, 4)));
    return this.of<Condition>([
      { text: `alldifferent(${list})`, of: (values) => new Set(read(values)).size === names.length },
      { text: `count(${list}, ${v}) <= ${k}`, of: (values) => read(values).filter((x) => x === v).length <= k },
      { text: `count(${list}, ${v}) = ${k}`, of: (values) => read(values).filter((x) => x === v).length === k },
      { text: `nvalue(${k}, ${list})`, of: (values) => new Set(read(values)).size === k },
      {
        text: `increasing(${list})`,
        of: (values) => read(values).every((x, i, all) => i === 0 || (all[i - 1] ?? x) <= x),
      },
      { text: `max(${list}) = ${v}`, of: (values) => Math.max(...read(values)) === v },
      { text: `sum(${list}) >= ${k}`, of: (values) => read(values).reduce((sum, x) => sum + x, 0) >= k },
      {
        text: `table(${list}, [| ${rows.map((row) => row.join(", ")).join(" | ")} |])`,
        of: (values) => rows.some((row) => row.every((x, i) => x === read(values)[i])),
      },
      {
        text: `global_cardinality(${list}, [${v}], [${k}])`,
        of: (values) => read(values).filter((x) => x === v).length === k,
      },
      {
        text: `lex_less([${names[0]}, ${names[1]}], [${names[1]}, ${names[0]}])`,
        of: (values) => (values[names[0] ?? ""] ?? 0) < (values[names[1] ?? ""] ?? 0),
      },
      {
        text: `card({x | x in {0, 1, 2}}) + ${names[0]} > ${k}`,
        of: (values) => 3 + (values[names[0] ?? ""] ?? 0) > k,
      },
    ]);
  }
}

function both(
  a: number | undefined,
  b: number | undefined,
  compute: (a: number, b: number) => number | undefined,
): number | undefined {
  if (a === undefined || b === undefined) return undefined;
  const result = compute(a, b);
  return result === undefined ? undefined : result + 0;
}

export const goals = ["satisfy", "satisfy", "minimize", "maximize"] as const;

/** Whole numbers: arithmetic with division, elements, conditionals, reification, sets, the commonest globals. */
export function integerModel(seed: number): RandomModel {
  const pick = new Generator(seed, ["a", "b", "c"]);
  const declared = ["a", "b", "c"].map((name): Declared => {
    const low = pick.between(-9, 2);
    const values = Array.from({ length: pick.between(2, 8) }, (_, i) => low + i).filter((_, i, all) => {
      const is_end = i === 0 || i === all.length - 1;
      return is_end || pick.between(0, 9) > 0;
    });
    const is_range = values.length === (values.at(-1) ?? 0) - low + 1;
    const domain = is_range ? `${low}..${values.at(-1)}` : `{${values.join(", ")}}`;
    return { name, text: `var ${domain}: ${name};`, values };
  });
  const conditions = Array.from({ length: pick.between(1, 4) }, () =>
    pick.between(0, 3) === 0 ? pick.global() : pick.condition(pick.between(0, 2)),
  );
  const goal = pick.of(goals);
  const objective = pick.number(1);
  // Where the objective is undefined there is no solution.
  const defined: Condition = {
    text: "",
    of: (values) => goal === "satisfy" || objective.of(values) !== undefined,
  };
  const parts = { declared, conditions: [...conditions, defined], goal, objective: objective.text };
  return solved({ ...parts, objectiveOf: (values) => objective.of(values) ?? Number.NaN });
}

/** Sums, products and differences of small numbers: no solver leaves any of them open. */
export function linearModel(seed: number): RandomModel {
  const pick = new Chance(seed);
  const names = ["a", "b", "c"];
  const declared = names.map((name): Declared => ({ name, text: `var -3..4: ${name};`, values: range(-3, 4) }));
  const sumOf = (weights: readonly number[]): { text: string; of: (values: Assignment) => number } => ({
    text: weights.map((weight, i) => `${weight}*${names[i]}`).join(" + "),
    of: (values) => weights.reduce((sum, weight, i) => sum + weight * (values[names[i] ?? ""] ?? 0), 0),
  });
  const simple = (): Condition => {
    const [x, y, k, sum] = [pick.of(names), pick.of(names), pick.between(-4, 6), sumOf(pick.numbers(3, -4, 6))];
    return pick.of<Condition>([
      { text: `${sum.text} <= ${k}`, of: (values) => sum.of(values) <= k },
      { text: `${x} * ${y} = ${k}`, of: (values) => (values[x] ?? 0) * (values[y] ?? 0) === k },
      { text: `${x} != ${y} + ${k}`, of: (values) => values[x] !== (values[y] ?? 0) + k },
    ]);
  };
  const condition = (): Condition => {
    const [p, q] = [simple(), simple()];
    return pick.of<Condition>([
      p,
      { text: `(${p.text}) \\/ (${q.text})`, of: (values) => p.of(values) || q.of(values) },
      { text: `(${p.text}) -> (${q.text})`, of: (values) => !p.of(values) || q.of(values) },
    ]);
  };
  const conditions = Array.from({ length: pick.between(1, 5) }, condition);
  const objective = sumOf(pick.numbers(3, -4, 6));
  return solved({ declared, conditions, goal: pick.of(goals), objective: objective.text, objectiveOf: objective.of });
}

const range = (low: number, high: number) => Array.from({ length: high - low + 1 }, (_, i) => low + i);

/** Prices in cents, written as decimals, and numbers of pieces: an exact total, a budget, a strict limit, a big M. */
export function priceModel(seed: number): RandomModel {
  const pick = new Generator(seed, ["a", "b", "c"]);
  const declared = ["a", "b", "c"].map(
    (name): Declared => ({ name, text: `var 0..6: ${name};`, values: [0, 1, 2, 3, 4, 5, 6] }),
  );
  const prices = declared.map(() => pick.between(1, 399));
  const cents = (values: Assignment) =>
    declared.reduce((sum, { name }, i) => sum + (prices[i] ?? 0) * (values[name] ?? 0), 0);
  const written = declared.map(({ name }, i) => `${decimal(prices[i] ?? 0)}*${name}`).join(" + ");
  const some = Object.fromEntries(declared.map(({ name }) => [name, pick.between(0, 6)]));
  const total = cents(some) + pick.of([0, 0, 0, 1, -1, 7]);
  const [sign, holds] = pick.of(comparisons.filter(([each]) => each !== "!="));
  const money: Condition = {
    text: `${written} ${sign} ${decimal(total)}`,
    of: (values) => holds(cents(values), total),
  };
  const big = pick.of([10, 1_000, 100_000]);
  const switched: Condition = {
    text: `a <= ${big} * bool2int(b > 2)`,
    of: (values) => (values["a"] ?? 0) <= big * ((values["b"] ?? 0) > 2 ? 1 : 0),
  };
  const conditions = [money, ...(pick.between(0, 2) === 0 ? [switched] : [])];
  const goal = pick.of(goals);
  const gains = declared.map(() => pick.between(-50, 250));
  const gain = (values: Assignment) =>
    declared.reduce((sum, { name }, i) => sum + (gains[i] ?? 0) * (values[name] ?? 0), 0) / 100;
  const objective = declared.map(({ name }, i) => `${decimal(gains[i] ?? 0)}*${name}`).join(" + ");
  return solved({ declared, conditions, goal, objective, objective_type: "float", objectiveOf: gain });
}

/** Cents as a decimal. */
export function decimal(cents: number): string {
  return (cents / 100).toFixed(2);
}

export interface Parts {
  readonly declared: readonly Declared[];
  /** Variables whose values are not looked at. */
  readonly others?: readonly string[];
  /** One without a text is about the objective alone. */
  readonly conditions: readonly Condition[];
  readonly goal: RandomModel["goal"];
  readonly objective: string;
  readonly objective_type?: RandomModel["objective_type"];
  readonly objectiveOf: (values: Assignment) => number;
}

/** A model with its solutions: every assignment is tried. */
export function solved({ declared, others = [], conditions, goal, objectiveOf, ...given }: Parts): RandomModel {
  let all: Assignment[] = [{}];
  for (const { name, values } of declared)
    all = all.flatMap((so_far) => values.map((value) => ({ ...so_far, [name]: value })));
  const solutions = all.filter((values) => conditions.every((condition) => condition.of(values)));
  const scores = solutions.map(objectiveOf);
  const extreme = goal === "minimize" ? Math.min : Math.max;
  const best =
    goal === "satisfy" || scores.length === 0
      ? undefined
      : scores.reduce((found, each) => extreme(found, each), scores[0] ?? 0);
  const declarations = [...declared.map(({ text }) => text), ...others];
  const constraints = conditions.flatMap(({ text }) => (text === "" ? [] : [text]));
  const items = [
    'include "globals.mzn";',
    ...declarations,
    ...constraints.map((each) => `constraint ${each};`),
    goal === "satisfy" ? "solve satisfy;" : `solve ${goal} ${given.objective};`,
  ];
  const names = declarations.map((text) => /(\w+);$/.exec(text)?.[1] ?? "");
  return {
    objective_type: "int",
    ...given,
    items,
    names,
    declarations,
    constraints,
    solutions,
    goal,
    best,
    objectiveOf,
  };
}
