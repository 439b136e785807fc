/** Random formulas about optional values, tuples and records, with their meaning. */
import * as z from "zod/v4";
import type { Chance } from "./chance.ts";
import type { MiniZincBench } from "./minizinc.ts";

type Value = number | boolean | null;
type Point = Readonly<Record<string, Value>>;

interface Formula {
  readonly text: string;
  readonly holds: (point: Point) => boolean;
}

interface Term<Result> {
  readonly text: string;
  readonly of: (point: Point) => Result;
}

/** The variables, by the name of their value, and all values of each. */
const special_domains: Readonly<Record<string, readonly Value[]>> = {
  o: [null, 0, 1],
  p: [null, 0, 1],
  q: [null, false, true],
  b: [false, true],
  x: [0, 1],
  t1: [0, 1],
  t2: [false, true],
};

const special_declarations = `var opt 0..1: o; var opt 0..1: p; var opt bool: q; var bool: b; var 0..1: x;
type T = record(var 0..1: n, var bool: c); tuple(var 0..1, var bool): t; T: r = (n: t.1, c: t.2);`;

const special_points: readonly Point[] = Object.entries(special_domains).reduce<Point[]>(
  (all, [name, values]) => all.flatMap((point) => values.map((value) => ({ ...point, [name]: value }))),
  [{}],
);

const number = (text: string, of: (point: Point) => Value): Term<Value> => ({ text, of });
type Several<Item> = readonly [Item, ...Item[]];
const optional: Several<Term<Value>> = [
  number("o", ({ o = null }) => o),
  number("p", ({ p = null }) => p),
  number("[o, p][x + 1]", ({ x, o = null, p = null }) => (x === 0 ? o : p)),
  number("(if b then o else 0 endif)", ({ b, o = null }) => (b ? o : 0)),
];
const plain: Several<Term<Value>> = [
  number("x", ({ x = null }) => x),
  number("1", () => 1),
  number("(o default 1)", ({ o = null }) => o ?? 1),
];
const structures: Several<Term<readonly [Value, Value]>> = [
  { text: "t", of: ({ t1 = null, t2 = null }) => [t1, t2] },
  { text: "(x, b)", of: ({ x = null, b = null }) => [x, b] },
  { text: "(1, false)", of: () => [1, false] },
  { text: "[t, (x, b)][x + 1]", of: ({ x = null, b = null, t1 = null, t2 = null }) => (x === 0 ? [t1, t2] : [x, b]) },
];
const records: Several<Term<readonly [Value, Value]>> = [
  { text: "r", of: ({ t1 = null, t2 = null }) => [t1, t2] },
  { text: "(n: x, c: b)", of: ({ x = null, b = null }) => [x, b] },
  { text: "(c: true, n: 0)", of: () => [0, true] },
];

const orders = {
  "<": (a: number, b: number) => a < b,
  "<=": (a: number, b: number) => a <= b,
  ">": (a: number, b: number) => a > b,
  ">=": (a: number, b: number) => a >= b,
} as const;
const signs = ["<", "<=", ">", ">="] as const;

const truths: Several<Term<Value>> = [
  number("q", ({ q = null }) => q),
  number("[b, q][x + 1]", ({ x, b = null, q = null }) => (x === 0 ? b : q)),
  number("(if x = 0 then q else <> endif)", ({ x, q = null }) => (x === 0 ? q : null)),
];
/** An absent truth value is left out of `/\\` and `\\/`, and makes the others true. */
const connectives = {
  "/\\": (a: Value, b: Value) => (a ?? true) === true && (b ?? true) === true,
  "\\/": (a: Value, b: Value) => a === true || b === true,
  "->": (a: Value, b: Value) => a === null || b === null || !a || b === true,
  "<-": (a: Value, b: Value) => a === null || b === null || !b || a === true,
  "<->": (a: Value, b: Value) => a === null || b === null || a === b,
  xor: (a: Value, b: Value) => a === null || b === null || a !== b,
  "=": (a: Value, b: Value) => a === b,
} as const;

/** A connective, or an equality, of truth values that can be absent. */
function ofTruths(chance: Chance): Formula {
  const left = chance.of(truths);
  const right = chance.of([...truths, number("b", ({ b = null }) => b), number("(x = 1)", ({ x }) => x === 1)]);
  const [one, other] = chance.of([0, 1]) === 0 ? [left, right] : [right, left];
  const sign = chance.of(["/\\", "\\/", "->", "<-", "<->", "xor", "=", "forall", "exists"] as const);
  if (sign !== "forall" && sign !== "exists")
    return {
      text: `${one.text} ${sign} ${other.text}`,
      holds: (point) => connectives[sign](one.of(point), other.of(point)),
    };
  const holds = connectives[sign === "forall" ? "/\\" : "\\/"];
  return { text: `${sign}([${one.text}, ${other.text}])`, holds: (point) => holds(one.of(point), other.of(point)) };
}

