import { Chance } from "./chance.ts";
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
import {
  type Assignment,
  type Condition,
  comparisons,
  type Declared,
  type RandomModel,
  solved,
} from "./random_minizinc.ts";

/** Random models of global constraints, sets, powers and undefined values, plain and reified, with their solutions. */

type Holds = (x: readonly number[]) => boolean;
interface Relation {
  readonly text: string;
  readonly holds: Holds;
  /** MiniZinc's library has no faithful form of it under a condition. */
  readonly plain_only?: boolean;
}

type Family = (pick: Chance) => Relation;

const names = ["x1", "x2", "x3", "x4"] as const;
const list = `[${names.join(", ")}]`;

const at2 = (x: readonly boolean[], i: number): boolean => x[i] ?? false;
const at = (x: readonly number[], i: number): number => x[i] ?? Number.NaN;

function isPermutation(x: readonly number[]): boolean {
  return x.every((each) => each >= 1 && each <= x.length) && new Set(x).size === x.length;
}

const families: readonly Family[] = [
  () => ({ text: `circuit(${list})`, holds: (x) => isCircuit(x, 1) }),
  () => ({
    plain_only: true,
    text: `subcircuit(${list})`,
    holds: (x) => isCircuit(x, 1, true),
  }),
  () => ({
    text: "alldifferent_except_0([x1 - 1, x2 - 1, x3 - 1, x4 - 1])",
    holds: (x) => [2, 3, 4, 0, -1, -2].every((v) => times(x, v) <= 1),
  }),
  () => ({ text: `all_equal([x1, x2, x3])`, holds: ([a, b, c]) => a === b && b === c }),
  (pick) => {
    const [durations, needs] = [pick.numbers(4, 0, 4), pick.numbers(4, 0, 3)];
    const most = pick.between(1, 5);
    return {
      text: `cumulative(${list}, ${JSON.stringify(durations)}, ${JSON.stringify(needs)}, ${most})`,
      holds: (x) => neverAbove(tasksOf(x, durations, needs), most),
    };
  },
  (pick) => {
    const most = pick.between(1, 3);
    return {
      text: `cumulative([x1, x2, x3], [abs(x4), 2, 1], [1, abs(x4), 1], ${most})`,
      holds: ([a = 0, b = 0, c = 0, d = 0]) =>
        neverAbove(tasksOf([a, b, c], [Math.abs(d), 2, 1], [1, Math.abs(d), 1]), most),
    };
  },
  (pick) => {
    const durations = pick.numbers(3, 1, 3);
    return {
      text: `disjunctive([x1, x2, x3], ${JSON.stringify(durations)})`,
      holds: (x) => areApart(tasksOf(x.slice(0, 3), durations)),
    };
  },
  (pick) => {
    const [w, h] = [pick.numbers(2, 1, 3), pick.numbers(2, 1, 3)];
    return {
      text: `diffn([x1, x2], [x3, x4], ${JSON.stringify(w)}, ${JSON.stringify(h)})`,
      holds: ([a = 0, b = 0, c = 0, d = 0]) =>
        a + at(w, 0) <= b || b + at(w, 1) <= a || c + at(h, 0) <= d || d + at(h, 1) <= c,
    };
  },
  (pick) => {
    const weights = pick.numbers(4, 0, 4);
    const most = pick.between(2, 8);
    return {
      text: `bin_packing(${most}, ${list}, ${JSON.stringify(weights)})`,
      holds: (x) => x.every((bin) => total(x.map((each, i) => (each === bin ? at(weights, i) : 0))) <= most),
    };
  },
  (pick) => {
    const weights = pick.numbers(3, 0, 3);
    return {
      text: `bin_packing_load([x4, ${total(weights)} - x4], [x1, x2, x3], ${JSON.stringify(weights)})`,
      holds: ([a = 0, b = 0, c = 0, load = 0]) => {
        const bins = [a, b, c];
        const one = total(bins.map((bin, i) => (bin === 1 ? at(weights, i) : 0)));
        return bins.every((bin) => bin === 1 || bin === 2) && one === load;
      },
    };
  },
  (pick) => {
    const steps = Array.from({ length: 2 }, () => pick.numbers(4, 0, 2));
    const final = pick.between(1, 2);
    return {
      plain_only: true,
      text: `regular(${list}, 2, 4, [| ${steps.map((row) => row.join(", ")).join(" | ")} |], 1, {${final}})`,
      holds: (x) => x.reduce((state, each) => at(steps[state - 1] ?? [], each - 1) || 0, 1) === final,
    };
  },
  (pick) => {
    const rows = Array.from({ length: 5 }, () => pick.numbers(4, 0, 4));
    return {
      text: `table(${list}, [| ${rows.map((row) => row.join(", ")).join(" | ")} |])`,
      holds: (x) => rows.some((row) => compareLists(row, x) === 0),
    };
  },
  (pick) => {
    const [name, holds] = pick.of<[string, (by: number) => boolean]>([
      ["lex_less", (by) => by < 0],
      ["lex_lesseq", (by) => by <= 0],
      ["lex_greater", (by) => by > 0],
      ["lex_greatereq", (by) => by >= 0],
    ]);
    return {
      text: `${name}([x1, x2], [x3, x4])`,
      holds: ([a = 0, b = 0, c = 0, d = 0]) => holds(compareLists([a, b], [c, d])),
    };
  },
  (pick) => {
    const values = [1, 3];
    const counts = pick.numbers(2, 0, 2);
    const closed = pick.between(0, 1) === 1;
    return {
      text: `global_cardinality${closed ? "_closed" : ""}(${list}, [1, 3], ${JSON.stringify(counts)})`,
      holds: (x) =>
        values.every((value, i) => times(x, value) === counts[i]) &&
        (!closed || x.every((each) => values.includes(each))),
    };
  },
  (pick) => {
    const [low, high] = [pick.numbers(2, 0, 1), pick.numbers(2, 1, 2)];
    return {
      text: `global_cardinality_low_up(${list}, [1, 2], ${JSON.stringify(low)}, ${JSON.stringify(high)})`,
      holds: (x) => [1, 2].every((value, i) => times(x, value) >= at(low, i) && times(x, value) <= at(high, i)),
    };
  },
  () => ({
    text: "global_cardinality([x1, x2, x3], [1, 2], [x4, 1])",
    holds: ([a = 0, b = 0, c = 0, d = 0]) => times([a, b, c], 1) === d && times([a, b, c], 2) === 1,
  }),
  (pick) => {
    const [w, p] = [pick.numbers(3, 1, 4), pick.numbers(3, 1, 4)];
    const [most, least] = [pick.between(4, 14), pick.between(2, 9)];
    return {
      text: `(let { var 0..${most}: W; var ${least}..99: P } in knapsack(${JSON.stringify(w)}, ${JSON.stringify(p)}, [max(0, x1), max(0, x2), max(0, x3)], W, P))`,
      holds: (x) => {
        const taken = x.slice(0, 3).map((each) => Math.max(0, each));
        return total(taken.map((n, i) => n * at(w, i))) <= most && total(taken.map((n, i) => n * at(p, i))) >= least;
      },
    };
  },
  (pick) => {
    const [name, holds] = pick.of<[string, (count: number, k: number) => boolean]>([
      ["at_least", (count, k) => count >= k],
      ["at_most", (count, k) => count <= k],
      ["exactly", (count, k) => count === k],
    ]);
    const [k, value] = [pick.between(0, 3), pick.between(1, 3)];
    return { text: `${name}(${k}, ${list}, ${value})`, holds: (x) => holds(times(x, value), k) };
  },
  (pick) => {
    const k = pick.between(0, 4);
    return { text: `among(${k}, ${list}, {1, 3})`, holds: (x) => times(x, 1) + times(x, 3) === k };
  },
  () => ({ text: "nvalue([x1, x2, x3]) = x4", holds: ([a, b, c, d]) => new Set([a, b, c]).size === d }),
  () => ({
    text: `value_precede(2, 3, ${list})`,
    holds: (x) => !x.includes(3) || (x.includes(2) && x.indexOf(2) < x.indexOf(3)),
  }),
  () => ({
    text: "arg_max([x1, x2, x3]) = x4",
    holds: ([a = 0, b = 0, c = 0, d]) => [a, b, c].indexOf(Math.max(a, b, c)) + 1 === d,
  }),
  () => ({
    text: "arg_min([x1, x2, x3]) = x4",
    holds: ([a = 0, b = 0, c = 0, d]) => [a, b, c].indexOf(Math.min(a, b, c)) + 1 === d,
  }),
  () => ({
    text: "sort([x1, x2], [x3, x4])",
    holds: ([a = 0, b = 0, c, d]) => Math.min(a, b) === c && Math.max(a, b) === d,
  }),
  () => ({
    text: `strictly_decreasing([x1, x2, x3])`,
    holds: ([a = 0, b = 0, c = 0]) => a > b && b > c,
  }),
  (pick) => {
    const [low, high] = [pick.between(1, 5), pick.between(4, 8)];
    return {
      plain_only: true,
      text: `sliding_sum(${low}, ${high}, 2, ${list})`,
      holds: (x) => x.slice(1).every((each, i) => each + at(x, i) >= low && each + at(x, i) <= high),
    };
  },
  (pick) => {
    const [sign, holds] = pick.of(comparisons);
    const value = pick.between(0, 4);
    return {
      text: `count([x1, x2, x3], ${value}) ${sign} x4`,
      holds: ([a = 0, b = 0, c = 0, d = 0]) => holds(times([a, b, c], value), d),
    };
  },
  () => ({
    text: "count([x1, x2, x3], x4) = 2",
    holds: ([a = 0, b = 0, c = 0, d = 0]) => times([a, b, c], d) === 2,
  }),
  () => ({ text: `alldifferent(${list})`, holds: areDifferent }),
  () => ({ text: "max([x1, x2, x3]) = x4", holds: ([a = 0, b = 0, c = 0, d]) => Math.max(a, b, c) === d }),
  () => ({ text: "min([x1, x2, x3]) = x4", holds: ([a = 0, b = 0, c = 0, d]) => Math.min(a, b, c) === d }),
  () => ({ text: `decreasing(${list})`, holds: ([a = 0, b = 0, c = 0, d = 0]) => a >= b && b >= c && c >= d }),
  () => ({ text: "member([x1, x2, x3], x4)", holds: ([a, b, c, d]) => a === d || b === d || c === d }),
  () => ({ text: "x4 in {x1, x2}", holds: ([a, b, , d]) => a === d || b === d }),
  (pick) => {
    const rows = Array.from({ length: 4 }, () => pick.numbers(3, 0, 1));
    return {
      text: `table([x1 > 1, x2 > 1, x3 > 1], [| ${rows.map((row) => row.map((v) => v === 1).join(", ")).join(" | ")} |])`,
      holds: (x) => rows.some((row) => row.every((v, i) => (v === 1) === at(x, i) > 1)),
    };
  },
  (pick) => {
    const k = pick.between(0, 4);
    const [sign, holds] = pick.of<[string, (count: number) => boolean]>([
      ["=", (count) => count === k],
      ["!=", (count) => count !== k],
      ["<=", (count) => count <= k],
      [">", (count) => count > k],
    ]);
    return {
      text: `sum([x1 > x2, x2 > x3, x3 > x4, x1 = x4]) ${sign} ${k}`,
      holds: ([a = 0, b = 0, c = 0, d = 0]) => holds([a > b, b > c, c > d, a === d].filter(Boolean).length),
    };
  },
  (pick) => {
    const flags = [true, false, pick.between(0, 1) === 1, pick.between(0, 1) === 1, true];
    return {
      text: `([${flags.join(", ")}][x1 + 1] xor [x2 > 1, x3 > 1, x2 = x3, false, x1 = 4][x4 + 1])`,
      holds: ([a = 0, b = 0, c = 0, d = 0]) => at2(flags, a) !== at2([b > 1, c > 1, b === c, false, a === 4], d),
    };
  },
  () => ({
    text: "(forall(i in 1..3)([x1, x2, x3][i] <= x4) \\/ exists(i in 1..3)([x1, x2, x3][i] = 0))",
    holds: ([a = 0, b = 0, c = 0, d = 0]) => Math.max(a, b, c) <= d || [a, b, c].includes(0),
  }),
  (pick) => {
    const cost = Array.from({ length: 2 }, () => pick.numbers(4, 0, 3));
    const most = pick.between(2, 9);
    return {
      text: `sum(i in 1..2)([| ${cost.map((row) => row.join(", ")).join(" | ")} |][i, [max(1, x1), max(1, x2)][i]]) <= ${most}`,
      holds: ([a = 0, b = 0]) => at(cost[0] ?? [], Math.max(1, a) - 1) + at(cost[1] ?? [], Math.max(1, b) - 1) <= most,
    };
  },
  () => ({
    text: "disjunctive_strict([x1, x2, x3], [2, 0, 1])",
    holds: (x) => areApart(tasksOf(x.slice(0, 3), [2, 0, 1])),
  }),
  () => ({
    text: "lex2([| x1, x2 | x3, x4 |])",
    holds: ([a = 0, b = 0, c = 0, d = 0]) => compareLists([a, b], [c, d]) <= 0 && compareLists([a, c], [b, d]) <= 0,
  }),
  () => ({
    plain_only: true,
    text: "symmetric_all_different([x1, x2, x3])",
    holds: ([a = 0, b = 0, c = 0]) =>
      isPermutation([a, b, c]) && [a, b, c].every((each, i) => at([a, b, c], each - 1) === i + 1),
  }),
  () => ({
    text: "inverse([x1, x2], [x3, x4])",
    holds: ([a = 0, b = 0, c = 0, d = 0]) =>
      isPermutation([a, b]) && isPermutation([c, d]) && at([c, d], a - 1) === 1 && at([c, d], b - 1) === 2,
  }),
  // A power below 0 is rounded towards 0, and one of 0 is undefined.
  (pick) => {
    const k = pick.between(-2, 4);
    return {
      text: `pow(x1 - 2, x2 - 2) = ${k}`,
      holds: ([a = 0, b = 0]) => {
        const [base, exponent] = [a - 2, b - 2];
        if (exponent < 0 && base === 0) return false;
        return Math.trunc(base ** exponent) + 0 === k;
      },
    };
  },
  // Undefined values make the comparison around them false.
  (pick) => {
    const k = pick.between(-2, 2);
    return {
      text: `(x1 - 3) div (x2 - 2) >= ${k}`,
      holds: ([a = 0, b = 0]) => b !== 2 && Math.trunc((a - 3) / (b - 2)) >= k,
    };
  },
  (pick) => {
    const k = pick.between(-2, 2);
    return { text: `(x1 - 3) mod (x2 - 2) = ${k}`, holds: ([a = 0, b = 0]) => b !== 2 && (a - 3) % (b - 2) === k };
  },
  (pick) => {
    const row = pick.numbers(3, -3, 3);
    const k = pick.between(-2, 2);
    return {
      text: `${JSON.stringify(row)}[x1] <= ${k}`,
      holds: ([a = 0]) => a >= 1 && a <= 3 && at(row, a - 1) <= k,
    };
  },
  () => ({
    text: `[x2, x3, 2][x1] = x4`,
    holds: ([a = 0, b = 0, c = 0, d]) => a >= 1 && a <= 3 && at([b, c, 2], a - 1) === d,
  }),
  (pick) => {
    const rows = Array.from({ length: 2 }, () => pick.numbers(3, 0, 4));
    return {
      text: `[| ${rows.map((row) => row.join(", ")).join(" | ")} |][x1, x2] > x3`,
      holds: ([a = 0, b = 0, c = 0]) => a >= 1 && a <= 2 && b >= 1 && b <= 3 && at(rows[a - 1] ?? [], b - 1) > c,
    };
  },
  // Sets that follow from the numbers.
  (pick) => {
    const [op, holds] = pick.of<[string, (a: readonly number[], b: readonly number[]) => number]>([
      ["union", (a, b) => new Set([...a, ...b]).size],
      ["intersect", (a, b) => a.filter((each) => b.includes(each)).length],
      ["diff", (a, b) => a.filter((each) => !b.includes(each)).length],
      [
        "symdiff",
        (a, b) => a.filter((each) => !b.includes(each)).length + b.filter((each) => !a.includes(each)).length,
      ],
    ]);
    const k = pick.between(0, 3);
    const size = (x: readonly number[]) => holds([...new Set(x.slice(0, 2))], [...new Set(x.slice(2))]);
    return { text: `card({x1, x2} ${op} {x3, x4}) = ${k}`, holds: (x) => size(x) === k };
  },
  () => ({
    text: "{x1, x2} subset {x3, x4}",
    holds: ([a, b, c, d]) => (a === c || a === d) && (b === c || b === d),
  }),
];

