import fc from "fast-check";

/**
 * Random formulas over a few small variables, and an evaluator that owes nothing to a solver: it
 * tries all values.
 */

/** Booleans, bit-vectors of 3 bits, and numbers from 0 to 4, each with the number of its values. */
const sizes = { p: 2, q: 2, r: 2, u: 8, v: 8, m: 5, n: 5 } as const;
const bools = ["p", "q", "r"] as const;
const bit_vectors = ["u", "v"] as const;
const numbers = ["m", "n"] as const;

type Name = keyof typeof sizes;
const all_names = [...bools, ...bit_vectors, ...numbers] as const;

/** A value for each variable; truth is 1. */
export type World = Readonly<Record<Name, number>>;

const origin: World = { p: 0, q: 0, r: 0, u: 0, v: 0, m: 0, n: 0 };

export interface Term<Value> {
  readonly text: string;
  readonly names: ReadonlySet<Name>;
  readonly value: (world: World) => Value;
}

export type Formula = Term<boolean>;

type Terms<Value> = fc.Arbitrary<Term<Value>>;

function constant<Value>(text: string, value: Value): Term<Value> {
  return { text, names: new Set(), value: () => value };
}

function number(name: Name): Term<number> {
  return { text: name, names: new Set([name]), value: (world) => world[name] };
}

function truth(name: Name): Formula {
  return { text: name, names: new Set([name]), value: (world) => world[name] === 1 };
}

function unary<A, R>(head: string, terms: Terms<A>, apply: (a: A) => R): Terms<R> {
  return terms.map((a) => ({
    text: `(${head} ${a.text})`,
    names: a.names,
    value: (world) => apply(a.value(world)),
  }));
}

function binary<A, R>(head: string, terms: Terms<A>, apply: (a: A, b: A) => R): Terms<R> {
  return fc.tuple(terms, terms).map(([a, b]) => ({
    text: `(${head} ${a.text} ${b.text})`,
    names: new Set([...a.names, ...b.names]),
    value: (world) => apply(a.value(world), b.value(world)),
  }));
}

function choice<Value>(formulas: Terms<boolean>, terms: Terms<Value>): Terms<Value> {
  return fc.tuple(formulas, terms, terms).map(([condition, a, b]) => ({
    text: `(ite ${condition.text} ${a.text} ${b.text})`,
    names: new Set([...condition.names, ...a.names, ...b.names]),
    value: (world) => (condition.value(world) ? a.value(world) : b.value(world)),
  }));
}

/** Arithmetic on 3 bits, as the theory of bit-vectors defines it. */
const wrap = (a: number) => a & 7;
const negate = (a: number) => wrap(-a);
const isNegative = (a: number) => a >= 4;
const signed = (a: number) => (isNegative(a) ? a - 8 : a);
const magnitude = (a: number) => (isNegative(a) ? negate(a) : a);
const quotient = (a: number, b: number) => (b === 0 ? 7 : Math.floor(a / b));
const rest = (a: number, b: number) => (b === 0 ? a : a % b);

function signedQuotient(a: number, b: number): number {
  const q = quotient(magnitude(a), magnitude(b));
  return isNegative(a) === isNegative(b) ? q : negate(q);
}

function signedRest(a: number, b: number): number {
  const r = rest(magnitude(a), magnitude(b));
  return isNegative(a) ? negate(r) : r;
}

/** The rest that has the sign of the divisor. */
function signedModulo(a: number, b: number): number {
  const r = rest(magnitude(a), magnitude(b));
  const same = isNegative(a) ? negate(r) : r;
  return r === 0 || isNegative(a) === isNegative(b) ? same : wrap(same + b);
}

/** The rest of a division is never negative, whatever the sign of the divisor. */
function modulo(a: number, divisor: number): number {
  const size = Math.abs(divisor);
  return ((a % size) + size) % size;
}

function integerText(value: number): string {
  return value < 0 ? `(- ${-value})` : String(value);
}

const bit_constants = fc.nat(7).map((value) => constant(`#b${value.toString(2).padStart(3, "0")}`, value));
const integer_constants = fc.integer({ min: -2, max: 6 }).map((value) => constant(integerText(value), value));
const divisors = fc.constantFrom(-3, -2, 2, 3, 4);

type Grammar = {
  readonly formula: Formula;
  readonly bits: Term<number>;
  readonly integer: Term<number>;
};

