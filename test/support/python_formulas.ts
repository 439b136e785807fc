import fc from "fast-check";

/**
 * Random constraints as language models write them in Z3's Python, and an evaluator that owes
 * nothing to a solver: it tries all values.
 */

/** Booleans, numbers from 0 to 4, and bit-vectors of 3 bits, each with the number of its values. */
const sizes = { p: 2, q: 2, m: 5, n: 5, u: 8, v: 8 } as const;
type Name = keyof typeof sizes;
const names = ["p", "q", "m", "n", "u", "v"] as const;

/** A value for each variable; truth is 1. */
export type World = Readonly<Record<Name, number>>;

/** A piece of Python, and what it means in a world. */
export interface Term<Value> {
  readonly text: string;
  readonly value: (world: World) => Value;
}

export type Constraint = Term<boolean>;

type Terms<Value> = fc.Arbitrary<Term<Value>>;

/** The variables; the numbers are kept within 0 to 4 by definition, so that every constraint may be left out. */
export const declarations = `p, q = Bools('p q')
m0, n0 = Ints('m0 n0')
m, n = If(And(0 <= m0, m0 <= 4), m0, 0), If(And(0 <= n0, n0 <= 4), n0, 0)
u, v = BitVecs('u v', 3)`;

function variable(name: Name): Term<number> {
  return { text: name, value: (world) => world[name] };
}

/** A form with a hole A. */
function one<A, R>(form: string, terms: Terms<A>, apply: (a: A) => R): Terms<R> {
  return terms.map((a) => ({
    text: form.replaceAll(/\bA\b/g, () => a.text),
    value: (world) => apply(a.value(world)),
  }));
}

/** A form with holes A and B. */
function two<A, R>(form: string, terms: Terms<A>, apply: (a: A, b: A) => R): Terms<R> {
  return fc.tuple(terms, terms).map(([a, b]) => ({
    text: form.replaceAll(/\b[AB]\b/g, (hole) => (hole === "A" ? a : b).text),
    value: (world) => apply(a.value(world), b.value(world)),
  }));
}

function chosen<Value>(conditions: Terms<boolean>, terms: Terms<Value>): Terms<Value> {
  return fc.tuple(conditions, terms, terms).map(([condition, a, b]) => ({
    text: `If(${condition.text}, ${a.text}, ${b.text})`,
    value: (world) => (condition.value(world) ? a.value(world) : b.value(world)),
  }));
}

/** Arithmetic on 3 bits, as the theory of bit-vectors defines it. */
const wrap = (a: number) => a & 7;
const signed = (a: number) => (a >= 4 ? a - 8 : a);
const signedQuotient = (a: number, b: number) =>
  wrap(b === 0 ? (signed(a) < 0 ? 1 : 7) : Math.trunc(signed(a) / signed(b)));
const signedRest = (a: number, b: number) => wrap(b === 0 ? a : signed(a) % signed(b));

/** The rest that has the sign of the divisor, as `%` of Python on bit-vectors. */
function signedModulo(a: number, b: number): number {
  if (b === 0) return a;
  const rest = signed(a) % signed(b);
  return wrap(rest !== 0 && rest < 0 !== signed(b) < 0 ? rest + signed(b) : rest);
}

/** The rest of a division of integers is never negative in Z3, whatever the sign of the divisor. */
function modulo(a: number, divisor: number): number {
  const size = Math.abs(divisor);
  return ((a % size) + size) % size;
}

const divisors = fc.constantFrom(-3, -2, 2, 3, 4);

function division(sign: string, integers: Terms<number>, apply: (a: number, b: number) => number): Terms<number> {
  return fc.tuple(integers, divisors).map(([a, divisor]) => ({
    text: `(${a.text} ${sign} ${divisor})`,
    value: (world) => apply(a.value(world), divisor),
  }));
}

/** A division by a variable, where it is not 0. */
function divisionByVariable(sign: string, integers: Terms<number>, apply: (a: number, b: number) => number) {
  return fc.tuple(integers, fc.constantFrom<Name>("m", "n")).map(
    ([a, name]): Term<number> => ({
      text: `If(${name} == 0, 0, ${a.text} ${sign} ${name})`,
      value: (world) => (world[name] === 0 ? 0 : apply(a.value(world), world[name])),
    }),
  );
}