/** A comparison: weak of optional values, by the first field that differs of structures. */
function comparison(chance: Chance): Formula {
  const kind = chance.of(["optional", "optional", "tuple", "record", "truths"] as const);
  if (kind === "truths") return ofTruths(chance);
  if (kind === "optional") {
    const [left, right] = [chance.of(optional), chance.of([...optional, ...plain])];
    const sign = chance.of(signs);
    return {
      text: `${left.text} ${sign} ${right.text}`,
      holds: (point) => {
        const [a, b] = [left.of(point), right.of(point)];
        return a === null || b === null || orders[sign](Number(a), Number(b));
      },
    };
  }
  const terms = kind === "tuple" ? structures : records;
  const [left, right] = [chance.of(terms), chance.of(terms)];
  const sign = chance.of(["=", "!=", ...signs] as const);
  // The fields of a record are in the order of their names.
  const key = ([n, c]: readonly [Value, Value]) =>
    kind === "tuple" ? 2 * Number(n) + Number(c) : 2 * Number(c) + Number(n);
  return {
    text: `${left.text} ${sign} ${right.text}`,
    holds: (point) => {
      const [a, b] = [key(left.of(point)), key(right.of(point))];
      if (sign === "=" || sign === "!=") return (a === b) === (sign === "=");
      return orders[sign](a, b);
    },
  };
}

type Context = (one: Formula, other: Formula) => Formula;
/** A context with a hole for each of two formulas. */
const context = (text: string, holds: (a: boolean, b: boolean) => boolean): Context => {
  return (one, other) => ({
    text: text.replaceAll(/\b[AB]\b/g, (hole) => `(${(hole === "A" ? one : other).text})`),
    holds: (point) => holds(one.holds(point), other.holds(point)),
  });
};
const contexts: Several<Context> = [
  context("not A", (a) => !a),
  context("A /\\ B", (a, b) => a && b),
  context("A \\/ not B", (a, b) => a || !b),
  context("A -> B", (a, b) => !a || b),
  context("A <-> B", (a, b) => a === b),
  context("A xor B", (a, b) => a !== b),
  context("A = B", (a, b) => a === b),
  context("A < B", (a, b) => !a && b),
  context("if A then B else not B endif", (a, b) => a === b),
  context("bool2int(A) + bool2int(B) = 1", (a, b) => a !== b),
  context("exists([not A, B])", (a, b) => !a || b),
  context("clause([A], [B])", (a, b) => a || !b),
  context("let { var bool: l = A } in not l /\\ B", (a, b) => !a && b),
  context("forall(y in [A, B])(not y)", (a, b) => !a && !b),
  context("forall(i in 1..2 where A)(i < 2)", (a) => !a),
  context("verdict_denied(A)", (a) => !a),
];

/** A formula with connectives of a given depth. */
function specialFormula(chance: Chance, depth: number): Formula {
  if (depth === 0) return comparison(chance);
  const [one, other] = [specialFormula(chance, depth - 1), specialFormula(chance, chance.of([0, depth - 1]))];
  return chance.of(contexts)(one, other);
}

const special_functions = "predicate verdict_denied(var bool: a) = not a;";

const declarations = `${special_declarations} ${special_functions}`;

function pointOf(values: Readonly<Record<string, unknown>>): Point {
  const { o, p, q, b, x, t } = Shown.parse(values);
  return { o, p, q, b, x, t1: t[0], t2: t[1] };
}

const optional_number = z.number().nullable();
const Shown = z.object({
  o: optional_number,
  p: optional_number,
  q: z.boolean().nullable(),
  b: z.boolean(),
  x: z.number(),
  t: z.tuple([z.number(), z.boolean()]),
});
const Answer = z.object({
  status: z.string(),
  warnings: z.array(z.string()),
  solutions: z.array(z.record(z.string(), z.unknown())).nullish(),
});

type Solver = Pick<MiniZincBench, "solveAtOnce">;

/** Formulas whose truth values in all solutions are not those of their meaning; each with a point. */
export async function truthsThatDiffer(bench: Solver, chance: Chance, options: object = {}): Promise<string[]> {
  const formulas = Array.from({ length: 6 }, () => specialFormula(chance, chance.between(1, 3)));
  const definitions = formulas.map(({ text }, i) => `var bool: f${i} = ${text};`);
  const { solutions, warnings } = Answer.parse(
    await bench.solveAtOnce([declarations, ...definitions], { all_solutions: true, ...options }),
  );
  if (!warnings.includes(`These are all solutions: ${special_points.length}.`)) return [`${definitions}: ${warnings}`];
  return formulas.flatMap(({ text, holds }, i) => {
    const wrong = solutions?.find((values) => values[`f${i}`] !== holds(pointOf(values)));
    return wrong ? [`${text} is wrong at ${JSON.stringify(wrong)}`] : [];
  });
}

/** A formula as a constraint whose number of solutions, or one of whose values, is not that of brute force. */
export async function constraintsThatDiffer(bench: Solver, chance: Chance, options: object = {}): Promise<string[]> {
  const { text, holds } = specialFormula(chance, chance.between(0, 2));
  const answer = await bench.solveAtOnce([declarations, `constraint ${text};`], { all_solutions: true, ...options });
  const { status, solutions, warnings } = Answer.parse(answer);
  const count = special_points.filter(holds).length;
  const is_right = count === 0 ? status === "unsat" : warnings.includes(`These are all solutions: ${count}.`);
  const wrong = solutions?.find((values) => !holds(pointOf(values)));
  return is_right && !wrong ? [] : [`${text} has ${count} solutions: ${status}, ${JSON.stringify(wrong)}, ${warnings}`];
}