function formulasOver(formula: Terms<boolean>, bits: Terms<number>, integer: Terms<number>): Terms<boolean>[] {
  return [
    unary("not", formula, (a) => !a),
    binary("and", formula, (a, b) => a && b),
    binary("or", formula, (a, b) => a || b),
    binary("xor", formula, (a, b) => a !== b),
    binary("=>", formula, (a, b) => !a || b),
    binary("=", formula, (a, b) => a === b),
    choice(formula, formula),
    binary("=", bits, (a, b) => a === b),
    binary("distinct", bits, (a, b) => a !== b),
    binary("bvult", bits, (a, b) => a < b),
    binary("bvsle", bits, (a, b) => signed(a) <= signed(b)),
    binary("=", integer, (a, b) => a === b),
    binary("<", integer, (a, b) => a < b),
    binary(">=", integer, (a, b) => a >= b),
  ];
}

function bitsOver(formula: Terms<boolean>, bits: Terms<number>): Terms<number>[] {
  return [
    unary("bvnot", bits, (a) => 7 - a),
    unary("bvneg", bits, negate),
    unary("(_ rotate_left 1)", bits, (a) => wrap(a << 1) | (a >> 2)),
    binary("bvadd", bits, (a, b) => wrap(a + b)),
    binary("bvsub", bits, (a, b) => wrap(a - b)),
    binary("bvmul", bits, (a, b) => wrap(a * b)),
    binary("bvand", bits, (a, b) => a & b),
    binary("bvor", bits, (a, b) => a | b),
    binary("bvxor", bits, (a, b) => a ^ b),
    binary("bvshl", bits, (a, b) => wrap(a << b)),
    binary("bvlshr", bits, (a, b) => a >> b),
    binary("bvashr", bits, (a, b) => wrap(signed(a) >> b)),
    binary("bvudiv", bits, quotient),
    binary("bvurem", bits, rest),
    binary("bvsdiv", bits, signedQuotient),
    binary("bvsrem", bits, signedRest),
    binary("bvsmod", bits, signedModulo),
    choice(formula, bits),
  ];
}

function integersOver(formula: Terms<boolean>, bits: Terms<number>, integer: Terms<number>): Terms<number>[] {
  return [
    unary("-", integer, (a) => -a),
    unary("abs", integer, Math.abs),
    unary("bv2nat", bits, (a) => a),
    binary("+", integer, (a, b) => a + b),
    binary("-", integer, (a, b) => a - b),
    binary("*", fc.oneof(integer_constants, fc.constantFrom(...numbers.map(number))), (a, b) => a * b),
    division("mod", integer, modulo),
    division("div", integer, (a, divisor) => (a - modulo(a, divisor)) / divisor),
    choice(formula, integer),
  ];
}

/** A division by a constant: what a division by zero gives is left open, so there is none. */
function division(head: string, integer: Terms<number>, apply: (a: number, divisor: number) => number): Terms<number> {
  return fc.tuple(integer, divisors).map(([a, divisor]) => ({
    text: `(${head} ${a.text} ${integerText(divisor)})`,
    names: a.names,
    value: (world) => apply(a.value(world), divisor),
  }));
}

const grammar = fc.letrec<Grammar>((tie) => {
  const [formula, bits, integer] = [tie("formula"), tie("bits"), tie("integer")];
  const depth = { maxDepth: 3, depthIdentifier: fc.createDepthIdentifier(), withCrossShrink: true };
  return {
    formula: fc.oneof(depth, fc.constantFrom(...bools.map(truth)), ...formulasOver(formula, bits, integer)),
    bits: fc.oneof(
      depth,
      fc.oneof(bit_constants, fc.constantFrom(...bit_vectors.map(number))),
      ...bitsOver(formula, bits),
    ),
    integer: fc.oneof(
      depth,
      fc.oneof(integer_constants, fc.constantFrom(...numbers.map(number))),
      ...integersOver(formula, bits, integer),
    ),
  };
});

const formulas: fc.Arbitrary<Formula> = grammar.formula;

/** Literals, as (check-sat-assuming …) takes them. */
const literals: fc.Arbitrary<Formula> = fc.oneof(
  fc.constantFrom(...bools.map(truth)),
  unary("not", fc.constantFrom(...bools.map(truth)), (a) => !a),
);

/** A world in which all formulas hold, found by trying every one. */
export function findWorld(all: readonly Formula[]): World | undefined {
  for (const world of worldsIn(all)) return world;
  return undefined;
}

/** Every world in which all formulas hold; the variables of `besides` are tried as well. */
function* worldsIn(all: readonly Formula[], besides: readonly Term<unknown>[] = []): Generator<World> {
  const used = all_names.filter((name) => [...all, ...besides].some(({ names }) => names.has(name)));
  for (const world of worlds(used)) if (all.every((formula) => formula.value(world))) yield world;
}

