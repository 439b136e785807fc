import { type Constraint, type Expression, elementsOf, type FlatZinc, type Variable } from "./parse.ts";
import { one, type Rational, zero } from "./rational.ts";

/** The known bounds of a variable; an unknown side is omitted. */
export interface Bounds {
  readonly low?: Rational | undefined;
  readonly high?: Rational | undefined;
}

/** The maximum number of passes over all constraints; chains of definitions are rarely longer. */
const rounds_max = 50;

/**
 * The bounds of all variables: the declared bounds, or for a side without one, the bound that follows from the
 * constraints. Given a known solution's objective value, the bounds apply to all solutions that are at least as good.
 */
export class BoundsOf {
  readonly #model: FlatZinc;
  readonly #known = new Map<string, Bounds>();

  constructor(model: FlatZinc, best?: Rational) {
    this.#model = model;
    for (const variable of model.variables.values()) this.#known.set(variable.name, declared(variable));
    const { kind, objective } = model.goal;
    if (best && objective?.kind === "name" && kind !== "satisfy")
      this.#narrow(objective, kind === "minimize" ? { high: best } : { low: best });
    for (let round = 0; round < rounds_max && this.#unbounded().length > 0; round++)
      if (!model.constraints.map((each) => this.#follow(each)).includes(true)) return;
  }

  of(expression: Expression | undefined): Bounds {
    if (expression?.kind === "number") return { low: expression.value, high: expression.value };
    if (expression?.kind === "name") return this.#known.get(expression.name) ?? {};
    return {};
  }

  get all(): ReadonlyMap<string, Bounds> {
    return this.#known;
  }

  #unbounded(): string[] {
    return [...this.#known].filter(([, { low, high }]) => !low || !high).map(([name]) => name);
  }

  /** Sets bounds on sides that have none yet; returns whether anything changed. */
  #narrow(expression: Expression | undefined, { low, high }: Bounds): boolean {
    if (expression?.kind !== "name") return false;
    const now = this.#known.get(expression.name);
    if (!now || !((low && !now.low) || (high && !now.high))) return false;
    this.#known.set(expression.name, { low: now.low ?? low, high: now.high ?? high });
    return true;
  }

  #follow({ name, args }: Constraint): boolean {
    const [a, b, c] = args;
    switch (name) {
      case "int_lin_eq":
      case "int_lin_le":
        return this.#sum(elementsOf(this.#model, a), elementsOf(this.#model, b), this.of(c), name === "int_lin_eq");
      case "int_le":
      case "int_lt": {
        const up = this.#narrow(a, { high: this.of(b).high });
        return this.#narrow(b, { low: this.of(a).low }) || up;
      }
      case "int_eq":
      case "bool2int": {
        const both = this.#narrow(a, this.of(b));
        return this.#narrow(b, this.of(a)) || both;
      }
      case "int_plus":
        return this.#narrow(
          c,
          corners(this.of(a), this.of(b), (x, y) => x.plus(y)),
        );
      case "int_times":
        return this.#product(a, b, c);
      case "int_div":
        return this.#narrow(c, symmetricBounds(this.#size(a)));
      case "int_mod":
        return this.#narrow(c, symmetricBounds(this.#size(b) ?? this.#size(a)));
      case "int_abs": {
        const inward = this.#narrow(a, symmetricBounds(this.of(b).high));
        return this.#narrow(b, { low: zero, high: this.#size(a) }) || inward;
      }
      case "int_min":
      case "int_max":
        return this.#narrow(c, this.#among([a, b]));
      case "array_int_minimum":
      case "array_int_maximum":
      case "chuffed_array_int_minimum":
      case "chuffed_array_int_maximum":
        return this.#narrow(a, this.#among(elementsOf(this.#model, b)));
      case "array_int_element":
      case "array_var_int_element":
        return this.#narrow(c, this.#among(elementsOf(this.#model, b)));
      default:
        return false;
    }
  }

