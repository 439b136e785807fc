import { unless } from "../../kernel/unless.ts";
import { BoundsOf } from "./bounds.ts";
import { isMeasured, type Kind } from "./measured.ts";
import { type Constraint, type Expression, elementsOf, type FlatZinc, FlatZincError, parseFlatZinc } from "./parse.ts";
import { parseFlatZincJson } from "./parse_json.ts";
import { Rational, zero } from "./rational.ts";

/**
 * Determines for which constraints (measured.ts) and numbers each solver's claims are accepted: those for which brute
 * force confirmed the claims (test/long/minizinc_measured.test.ts). Solvers do not report their errors: Gecode 6
 * wrongly answers unsatisfiable for `x > 2147483640 /\ x * x > 9`, its embedded build for `x * x = 2.0`, and Chuffed
 * for `y mod 5 = -2`.
 */

/** The reason not to accept a solver's "unsatisfiable", "best" or "all" for a model. */
export interface Doubt {
  readonly reason: DoubtReason;
  readonly what: string;
}

export const DOUBT_REASONS = {
  reach: "numbers outside the solver's range",
  float: "floating point",
  compiler: "the compiler's floating-point arithmetic",
  remainder: "division of negative numbers",
  library: "undefined values in the solver's library",
  unmeasured: "constraints on which the solver was not tested",
  misstated: "a constraint that MiniZinc's library states wrongly",
  engine: "a model on which CP-SAT alone is not trusted",
  restricted: "a search restricted to part of the solution space",
} as const;

export type DoubtReason = (typeof DOUBT_REASONS)[keyof typeof DOUBT_REASONS];

const kinds: readonly { readonly solver: RegExp; readonly kind: Kind }[] = [
  { solver: /^cp-sat$/, kind: "cp_sat" },
  { solver: /gecode/i, kind: "gecode" },
  { solver: /chuffed/i, kind: "chuffed" },
  { solver: /highs|coin-?bc|cbc|gurobi|cplex|scip|xpress/i, kind: "linear" },
];

/** Returns a solver's kind; `linear` solvers solve sums in floating point, within tolerances. */
export function kindOf(solver: string): Kind {
  return kinds.find((each) => each.solver.test(solver))?.kind ?? "other";
}

/**
 * The largest numbers with which a kind of solver can compute: the values of variables, and the numbers in constraints.
 */
interface Reach {
  readonly values: number;
  readonly constants: number;
}

/**
 * Linear solvers stop at a relative gap of 1e-8, and treat a truth value of 1e-8 as 0; with these bounds, both stay far
 * below 1.
 */
const reaches: Readonly<Record<Kind, Reach>> = {
  gecode: { values: 2_147_483_646, constants: 2_147_483_646 },
  chuffed: { values: 500_000_000, constants: 500_000_000 },
  linear: { values: 10_000_000, constants: 1_000_000 },
  cp_sat: { values: Number.MAX_SAFE_INTEGER, constants: Number.MAX_SAFE_INTEGER },
  other: { values: Number.MAX_SAFE_INTEGER, constants: Number.MAX_SAFE_INTEGER },
};

/**
 * Returns the reasons not to accept a solver's claims about this compiled model; if a solution's objective is given,
 * the reasons not to accept the claim that it is optimal.
 */
export function doubtsOn(model: FlatZinc, solver: string, objective?: unknown): readonly Doubt[] {
  const found = found_doubts.get(model) ?? new Map<string, readonly Doubt[]>();
  found_doubts.set(model, found);
  const claim = `${solver} ${String(objective)}`;
  const doubts = found.get(claim) ?? newDoubtsOn(model, solver, objective);
  found.set(claim, doubts);
  return doubts;
}

/**
 * A cache of the doubts about a compiled model, by claim: examining a large model takes a while, and several steps in a
 * call need the result.
 */
const found_doubts = new WeakMap<FlatZinc, Map<string, readonly Doubt[]>>();

function newDoubtsOn(model: FlatZinc, solver: string, objective: unknown): Doubt[] {
  const best = typeof objective === "number" ? Rational.of(objective) : undefined;
  const bounds = new BoundsOf(model, best);
  const kind = kindOf(solver);
  return [
    ...floatsIn(model).map((what) => ({ reason: DOUBT_REASONS.float, what })),
    ...beyond(model, bounds, reaches[kind]).map((what) => ({ reason: DOUBT_REASONS.reach, what })),
    ...(kind === "chuffed" ? divisions(model, bounds) : []).map((what) => ({ reason: DOUBT_REASONS.remainder, what })),
    ...[
      ...unmeasuredIn(model, kind),
      ...(kind === "chuffed" ? [...impliedByFalse(model), ...constantSets(model)] : []),
    ].map((what) => ({
      reason: DOUBT_REASONS.unmeasured,
      what,
    })),
  ];
}