function* worlds([name, ...others]: readonly Name[], from: World = origin): Generator<World> {
  if (name === undefined) return yield from;
  for (let value = 0; value < sizes[name]; value++) yield* worlds(others, { ...from, [name]: value });
}

type Step =
  | { readonly kind: "assert"; readonly formula: Formula; readonly named: boolean }
  | { readonly kind: "push" | "pop" | "check" };

const assertions: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant("assert" as const),
  formula: formulas,
  named: fc.boolean(),
});

const moves = (...kinds: ("push" | "pop" | "check")[]): fc.Arbitrary<Step> =>
  fc.record({ kind: fc.constantFrom(...kinds) });

const steps = fc.oneof({ weight: 6, arbitrary: assertions }, { weight: 1, arbitrary: moves("push", "pop", "check") });
/** Commands after the last check do not affect its answer. */
const afterwards = fc.oneof(assertions, moves("push", "pop"));

/** How numbers are kept within 0 to 4: by assertions, or, where assertions may be dropped, by definition. */
export type Bounds = "asserted" | "defined";

/** A script, and what is known of it without a solver. */
export interface Problem {
  readonly script: string;
  readonly bounds: Bounds;
  /** The right word for each check. */
  readonly expected: readonly ("sat" | "unsat")[];
  /** The assertions that hold at the last check, by their lines in the script. */
  readonly live: ReadonlyMap<number, Formula>;
  /** What the last check assumes besides. */
  readonly assumed: readonly Formula[];
  /** What a failure shows of it. */
  [fc.toStringMethod](): string;
}

/** Random problems; `assuming` ones end with a check under assumptions. */
export function problems(bounds: Bounds, { assuming = false } = {}): fc.Arbitrary<Problem> {
  const assumptions = assuming ? fc.uniqueArray(literals, { minLength: 1, maxLength: 4, selector }) : fc.constant([]);
  return fc
    .tuple(fc.array(steps, { minLength: 3, maxLength: 9 }), assumptions, fc.array(afterwards, { maxLength: 2 }))
    .map(([before, assumed, after]) => new Writer(bounds).problem(before, assumed, after));
}

const selector = (formula: Formula) => formula.text;

/** What was asserted between a push and its pop. */
interface Frame {
  readonly formulas: Map<number, Formula>;
  readonly names: Set<string>;
}

/** Writes a problem down, line by line, and keeps what is asserted. */
class Writer {
  readonly #lines: string[];
  readonly #frames: Frame[] = [];
  readonly #expected: ("sat" | "unsat")[] = [];

  readonly #bounds: Bounds;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.#lines = declarations(bounds);
    this.#open();
  }

  problem(before: readonly Step[], assumed: readonly Formula[], after: readonly Step[]): Problem {
    for (const step of before) this.#add(step);
    this.#check(assumed);
    const live = this.#live();
    for (const step of after) this.#add(step);
    const script = this.#lines.join("\n");
    const known = { expected: this.#expected, live, assumed, bounds: this.#bounds };
    return { script, ...known, [fc.toStringMethod]: () => script };
  }

  #add(step: Step): void {
    if (step.kind === "assert") this.#assert(step.formula, step.named);
    else if (step.kind === "check") this.#check([]);
    else if (step.kind === "push") this.#push();
    else if (this.#frames.length > 1) this.#pop();
  }

  #assert(formula: Formula, named: boolean): void {
    this.#lines.push(named ? `(assert (! ${formula.text} :named ${this.#newName()}))` : `(assert ${formula.text})`);
    this.#frames.at(-1)?.formulas.set(this.#lines.length, formula);
  }

  /** The first name that is free: those of scopes that are gone come again. */
  #newName(): string {
    const taken = (name: string) => this.#frames.some(({ names }) => names.has(name));
    let i = 1;
    while (taken(`a${i}`)) i++;
    this.#frames.at(-1)?.names.add(`a${i}`);
    return `a${i}`;
  }

  #check(assumed: readonly Formula[]): void {
    const literals = assumed.map(({ text }) => text).join(" ");
    this.#lines.push(assumed.length > 0 ? `(check-sat-assuming (${literals}))` : "(check-sat)");
    this.#expected.push(findWorld([...this.#live().values(), ...assumed]) ? "sat" : "unsat");
  }

  #push(): void {
    this.#lines.push("(push 1)");
    this.#open();
  }

  #open(): void {
    this.#frames.push({ formulas: new Map(), names: new Set() });
  }

  #pop(): void {
    this.#lines.push("(pop 1)");
    this.#frames.pop();
  }

  #live(): Map<number, Formula> {
    return new Map(this.#frames.flatMap(({ formulas }) => [...formulas]));
  }
}