  /** The largest absolute value, if both bounds are known. */
  #size(expression: Expression | undefined): Rational | undefined {
    const { low, high } = this.of(expression);
    return low && high && largest(low.magnitude, high.magnitude);
  }

  /** The bounds of a value that is one of these elements. */
  #among(elements: readonly (Expression | undefined)[] | undefined): Bounds {
    if (!elements || elements.length === 0) return {};
    return elements
      .map((each) => this.of(each))
      .reduce(({ low, high }, each) => ({
        low: low && each.low && smallest(low, each.low),
        high: high && each.high && largest(high, each.high),
      }));
  }

  #product(a: Expression | undefined, b: Expression | undefined, c: Expression | undefined): boolean {
    const forward = this.#narrow(
      c,
      corners(this.of(a), this.of(b), (x, y) => x.times(y)),
    );
    const size = symmetricBounds(this.#size(c));
    const same = a?.kind === "name" && b?.kind === "name" && a.name === b.name;
    // A factor is at most as large as the product, unless the other factor is 0.
    const left = (same || this.#isNot0(b)) && this.#narrow(a, size);
    return (this.#isNot0(a) && this.#narrow(b, size)) || left || forward;
  }

  #isNot0(expression: Expression | undefined): boolean {
    const { low, high } = this.of(expression);
    return (low !== undefined && low.compare(zero) > 0) || (high !== undefined && high.compare(zero) < 0);
  }

  /** Narrows `c1*x1 + … = k` or `≤ k`, for each variable with an open side. */
  #sum(
    coefficients: readonly Expression[] | undefined,
    variables: readonly Expression[] | undefined,
    { low: total }: Bounds,
    exact: boolean,
  ): boolean {
    if (!coefficients || !variables || !total) return false;
    const terms = variables.map((variable, i) => {
      const coefficient = coefficients[i];
      const factor = coefficient?.kind === "number" ? coefficient.value : zero;
      return { variable, factor, ...scaled(this.of(variable), factor) };
    });
    const lows = totalOf(terms.map(({ low }) => low));
    const highs = exact ? totalOf(terms.map(({ high }) => high)) : { sum: zero, open: 2 };
    let grew = false;
    for (const { variable, factor, low, high } of terms) {
      if (factor.over === 0n) continue;
      const most = restOf(lows, low)?.negated.plus(total).by(factor);
      const least = restOf(highs, high)?.negated.plus(total).by(factor);
      const range = factor.over > 0n ? { high: most, low: least } : { low: most, high: least };
      grew = this.#narrow(variable, range) || grew;
    }
    return grew;
  }
}

function declared({ type, domain }: Variable): Bounds {
  // Only numbers have bounds; a set's domain bounds its elements, and a bool is 0 or 1.
  if (type === "bool") return { low: zero, high: one };
  return { low: domain?.[0]?.low, high: domain?.at(-1)?.high };
}

function smallest(a: Rational, b: Rational): Rational {
  return a.compare(b) < 0 ? a : b;
}

function largest(a: Rational, b: Rational): Rational {
  return a.compare(b) > 0 ? a : b;
}

function symmetricBounds(size: Rational | undefined): Bounds {
  return size ? { low: size.negated, high: size } : {};
}

/** The bounds of an operation whose extremes are at the ends of its arguments' ranges. */
function corners(a: Bounds, b: Bounds, combine: (x: Rational, y: Rational) => Rational): Bounds {
  if (!a.low || !a.high || !b.low || !b.high) return {};
  const all = [combine(a.low, b.low), combine(a.low, b.high), combine(a.high, b.low), combine(a.high, b.high)];
  return { low: all.reduce(smallest), high: all.reduce(largest) };
}

function scaled({ low, high }: Bounds, factor: Rational): Bounds {
  if (factor.over === 0n) return { low: zero, high: zero };
  const [from, to] = [low?.times(factor), high?.times(factor)];
  return factor.over > 0n ? { low: from, high: to } : { low: to, high: from };
}

/** The sum of the known parts, and the number of unknown ones. */
function totalOf(parts: readonly (Rational | undefined)[]): { sum: Rational; open: number } {
  const known = parts.filter((each) => each !== undefined);
  return { sum: known.reduce((sum, each) => sum.plus(each), zero), open: parts.length - known.length };
}

/** The sum of all parts but one; undefined if another one is unknown. */
function restOf({ sum, open }: { sum: Rational; open: number }, part: Rational | undefined): Rational | undefined {
  if (part) return open === 0 ? sum.minus(part) : undefined;
  return open === 1 ? sum : undefined;
}
