import { engine_limits } from "../../engines/limits.ts";
import {
  Arguments,
  type Comparison,
  definitionOf,
  equation,
  is_irrational,
  isSet,
  type Meant,
  numberOf,
  statementOf,
  type Value,
} from "./meaning.ts";
import { type Constraint, type Domain, type Expression, elementsOf, type FlatZinc, type Variable } from "./parse.ts";
import { one, Rational, zero } from "./rational.ts";
import { compared, Formula, Term, type Truth } from "./terms.ts";

/** The result of evaluating a solution in exact arithmetic on the compiled model. */
export interface Evaluation {
  /** The violated constraint on integers or truth values, as FlatZinc. */
  readonly broken: string | undefined;
  /** The largest violation of a float constraint, relative to its numbers; 0 if all hold exactly. */
  readonly excess: number;
  /** Names of the constraints that could not be checked. */
  readonly unchecked: readonly string[];
  /** The objective of these values, if it is known. */
  readonly objective: Rational | undefined;
  /** All values, including those that follow from the given ones. */
  readonly values: ReadonlyMap<string, Value>;
  /** The constraints that could not be checked, or that produced a value instead. */
  readonly open: readonly Constraint[];
  readonly defining: ReadonlySet<Constraint>;
}

/** A float constraint violated by more than this counts as broken; solvers work to 1e-6. */
export const float_tolerance = 1e-5;

/**
 * Evaluates an assignment of values to names in the compiled model. Variables introduced by the compiler are computed
 * from the constraints that define them.
 */
export function evaluate(model: FlatZinc, assignment: ReadonlyMap<string, Value>): Evaluation {
  return new Evaluator(model, assignment).run();
}

class Evaluator {
  readonly #model: FlatZinc;
  readonly #values = new Map<string, Value>();
  /** The floats returned by a solver or computed from such floats; only these are rounded. */
  readonly #rounded = new Set<string>();
  readonly #defining = new Set<Constraint>();
  #broken: string | undefined;
  #excess = zero;

  constructor(model: FlatZinc, assignment: ReadonlyMap<string, Value>) {
    this.#model = model;
    for (const [name, value] of assignment) {
      this.#values.set(name, value);
      if (model.variables.get(name)?.type === "float") this.#rounded.add(name);
    }
    for (const { name, type, domain } of model.variables.values()) {
      const [first] = domain ?? [];
      if (
        type !== "set" &&
        first &&
        domain?.length === 1 &&
        first.low.compare(first.high) === 0 &&
        !assignment.has(name)
      )
        this.#values.set(name, first.low);
    }
  }