/** The cell of an array at an index that only solving finds. */
function element(integers: Terms<number>): Terms<number> {
  return fc.tuple(integers, integers, integers, integers).map(([first, second, rest, index]) => ({
    text: `Select(Store(Store(K(IntSort(), ${rest.text}), 1, ${first.text}), 2, ${second.text}), ${index.text})`,
    value: (world) => {
      const at = index.value(world);
      return (at === 1 ? first : at === 2 ? second : rest).value(world);
    },
  }));
}

/** Whether a number is in a set of two that are given, and of 2. */
function member(integers: Terms<number>): Terms<boolean> {
  return fc.tuple(integers, integers, fc.boolean()).map(([a, b, joined]) => ({
    text: joined
      ? `IsMember(${a.text}, SetUnion(SetAdd(EmptySet(IntSort()), ${b.text}), SetAdd(EmptySet(IntSort()), 2)))`
      : `IsMember(${a.text}, SetDifference(SetAdd(EmptySet(IntSort()), ${b.text}), SetAdd(EmptySet(IntSort()), 2)))`,
    value: (world) => {
      const [one, other] = [a.value(world), b.value(world)];
      return joined ? one === other || one === 2 : one === other && one !== 2;
    },
  }));
}

/** Exactly, at most and at least a number, by our helpers. */
function helped(truths: Terms<boolean>): Terms<boolean> {
  const kinds = fc.constantFrom("exactly_k", "at_most_k", "at_least_k");
  return fc
    .tuple(fc.array(truths, { minLength: 1, maxLength: 3 }), fc.integer({ min: -1, max: 4 }), kinds)
    .map(([all, k, kind]) => ({
      text: `${kind}([${all.map(({ text }) => text).join(", ")}], ${k})`,
      value: (world) => {
        const sum = all.filter(({ value }) => value(world)).length;
        return kind === "exactly_k" ? sum === k : kind === "at_most_k" ? sum <= k : sum >= k;
      },
    }));
}

function counted(truths: Terms<boolean>): Terms<boolean> {
  const bounds = fc.tuple(fc.array(truths, { minLength: 2, maxLength: 4 }), fc.nat(4), fc.boolean());
  return bounds.map(([all, bound, most]) => ({
    text: most
      ? `AtMost(${all.map(({ text }) => text).join(", ")}, ${bound})`
      : `PbGe([${all.map(({ text }, i) => `(${text}, ${i + 1})`).join(", ")}], ${bound})`,
    value: (world) => {
      const weights = all.map(({ value }, i) => (value(world) ? (most ? 1 : i + 1) : 0));
      const sum = weights.reduce((a: number, b) => a + b, 0);
      return most ? sum <= bound : sum >= bound;
    },
  }));
}

type Grammar = {
  readonly truth: Constraint;
  readonly bits: Term<number>;
  readonly integer: Term<number>;
};

const bools = fc
  .constantFrom<("p" | "q")[]>("p", "q")
  .map((name): Constraint => ({ text: name, value: (world) => world[name] === 1 }));

function truthsOver(truth: Terms<boolean>, bits: Terms<number>, integer: Terms<number>): Terms<boolean>[] {
  return [
    one("Not(A)", truth, (a) => !a),
    two("And(A, B)", truth, (a, b) => a && b),
    two("Or([A, B])", truth, (a, b) => a || b),
    two("Xor(A, B)", truth, (a, b) => a !== b),
    two("Implies(A, B)", truth, (a, b) => !a || b),
    two("(A == B)", truth, (a, b) => a === b),
    two("(A != B)", truth, (a, b) => a !== b),
    two("(A & B)", truth, (a, b) => a && b),
    counted(truth),
    helped(truth),
    member(integer),
    two("(A == B)", integer, (a, b) => a === b),
    two("(A != B)", integer, (a, b) => a !== b),
    two("(A < B)", integer, (a, b) => a < b),
    two("(A >= B)", integer, (a, b) => a >= b),
    two("(A == B)", bits, (a, b) => a === b),
    two("(A < B)", bits, (a, b) => signed(a) < signed(b)),
    two("ULE(A, B)", bits, (a, b) => a <= b),
    two("Distinct(A, B)", bits, (a, b) => a !== b),
  ];
}

const bit_constants = fc.nat(7).map((value): Term<number> => ({ text: `BitVecVal(${value}, 3)`, value: () => value }));