const goals = ["satisfy", "minimize", "maximize"] as const;

/** Global constraints, each plain, under a condition or denied; a set variable that follows from the numbers. */
export function globalModel(seed: number): RandomModel {
  const pick = new Chance(seed);
  const declared = names.map((name): Declared => {
    const [low, high] = [pick.between(0, 1), pick.between(3, 4)];
    return {
      name,
      text: `var ${low}..${high}: ${name};`,
      values: Array.from({ length: high - low + 1 }, (_, i) => low + i),
    };
  });
  const conditions = Array.from({ length: pick.between(1, 3) }, () => conditionOf(pick));
  const weights = pick.numbers(4, -3, 3);
  const goal = pick.of(goals);
  const objective = weights.map((weight, i) => `(${weight})*${names[i]}`).join(" + ");
  const with_set = pick.between(0, 3) === 0;
  const least = pick.between(2, 6);
  const sets: Condition = {
    text: `forall(i in 0..4)(i in s <-> exists(x in ${list})(x = i)) /\\ sum(i in s)(i) >= ${least}`,
    of: (values) => total([...new Set(names.map((name) => values[name] ?? 0))]) >= least,
  };
  const objectiveOf = (values: Assignment) => total(weights.map((weight, i) => weight * (values[names[i] ?? ""] ?? 0)));
  return solved({
    declared,
    others: with_set ? ["var set of 0..4: s;"] : [],
    conditions: [...conditions, ...(with_set ? [sets] : [])],
    goal,
    objective,
    objectiveOf,
  });
}

function conditionOf(pick: Chance): Condition {
  const { text, holds, plain_only } = pick.of(families)(pick);
  const [i, k] = [pick.between(0, 3), pick.between(1, 3)];
  const other = (x: readonly number[]) => at(x, i) > k;
  const plain: [string, Holds] = [text, holds];
  const reified: [string, Holds][] = [
    [`not (${text})`, (x) => !holds(x)],
    [`(${text}) -> ${names[i]} > ${k}`, (x) => !holds(x) || other(x)],
    [`(${text}) \\/ ${names[i]} > ${k}`, (x) => holds(x) || other(x)],
    [`(${text}) <-> ${names[i]} > ${k}`, (x) => holds(x) === other(x)],
  ];
  const [said, means] = plain_only ? plain : pick.of([plain, plain, plain, ...reified]);
  return { text: said, of: (values) => means(names.map((name) => values[name] ?? Number.NaN)) };
}
