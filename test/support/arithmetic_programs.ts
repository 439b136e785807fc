import { Chance } from "./chance.ts";
import { comparisons } from "./random_minizinc.ts";

/** Random answer-set programs with arithmetic, comparisons, aggregates, choice bounds and prices, by brute force. */
export interface ArithmeticProgram {
  readonly items: readonly string[];
  /** The atoms of each answer set, sorted, with its costs, the higher level first. */
  readonly models: readonly { readonly atoms: readonly string[]; readonly costs: readonly number[] }[];
  readonly has_prices: boolean;
}

/** A term over X and Y; undefined where clingo leaves the whole instance out. */
interface Term {
  readonly text: string;
  readonly of: (x: number, y: number) => number | undefined;
}

interface Test {
  readonly text: string;
  readonly of: (x: number, y: number) => boolean;
}

type Holds = (chosen: readonly number[]) => boolean;

class Generator extends Chance {
  term(depth: number, names: readonly ("X" | "Y")[]): Term {
    if (depth === 0) {
      const constant = this.between(-4, 5);
      const name = this.of(names);
      return this.between(0, 2) === 0
        ? { text: constant < 0 ? `(${constant})` : String(constant), of: () => constant }
        : { text: name, of: (x, y) => (name === "X" ? x : y) };
    }
    const [a, b] = [this.term(depth - 1, names), this.term(depth - 1, names)];
    const [sign, compute] = this.of<[string, (a: number, b: number) => number | undefined]>([
      ["+", (l, r) => l + r],
      ["-", (l, r) => l - r],
      ["*", (l, r) => l * r],
      ["/", (l, r) => (r === 0 ? undefined : Math.trunc(l / r) + 0)],
      ["\\", (l, r) => (r === 0 ? undefined : (l % r) + 0)],
      ["| |", (l) => Math.abs(l)],
      ["**", (l) => l * l],
    ]);
    const of = (x: number, y: number) => {
      const [l, r] = [a.of(x, y), b.of(x, y)];
      return l === undefined || r === undefined ? undefined : compute(l, r);
    };
    if (sign === "| |") return { text: `|${a.text}|`, of: (x, y) => wrap(a.of(x, y), Math.abs) };
    if (sign === "**") return { text: `(${a.text}**2)`, of: (x, y) => wrap(a.of(x, y), (l) => l * l) };
    return { text: `(${a.text}${sign}${b.text})`, of };
  }

  test(names: readonly ("X" | "Y")[]): Test {
    const [sign, holds] = this.of(comparisons);
    const [a, b] = [this.term(this.between(1, 2), names), this.term(this.between(0, 1), names)];
    return {
      text: `${a.text} ${sign} ${b.text}`,
      of: (x, y) => {
        const [l, r] = [a.of(x, y), b.of(x, y)];
        return l !== undefined && r !== undefined && holds(l, r);
      },
    };
  }
}

function wrap(value: number | undefined, compute: (value: number) => number): number | undefined {
  return value === undefined ? undefined : compute(value);
}

/** The distinct tuples `E, X` of the chosen numbers that pass the test, by their weights. */
function weights(chosen: readonly number[], term: Term, test: Test): number[] {
  return chosen.flatMap((x) => (test.of(x, x) ? [term.of(x, x)].filter((each) => each !== undefined) : []));
}

/** An empty minimum is larger than all numbers, an empty maximum smaller. */
const aggregates: readonly [string, (all: readonly number[]) => number][] = [
  ["#count", (all) => all.length],
  ["#sum", (all) => all.reduce((sum, each) => sum + each, 0)],
  ["#sum+", (all) => all.reduce((sum, each) => sum + Math.max(0, each), 0)],
  ["#min", (all) => Math.min(Number.POSITIVE_INFINITY, ...all)],
  ["#max", (all) => Math.max(Number.NEGATIVE_INFINITY, ...all)],
];

/** A program whose answer sets are choices of numbers, with what follows from them. */
export function arithmeticProgram(seed: number): ArithmeticProgram {
  const pick = new Generator(seed);
  const low = pick.between(-5, 0);
  const all = Array.from({ length: pick.between(3, 6) }, (_, i) => low + i);
  const [least, most] = [pick.between(0, 1), pick.between(2, 4)];
  const choice = `${least} { p(X) : X = ${low}..${low + all.length - 1} } ${most}.`;
  const heads = Array.from({ length: pick.between(0, 2) }, () => ({
    term: pick.term(2, ["X", "Y"]),
    test: pick.test(["X", "Y"]),
  }));
  const rules = heads.map(({ term, test }) => `q(${term.text}) :- p(X), p(Y), ${test.text}.`);
  const forbidden = Array.from({ length: pick.between(0, 2) }, () => pick.of([forbid, demand])(pick));
  const prices = Array.from({ length: pick.between(0, 2) }, (_, i) => ({
    i,
    term: pick.term(1, ["X"]),
    level: pick.between(1, 2),
    test: pick.test(["X"]),
  }));
  const weak = prices.map(({ i, term, level, test }) => `:~ p(X), ${test.text}. [${term.text}@${level}, ${i}, X]`);
  const levels = [2, 1].filter((level) => prices.some((each) => each.level === level));
  const subsets = Array.from({ length: 2 ** all.length }, (_, bits) => all.filter((_each, i) => (bits >> i) & 1));
  const models = subsets
    .filter(
      (chosen) => chosen.length >= least && chosen.length <= most && forbidden.every(({ holds }) => holds(chosen)),
    )
    .map((chosen) => ({
      atoms: [...chosen.map((x) => `p(${x})`), ...derived(chosen, heads)].sort(),
      costs: levels.map((level) =>
        prices
          .filter((each) => each.level === level)
          .flatMap(({ term, test }) => weights(chosen, term, test))
          .reduce((sum, each) => sum + each, 0),
      ),
    }));
  const items = [choice, ...rules, ...forbidden.map(({ text }) => text), ...weak, "#defined q/1."];
  return { items, models, has_prices: prices.length > 0 };
}

function derived(chosen: readonly number[], heads: readonly { readonly term: Term; readonly test: Test }[]): string[] {
  const atoms = heads.flatMap(({ term, test }) =>
    chosen.flatMap((x) => chosen.flatMap((y) => (test.of(x, y) ? [term.of(x, y)] : []))),
  );
  return [...new Set(atoms.filter((each) => each !== undefined))].map((each) => `q(${each})`);
}

function forbid(pick: Generator): { text: string; holds: Holds } {
  const test = pick.test(["X", "Y"]);
  return {
    text: `:- p(X), p(Y), X < Y, ${test.text}.`,
    holds: (chosen) => !chosen.some((x) => chosen.some((y) => x < y && test.of(x, y))),
  };
}

function demand(pick: Generator): { text: string; holds: Holds } {
  const [name, combine] = pick.of(aggregates);
  const [sign, holds] = pick.of(comparisons);
  const [term, test, bound] = [pick.term(1, ["X"]), pick.test(["X"]), pick.between(-3, 6)];
  const negated = pick.between(0, 1) === 1;
  return {
    text: `:- ${negated ? "not " : ""}${name} { ${term.text}, X : p(X), ${test.text} } ${sign} ${bound}.`,
    holds: (chosen) => holds(combine(weights(chosen, term, test)), bound) === negated,
  };
}