function bitsOver(truth: Terms<boolean>, bits: Terms<number>): Terms<number>[] {
  return [
    one("(~A)", bits, (a) => 7 - a),
    one("(-A)", bits, (a) => wrap(-a)),
    two("(A + B)", bits, (a, b) => wrap(a + b)),
    two("(A * B)", bits, (a, b) => wrap(a * b)),
    two("(A ^ B)", bits, (a, b) => a ^ b),
    two("(A | B)", bits, (a, b) => a | b),
    two("(A >> B)", bits, (a, b) => wrap(signed(a) >> b)),
    two("(A << B)", bits, (a, b) => wrap(a << b)),
    two("LShR(A, B)", bits, (a, b) => a >> b),
    two("(A / B)", bits, signedQuotient),
    two("(A % B)", bits, signedModulo),
    two("SRem(A, B)", bits, signedRest),
    two("UDiv(A, B)", bits, (a, b) => (b === 0 ? 7 : Math.floor(a / b))),
    two("URem(A, B)", bits, (a, b) => (b === 0 ? a : a % b)),
    one("RotateLeft(A, 1)", bits, (a) => wrap(a << 1) | (a >> 2)),
    chosen(truth, bits),
  ];
}

const integer_constants = fc
  .integer({ min: -2, max: 6 })
  .map((value): Term<number> => ({ text: `IntVal(${value})`, value: () => value }));

function integersOver(truth: Terms<boolean>, bits: Terms<number>, integer: Terms<number>): Terms<number>[] {
  return [
    one("(-A)", integer, (a) => -a),
    one("abs(A)", integer, Math.abs),
    one("BV2Int(A)", bits, (a) => a),
    two("(A + B)", integer, (a, b) => a + b),
    two("Sum([A, B, 1])", integer, (a, b) => a + b + 1),
    two("(A - B)", integer, (a, b) => a - b),
    two("(A * B)", fc.constantFrom(variable("m"), variable("n")), (a, b) => a * b),
    division("%", integer, modulo),
    division("/", integer, (a, divisor) => (a - modulo(a, divisor)) / divisor),
    divisionByVariable("%", integer, modulo),
    divisionByVariable("/", integer, (a, divisor) => (a - modulo(a, divisor)) / divisor),
    two("If(A < B, A, B)", integer, Math.min),
    two("If(A < B, B, A)", integer, Math.max),
    element(integer),
    chosen(truth, integer),
  ];
}

const grammar = fc.letrec<Grammar>((tie) => {
  const [truth, bits, integer] = [tie("truth"), tie("bits"), tie("integer")];
  const depth = { maxDepth: 3, depthIdentifier: fc.createDepthIdentifier(), withCrossShrink: true };
  const numbers = (constants: Terms<number>, ...named: readonly Name[]) =>
    fc.oneof(constants, fc.constantFrom(...named.map(variable)));
  return {
    truth: fc.oneof(depth, bools, ...truthsOver(truth, bits, integer)),
    bits: fc.oneof(depth, numbers(bit_constants, "u", "v"), ...bitsOver(truth, bits)),
    integer: fc.oneof(depth, numbers(integer_constants, "m", "n"), ...integersOver(truth, bits, integer)),
  };
});

export const constraints: fc.Arbitrary<Constraint> = grammar.truth;
export const integers: Terms<number> = grammar.integer;
export const bit_vectors: Terms<number> = grammar.bits;

/** Every world in which all constraints hold. */
export function* worldsOf(all: readonly Constraint[]): Generator<World> {
  for (const world of worlds(names, { p: 0, q: 0, m: 0, n: 0, u: 0, v: 0 })) {
    if (all.every((each) => each.value(world))) yield world;
  }
}

/** Whether the constraints hold together in some world. */
export function isSatisfiable(all: readonly Constraint[]): boolean {
  return !worldsOf(all).next().done;
}

function* worlds([name, ...others]: readonly Name[], from: World): Generator<World> {
  if (name === undefined) return yield from;
  for (let value = 0; value < sizes[name]; value++) yield* worlds(others, { ...from, [name]: value });
}

/** The assignment of a model's values; what it omits can have any value, and is 0 here. */
export function worldOf(model: Readonly<Record<string, unknown>>): World {
  const bounded = (value: unknown) => (typeof value === "number" && value >= 0 && value <= 4 ? value : 0);
  const bits = (value: unknown) => (typeof value === "number" ? value : 0);
  const { p, q, m0, n0, u, v } = model;
  return { p: Number(p === true), q: Number(q === true), m: bounded(m0), n: bounded(n0), u: bits(u), v: bits(v) };
}
