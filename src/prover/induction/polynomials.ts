/** Finds equations with integer coefficients between columns of numbers: the null space of their products. */
import type { TimeBudget } from "../ask/time_budget.ts";
import type { Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";

interface Rational {
  readonly over: bigint;
  readonly under: bigint;
}

export interface Fitted {
  readonly equations: readonly Term[];
  /** Terms that a linear equation expresses by other terms. */
  readonly dependent: ReadonlySet<Term>;
}

/** The required number of rows beyond the number of unknowns. An equation through few points means little. */
const rows_spare = 8;

/** Returns all equations between the given products of terms that hold in every row. */
export async function fitted(
  t: Terms,
  products: readonly (readonly Term[])[],
  column: (term: Term) => bigint[],
  budget: TimeBudget,
): Promise<Fitted> {
  const [first] = products.flat();
  const count = first ? column(first).length : 0;
  const columns = products.map((product) => multiply(product.map(column), count));
  const rows = distinct(Array.from({ length: count }, (_, i) => columns.map((values) => values[i] ?? 0n)));
  if (rows.length < products.length + rows_spare && rows.length < 2 * products.length)
    return { equations: [], dependent: new Set() };
  const { reduced, pivots } = await reduce(rows, products.length, budget);
  const equations: Term[] = [];
  const dependent = new Set<Term>();
  for (const [free, product] of products.entries()) {
    if (pivots.includes(free)) continue;
    const [only, ...more] = product;
    if (only && more.length === 0) dependent.add(only);
    equations.push(equation(t, products, reduced, pivots, free));
  }
  return { equations, dependent };
}

/** Returns the products of terms up to a degree, the constant first. */
export function productsOf(terms: readonly Term[], degree: number): Term[][] {
  let last: Term[][] = [[]];
  const all: Term[][] = [[]];
  for (let d = 0; d < degree; d++) {
    last = last.flatMap((product) => {
      const latest = product.at(-1);
      return terms.slice(latest ? terms.indexOf(latest) : 0).map((term) => [...product, term]);
    });
    all.push(...last);
  }
  return all;
}

/** Returns the powers of one term up to a degree, followed by another term that may depend on them. */
export function besidePowers(term: Term, of: Term, degree: number): Term[][] {
  return [...Array.from({ length: degree + 1 }, (_, power) => Array.from({ length: power }, () => of)), [term]];
}

function multiply(factors: readonly bigint[][], count: number): bigint[] {
  return Array.from({ length: count }, (_, i) => factors.reduce((product, each) => product * (each[i] ?? 0n), 1n));
}

function distinct(rows: readonly bigint[][]): bigint[][] {
  return [...new Map(rows.map((row) => [row.join(), row])).values()];
}

/** Runs Gauss-Jordan elimination over the rationals. The leftmost columns become pivots. */
async function reduce(
  rows: readonly bigint[][],
  width: number,
  budget: TimeBudget,
): Promise<{ reduced: Rational[][]; pivots: number[] }> {
  const reduced: Rational[][] = [];
  const pivots: number[] = [];
  for (const row of rows) {
    budget.check();
    let rest = row.map((over): Rational => ({ over, under: 1n }));
    for (const [i, pivot] of pivots.entries()) rest = minus(rest, reduced[i] ?? [], rest[pivot] ?? zero);
    const at = rest.findIndex(({ over }) => over !== 0n);
    if (at < 0) continue;
    const lead = rest[at] ?? zero;
    const scaled = rest.map((each) => divide(each, lead));
    for (const [i, other] of reduced.entries()) reduced[i] = minus(other, scaled, other[at] ?? zero);
    reduced.push(scaled);
    pivots.push(at);
    if (pivots.length === width) break;
  }
  return { reduced, pivots };
}

const zero: Rational = { over: 0n, under: 1n };

function normal(over: bigint, under: bigint): Rational {
  const divisor = gcd(over < 0n ? -over : over, under < 0n ? -under : under);
  const sign = under < 0n ? -1n : 1n;
  return divisor === 0n ? zero : { over: (sign * over) / divisor, under: (sign * under) / divisor };
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}

function divide(a: Rational, b: Rational): Rational {
  return normal(a.over * b.under, a.under * b.over);
}

/** Computes `a - factor * b` component by component. */
function minus(a: readonly Rational[], b: readonly Rational[], factor: Rational): Rational[] {
  if (factor.over === 0n) return [...a];
  return a.map((x, i) => {
    const y = b[i] ?? zero;
    return normal(x.over * factor.under * y.under - factor.over * y.over * x.under, x.under * factor.under * y.under);
  });
}

/** Returns the equation that expresses the free product by the pivot products, as the reduced rows determine it. */
function equation(
  t: Terms,
  products: readonly (readonly Term[])[],
  reduced: readonly Rational[][],
  pivots: readonly number[],
  free: number,
): Term {
  const parts = pivots.map((pivot, i) => ({ product: products[pivot] ?? [], factor: reduced[i]?.[free] ?? zero }));
  const under = parts.reduce((least, { factor }) => (least / gcd(least, factor.under)) * factor.under, 1n);
  const product = (terms: readonly Term[], factor: bigint) =>
    terms.reduce((all, term) => t.mul(all, term), t.int(factor));
  // The null vector has 1 at the free position, and the negated entries of the pivot rows at the pivots.
  const sum = parts.reduce(
    (all, { product: terms, factor }) => t.sub(all, product(terms, (factor.over * under) / factor.under)),
    product(products[free] ?? [], under),
  );
  return t.eq(sum, t.zero);
}