/** Parses the compiled model, as text or as JSON; undefined if MiniZinc would not write such a text. */
export function readFlatZinc(text: string): FlatZinc | undefined {
  return unless(FlatZincError, () => (text.startsWith("{") ? parseFlatZincJson(text) : parseFlatZinc(text)));
}

/** Whether a text contains a number with which this solver can't compute. */
export function namesLarge(text: string, solver: string): boolean {
  const numbers = text.match(/(?<!\w|[^.]\.)\d{9,}(?!\w|\.\d)/g) ?? [];
  return numbers.some((number) => Number(number) > reaches[kindOf(solver)].values);
}

/**
 * Whether the text of a model or of data may use floats: it contains a decimal number, the type, or a function that
 * returns a float. Output items and search annotations are ignored.
 */
export function namesFloats(text: string): boolean {
  const decisive = withoutComments(text)
    .replaceAll(/(?<=^|;)\s*output\b[^;]*/g, " ")
    .replaceAll(/(?<=^|;)\s*solve\b[^;]*?\b(?=satisfy\b|minimize\b|maximize\b)/g, " ");
  return /\bfloat\b|int2float|(?<![\w.])\d+\.\d|\d[eE][-+]?\d|\/|\b(?:sqrt|exp|ln|log(?:2|10)?|a?(?:sin|cos|tan)h?|uniform|normal)\s*\(/.test(
    decisive,
  );
}

/**
 * Whether variables of a model may be floats. Floats in the definition of an int or bool parameter do not count, nor do
 * those that are rounded to an integer: MiniZinc rounds only parameters.
 */
export function mayHaveFloats(source: string): boolean {
  return namesFloats(withoutRounded(withoutComments(source).replaceAll(whole_parameter, " ")));
}

/** Removes the arguments of the functions that round a parameter to an integer. */
function withoutRounded(text: string): string {
  let kept = "";
  let from = 0;
  let depth = 0;
  for (const { 0: found, index } of text.matchAll(/(?<![\w'])(?:ceil|floor|round)\s*\(|[()]/g)) {
    if (depth === 0 && found.length === 1) continue;
    if (depth === 0) kept += text.slice(from, index);
    depth += found === ")" ? -1 : 1;
    if (depth === 0) from = index;
  }
  return depth > 0 ? text : kept + text.slice(from);
}

const whole_parameter = /(?<=^|;)\s*(?:array\s*\[[^\]]*\]\s*of\s+)?(?:set\s+of\s+)?(?:int|bool)\s*:[^;]*/g;

/** The text without comments, strings, and the operators `/\` and `\/`, which contain slashes. */
function withoutComments(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|%.*$|\/\*[\s\S]*?\*\/|\/\\|\\\//gm, " ");
}

/** Whether a compiled model has float variables or constraints. */
export function hasFloats(model: FlatZinc): boolean {
  return floatsIn(model).length > 0;
}

/**
 * Returns the constraints for which this solver was not tested, except those on floats, which are not accepted anyway.
 */
function unmeasuredIn(model: FlatZinc, kind: Kind): string[] {
  const unmeasured = model.constraints.filter(
    (each) =>
      !isMeasured(kind, each.name) && !/float/.test(each.name) && !(kind === "chuffed" && takesTime(model, each)),
  );
  const inverses = kind === "chuffed" ? model.constraints.filter(isInverseBelowZero) : [];
  return [...new Set([...unmeasured, ...inverses].map(({ name }) => name))];
}

/** An inverse of a list with a negative index, for which Chuffed was found to be wrong. */
function isInverseBelowZero({ name, args: [, low, , other_low] }: Constraint): boolean {
  const isNegative = (each: Expression | undefined) => each?.kind === "number" && each.value.compare(zero) < 0;
  return name === "inverse_offsets" && (isNegative(low) || isNegative(other_low));
}

/**
 * Whether a constraint is about non-overlapping tasks that all have positive durations. Chuffed was tested on these,
 * but loses solutions if a task has duration zero.
 */
function takesTime(model: FlatZinc, { name, args: [, durations] }: Constraint): boolean {
  const elements = name === "chuffed_disjunctive_strict" ? elementsOf(model, durations) : undefined;
  return elements?.every((each) => each.kind === "number" && each.value.compare(zero) > 0) ?? false;
}

/**
 * Finds membership constraints on a constant set, for which MiniZinc 2.10 passes a wrong set to the solver. Gecode was
 * tested on them.
 */
function constantSets({ constraints, variables }: FlatZinc): string[] {
  const isConstant = (set: Expression | undefined) =>
    set?.kind === "set" || (set?.kind === "name" && !variables.has(set.name));
  const wrong = constraints.filter(
    ({ name, args: [, set] }) => /^set_in(?:_reif|_imp)?$/.test(name) && isConstant(set),
  );
  return [...new Set(wrong.map(({ name }) => `${name} with a constant set`))];
}

/** Finds sums implied by a constant `false`, which Chuffed wrongly enforces. */
function impliedByFalse({ constraints }: FlatZinc): string[] {
  const isFalse = (argument: Expression | undefined) => argument?.kind === "bool" && !argument.value;
  const fixed = new Set(
    constraints.flatMap(({ name, args: [a, b] }) =>
      name === "bool_eq" && a?.kind === "name" && isFalse(b) ? a.name : [],
    ),
  );
  const implied = constraints.filter(({ name, args }) => {
    const premise = args.at(-1);
    return (
      /^int_lin_\w+_imp$/.test(name) && (isFalse(premise) || (premise?.kind === "name" && fixed.has(premise.name)))
    );
  });
  return [...new Set(implied.map(({ name }) => `${name} with a constant premise`))];
}

/** The names of truth values, or lists of them, that are output but occur in no constraint. */
export function looseTruths(model: FlatZinc, names: Iterable<string>): string[] {
  const { objective } = model.goal;
  const expressions = [...model.constraints.flatMap(({ args }) => args), ...(objective ? [objective] : [])];
  const bound = new Set(expressions.flatMap((each) => namesIn(model, each)));
  const isLoose = (name: string) => model.variables.get(name)?.type === "bool" && !bound.has(name);
  const isShown = (name: string) => model.variables.get(name)?.output ?? model.arrays.get(name)?.output ?? false;
  return [...names].filter((name) => isShown(name) && namesIn(model, { kind: "name", name }).some(isLoose));
}

function namesIn(model: FlatZinc, expression: Expression): string[] {
  const elements = elementsOf(model, expression);
  if (elements) return elements.flatMap((each) => namesIn(model, each));
  return expression.kind === "name" ? [expression.name] : [];
}

/** The float variables, or else the constraints on floats. */
function floatsIn(model: FlatZinc): string[] {
  const variables = [...model.variables.values()].filter(({ type }) => type === "float");
  if (variables.length > 0) return variables.map(({ name }) => `${name} is a float`);
  const constraint = model.constraints.find(({ name }) => /float/.test(name));
  return constraint ? [`the model has ${constraint.name}`] : [];
}

/** Lists integer variables without bounds, and numbers that are too large. */
function beyond(model: FlatZinc, bounds: BoundsOf, reach: Reach): string[] {
  const limit = new Rational(BigInt(reach.values));
  const reasons: string[] = [];
  for (const { name, type } of model.variables.values()) {
    if (type !== "int") continue;
    const { low, high } = bounds.of({ kind: "name", name });
    const large = [low, high].filter((each) => each !== undefined && isBeyond(each, limit));
    if (!low || !high) reasons.push(`${name} has no bounds`);
    else if (large.length > 0)
      reasons.push(...large.map((each) => `${each?.over} is too large`), `${name} is too large`);
  }
  const numbers = model.constraints.flatMap(({ args }) => args.flatMap((arg) => numbersIn(model, arg)));
  const most = new Rational(BigInt(reach.constants));
  const large = numbers.filter(({ value }) => value.isWhole && isBeyond(value, most));
  return [...reasons, ...new Set(large.map(({ text }) => `${text} is too large`))];
}

function isBeyond(value: Rational, limit: Rational): boolean {
  return value.magnitude.compare(limit) > 0;
}

function numbersIn(model: FlatZinc, expression: Expression): Extract<Expression, { kind: "number" }>[] {
  if (expression.kind === "number") return [expression];
  return (elementsOf(model, expression) ?? []).filter((each) => each.kind === "number");
}

/** Finds divisions with remainder in which a number can be negative, since Chuffed assumes a non-negative remainder. */
function divisions(model: FlatZinc, bounds: BoundsOf): string[] {
  const isNegative = (expression: Expression | undefined) => {
    const { low } = bounds.of(expression);
    return !low || low.compare(zero) < 0;
  };
  const mixed_signs = model.constraints.filter(
    ({ name, args: [a, b] }) => /^int_(div|mod|pow)/.test(name) && (isNegative(a) || isNegative(b)),
  );
  return [...new Set(mixed_signs.map(({ name }) => `${name.replace("int_", "")} with numbers that may be negative`))];
}