  run(): Evaluation {
    let open = [...this.#model.constraints];
    for (let before = -1; before !== open.length; ) {
      before = open.length;
      open = open.filter((constraint) => !this.#settle(constraint));
    }
    for (const variable of this.#model.variables.values()) this.#checkDomain(variable);
    return {
      broken: this.#broken,
      excess: this.#excess.toNumber(),
      unchecked: [...new Set(open.map(({ name }) => name))],
      objective: numeric(this.#valueOf(this.#model.goal.objective)),
      values: this.#values,
      open,
      defining: this.#defining,
    };
  }

  /** Checks a constraint, or computes the single value that it leaves open; false as long as neither is possible. */
  #settle(constraint: Constraint): boolean {
    const { name, args } = constraint;
    const values = new Arguments(this.#model, args, (each) => this.#valueOf(each));
    const definition = definitionOf(name);
    if (definition) {
      const computed = definition.value(values);
      if (!isValue(computed)) return this.#isInverse(constraint);
      return this.#equate(args[definition.result], computed, constraint);
    }
    const [, relation = name, mode] = /^(.*?)_(reif|imp)$/.exec(name) ?? [];
    const truth = decided(statementOf(relation, values), /^float/.test(relation));
    if (!truth) return mode === undefined && this.#solve(constraint);
    const { holds, distance } = truth;
    // A strict inequality has no tolerance.
    if (mode === undefined) return this.#expect(holds, /_(lt|ne)$/.test(relation) ? undefined : distance, constraint);
    const result = args.at(-1);
    const value = this.#valueOf(result);
    if (typeof value === "boolean")
      return this.#expect(mode === "imp" ? holds || !value : holds === value, distance, constraint);
    // Near the boundary, the solver may have decided the other way, so values that depend on the comparison stay
    // unknown.
    const is_near = distance !== undefined && distance.toNumber() <= float_tolerance && this.#isRounded(constraint);
    // In an implication, a statement that holds says nothing about its condition.
    if ((mode === "imp" && holds) || is_near || result?.kind !== "name") return false;
    this.#values.set(result.name, holds);
    return true;
  }

  #expect(holds: boolean, distance: Rational | undefined, constraint: Constraint): true {
    if (holds) return true;
    if (distance && this.#isRounded(constraint) && distance.toNumber() <= float_tolerance) {
      if (distance.compare(this.#excess) > 0) this.#excess = distance;
    } else this.#broken ??= constraintText(constraint);
    return true;
  }

  #equate(target: Expression | undefined, computed: Value, constraint: Constraint): boolean {
    // An exclusive or with only two arguments has to hold.
    const known = target ? this.#valueOf(target) : true;
    if (known === undefined) {
      if (target?.kind !== "name") return false;
      this.#compute(target.name, computed, constraint);
      return true;
    }
    const truth = decided(equation(computed, known), /float/.test(constraint.name));
    return this.#expect(truth?.holds === true, truth?.distance, constraint);
  }

  /** Applies `int2float`, `bool2int` and `bool_not` in reverse. */
  #isInverse({ name, args: [source, result] }: Constraint): boolean {
    const value = this.#valueOf(result);
    if (source?.kind !== "name" || value === undefined) return false;
    const source_value =
      name === "bool2int" && value instanceof Rational
        ? value.over !== 0n
        : name === "int2float" && value instanceof Rational && value.isWhole
          ? value
          : name === "bool_not" && typeof value === "boolean"
            ? !value
            : undefined;
    if (source_value === undefined || this.#values.has(source.name)) return false;
    this.#values.set(source.name, source_value);
    return true;
  }

  /** Computes the only open value of a sum or an equation. */
  #solve(constraint: Constraint): boolean {
    const { name, args } = constraint;
    const [a, b, c] = args;
    if (name === "int_eq" || name === "float_eq" || name === "bool_eq") {
      const [left, right] = [this.#valueOf(a), this.#valueOf(b)];
      if (left !== undefined) return this.#equate(b, left, constraint);
      return right !== undefined && this.#equate(a, right, constraint);
    }
    if (name !== "int_lin_eq" && name !== "float_lin_eq") return false;
    const coefficients = elementsOf(this.#model, a)?.map((each) => numeric(this.#valueOf(each)));
    const variables = elementsOf(this.#model, b);
    const total = numeric(this.#valueOf(c));
    if (!coefficients || !variables || !total) return false;
    const values = variables.map((each) => numeric(this.#valueOf(each)));
    const open = values.flatMap((value, i) => (value === undefined ? [i] : []));
    const [only] = open;
    const target = only === undefined ? undefined : variables[only];
    if (open.length !== 1 || only === undefined || target?.kind !== "name") return false;
    const known = values.reduce<Rational>((sum, x, i) => (x ? sum.plus(x.times(coefficients[i] ?? zero)) : sum), zero);
    const solution = total.minus(known).by(coefficients[only] ?? zero);
    if (!solution) return false;
    if (name === "int_lin_eq" && !solution.isWhole) return this.#expect(false, undefined, constraint);
    this.#compute(target.name, solution, constraint);
    return true;
  }

  /** Sets a value that follows from those in a constraint. */
  #compute(name: string, value: Value, constraint: Constraint): void {
    if (this.#model.variables.get(name)?.type === "float" && this.#isRounded(constraint)) this.#rounded.add(name);
    this.#values.set(name, value);
  }

  /** Whether a constraint involves values or numbers that were rounded, by a solver, by the compiler or here. */
  #isRounded({ name, args }: Constraint): boolean {
    if (args.length === 0 || is_irrational.test(name)) return true;
    const all = args.flatMap((arg) => [arg, ...(elementsOf(this.#model, arg) ?? [])]);
    return all.some(
      (each) =>
        (each.kind === "name" && this.#rounded.has(each.name)) ||
        (each.kind === "number" && !each.substituted && !each.value.isWhole),
    );
  }

  #checkDomain(variable: Variable): void {
    const { name, type, domain } = variable;
    const value = this.#values.get(name);
    if (!domain || value === undefined || type === "bool") return;
    const elements = isSet(value) ? value : [numeric(value) ?? zero];
    for (const each of elements) {
      const distance = distanceTo(each, domain);
      const constraint = { name: `the domain of ${name}`, args: [] };
      this.#expect(distance.over === 0n, type === "float" ? distance : undefined, constraint);
    }
  }

  #valueOf(expression: Expression | undefined): Value | undefined {
    if (expression?.kind === "number" || expression?.kind === "bool") return expression.value;
    if (expression?.kind === "set") return written(expression.ranges);
    return expression?.kind === "name" ? this.#values.get(expression.name) : undefined;
  }
}

/** Whether a statement about known values holds, and its distance from the opposite; undefined if it is not decided. */
function decided(
  statement: Truth | Comparison | undefined,
  is_float: boolean,
): { readonly holds: boolean; readonly distance?: Rational } | undefined {
  if (statement === undefined || statement instanceof Formula) return undefined;
  if (typeof statement === "boolean") return { holds: statement };
  const { sign, left, right, parts } = statement;
  const holds = compared(sign, left, right);
  if (holds instanceof Formula || !(left instanceof Rational) || !(right instanceof Rational)) return undefined;
  // Relations on integers have no distance, so no tolerance applies.
  if (!is_float) return { holds };
  const sizes = [left, right, ...parts].filter((each) => each instanceof Rational);
  return { holds, distance: relative(left.minus(right), sizes) };
}

/** A difference relative to the compared numbers, or absolute if they are smaller than 1. */
function relative(difference: Rational, sizes: readonly Rational[]): Rational {
  const size = sizes.reduce((most, { magnitude }) => (magnitude.compare(most) > 0 ? magnitude : most), one);
  return difference.magnitude.by(size) ?? zero;
}

function isValue(meant: Meant | undefined): meant is Value {
  return meant !== undefined && !(meant instanceof Term) && !(meant instanceof Formula);
}

/** A number, or a truth value as 0 or 1. */
function numeric(value: Value | undefined): Rational | undefined {
  const number = numberOf(value);
  return number instanceof Rational ? number : undefined;
}

/** The elements of a set written as ranges; undefined if it is too large to expand. */
function written(ranges: Domain): Rational[] | undefined {
  const size = ranges.reduce((sum, { low, high }) => sum + high.floor - low.ceil + 1n, 0n);
  if (size > BigInt(engine_limits.minizinc_set_elements_max)) return undefined;
  return ranges.flatMap(({ low, high }) =>
    Array.from({ length: Number(high.floor - low.ceil + 1n) }, (_, i) => new Rational(low.ceil + BigInt(i))),
  );
}

function distanceTo(value: Rational, domain: Domain): Rational {
  const distances = domain.map(({ low, high }) =>
    value.compare(low) < 0
      ? relative(low.minus(value), [low, value])
      : value.compare(high) > 0
        ? relative(value.minus(high), [high, value])
        : zero,
  );
  return distances.reduce((least, each) => (each.compare(least) < 0 ? each : least), distances[0] ?? zero);
}

function constraintText({ name, args }: Constraint): string {
  return args.length === 0 ? name : `${name}(${args.map(shown).join(", ")})`;
}

function shown(expression: Expression): string {
  switch (expression.kind) {
    case "name":
      // Names introduced by the compiler mean nothing to a reader of the model.
      return /^X_INTRODUCED_/.test(expression.name) ? "…" : expression.name;
    case "number":
      return expression.text;
    case "bool":
      return String(expression.value);
    case "set":
      return "{…}";
    case "array":
      return `[${expression.elements.slice(0, shown_max).map(shown).join(", ")}${expression.elements.length > shown_max ? ", …" : ""}]`;
  }
}

/** The number of list elements shown. */
const shown_max = 8;