function declarations(bounds: Bounds): string[] {
  return [
    ...bools.map((name) => `(declare-const ${name} Bool)`),
    ...bit_vectors.map((name) => `(declare-const ${name} (_ BitVec 3))`),
    ...numbers.map((name) => (bounds === "asserted" ? assertedNumber(name) : definedNumber(name))),
  ];
}

function assertedNumber(name: Name): string {
  return `(declare-const ${name} Int)(assert (<= 0 ${name} 4))`;
}

const free = (name: Name) => `${name}_free`;

function definedNumber(name: Name): string {
  const wide = free(name);
  return `(declare-const ${wide} Int)(define-fun ${name} () Int (ite (<= 0 ${wide} 4) ${wide} 0))`;
}

/** The world that a model describes; what it leaves out may be anything, so it is 0 here. */
export function worldOf(model: Readonly<Record<string, string>>, bounds: Bounds): World {
  const values = all_names.map((name) => {
    const is_defined = bounds === "defined" && (name === "m" || name === "n");
    const value = readValue(model[is_defined ? free(name) : name] ?? "0");
    return [name, is_defined && !(value >= 0 && value <= 4) ? 0 : value] as const;
  });
  return { ...origin, ...Object.fromEntries(values) };
}

/** `true`, `#b101`, `3` or `(- 3)` as a number. */
export function readValue(text: string): number {
  if (text === "true" || text === "false") return text === "true" ? 1 : 0;
  if (text.startsWith("#b")) return Number.parseInt(text.slice(2), 2);
  const [, minus, digits] = /^(\(- )?(\d+)\)?$/.exec(text) ?? [];
  if (digits === undefined) throw new Error(`a value that is none of ours: ${text}`);
  return minus ? -Number(digits) : Number(digits);
}

/** Something to be made as small as can be. */
interface Goal {
  readonly lines: readonly string[];
  readonly cost: Term<number>;
  /** -1 where the script has the opposite of the cost, to be made as great as can be. */
  readonly sign: 1 | -1;
}

const minima: fc.Arbitrary<Goal> = grammar.integer.map((cost) => ({
  lines: [`(minimize ${cost.text})`],
  sign: 1,
  cost,
}));

const maxima: fc.Arbitrary<Goal> = grammar.integer.map((term) => ({
  lines: [`(maximize ${term.text})`],
  sign: -1,
  cost: { ...term, value: (world) => -term.value(world) },
}));

interface Wish {
  readonly formula: Formula;
  readonly weight: number;
}

const wishes: fc.Arbitrary<Goal> = fc
  .array(fc.record({ formula: formulas, weight: fc.integer({ min: 1, max: 5 }) }), { minLength: 1, maxLength: 3 })
  .map((all) => ({
    lines: all.map(({ formula, weight }) => `(assert-soft ${formula.text} :weight ${weight} :id wishes)`),
    sign: 1,
    cost: costOf(all),
  }));

/** The weights of the wishes that stay open. */
function costOf(all: readonly Wish[]): Term<number> {
  return {
    text: "wishes",
    names: new Set(all.flatMap(({ formula }) => [...formula.names])),
    value: (world) => all.reduce((sum, { formula, weight }) => sum + (formula.value(world) ? 0 : weight), 0),
  };
}

/** A script with goals, and their best values, the first goal first; undefined when it is unsat. */
export interface Optimisation {
  readonly script: string;
  readonly best: readonly number[] | undefined;
  [fc.toStringMethod](): string;
}

export const optimisations: fc.Arbitrary<Optimisation> = fc
  .tuple(fc.array(formulas, { minLength: 1, maxLength: 3 }), fc.oneof(minima, maxima), fc.option(wishes))
  .map(([all, goal, wish]) => optimisation(all, wish ? [goal, wish] : [goal]));

function optimisation(all: readonly Formula[], goals: readonly Goal[]): Optimisation {
  const costs = leastCosts(all, goals);
  const asserted = all.map(({ text }) => `(assert ${text})`);
  const lines = [...declarations("asserted"), ...asserted, ...goals.flatMap((goal) => goal.lines), "(check-sat)"];
  const script = lines.join("\n");
  const best = costs && goals.map(({ sign }, i) => sign * (costs[i] ?? 0) + 0);
  return { script, best, [fc.toStringMethod]: () => script };
}

function leastCosts(all: readonly Formula[], goals: readonly Goal[]): readonly number[] | undefined {
  let least: readonly number[] | undefined;
  const terms = goals.map((goal) => goal.cost);
  for (const world of worldsIn(all, terms)) {
    const costs = terms.map((term) => term.value(world));
    if (!least || isBelow(costs, least)) least = costs;
  }
  return least;
}

/** Whether the first number that differs is less. */
function isBelow(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}
