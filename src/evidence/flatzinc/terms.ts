import { one, Rational, zero } from "./rational.ts";

/** An SMT-LIB term for an unknown number. */
export class Term {
  readonly text: string;
  readonly is_real: boolean;

  constructor(text: string, is_real: boolean) {
    this.text = text;
    this.is_real = is_real;
  }
}

/** An SMT-LIB formula for an unknown truth value. */
export class Formula {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A number or a truth value, either computed exactly or in SMT-LIB. */
export type Num = Rational | Term;
export type Truth = boolean | Formula;

export type Sign = "eq" | "ne" | "le" | "lt" | "ge" | "gt";

/** Each sign's SMT-LIB notation, and whether it holds for a given order of two numbers. */
const signs: Readonly<Record<Sign, { readonly symbol: string; readonly holds: (by: number) => boolean }>> = {
  eq: { symbol: "=", holds: (by) => by === 0 },
  ne: { symbol: "distinct", holds: (by) => by !== 0 },
  le: { symbol: "<=", holds: (by) => by <= 0 },
  lt: { symbol: "<", holds: (by) => by < 0 },
  ge: { symbol: ">=", holds: (by) => by >= 0 },
  gt: { symbol: ">", holds: (by) => by > 0 },
};

export function compared(sign: Sign, a: Num, b: Num): Truth {
  const { symbol, holds } = signs[sign];
  if (a instanceof Rational && b instanceof Rational) return holds(a.compare(b));
  return new Formula(operated(symbol, [a, b]).text);
}

export function equal(a: Num, b: Num): Truth {
  return compared("eq", a, b);
}

export function plus(a: Num, b: Num): Num {
  return total([a, b]);
}

/** The sum of all numbers; 0 if there are none. */
export function total(parts: readonly Num[]): Num {
  const known = parts.filter((each) => each instanceof Rational).reduce((sum, each) => sum.plus(each), zero);
  const open = parts.filter((each) => each instanceof Term);
  const [first, second] = open;
  if (!first) return known;
  if (!second && known.over === 0n) return first;
  return operated("+", known.over === 0n ? open : [...open, known]);
}

export function minus(a: Num, b: Num): Num {
  if (a instanceof Rational && b instanceof Rational) return a.minus(b);
  return operated("-", [a, b]);
}

export function times(a: Num, b: Num): Num {
  if (a instanceof Rational && b instanceof Rational) return a.times(b);
  if (isNumber(a, zero) || isNumber(b, zero)) return zero;
  if (isNumber(a, one)) return b;
  return isNumber(b, one) ? a : operated("*", [a, b]);
}

/** The quotient rounded towards 0, as in MiniZinc; undefined if the divisor is 0. */
export function quotient(a: Num, b: Num): Num | undefined {
  if (isNumber(b, zero)) return undefined;
  if (a instanceof Rational && b instanceof Rational) return new Rational(a.over / b.over);
  // SMT-LIB's own division has a non-negative remainder.
  const of = (dividend: Num) => operated("div", [dividend, b]);
  return chosen(compared("ge", a, zero), of(a), minus(zero, of(minus(zero, a))));
}

export function toReal(a: Num): Num {
  return a instanceof Rational || a.is_real ? a : new Term(`(to_real ${a.text})`, true);
}

/** One of two numbers, depending on a condition. */
export function chosen(condition: Truth, yes: Num, no: Num): Num {
  if (typeof condition === "boolean") return condition ? yes : no;
  const is_real = isReal([yes, no]);
  return new Term(`(ite ${condition.text} ${written(yes, is_real)} ${written(no, is_real)})`, is_real);
}

export function not(truth: Truth): Truth {
  return typeof truth === "boolean" ? !truth : new Formula(`(not ${truth.text})`);
}

export function all(truths: readonly Truth[]): Truth {
  return joined("and", truths, true);
}

export function any(truths: readonly Truth[]): Truth {
  return joined("or", truths, false);
}

export function same(a: Truth, b: Truth): Truth {
  if (typeof a === "boolean") return a ? b : not(b);
  if (typeof b === "boolean") return b ? a : not(a);
  return new Formula(`(= ${a.text} ${b.text})`);
}

/** Whether all these numbers differ. */
export function distinct(list: readonly Num[]): Truth {
  const known = list.filter((each) => each instanceof Rational).map(({ over, under }) => `${over}/${under}`);
  if (new Set(known).size < known.length) return false;
  return known.length === list.length || list.length < 2 || new Formula(operated("distinct", list).text);
}

/** A truth value as 0 or 1. */
export function asNumber(truth: Truth): Num {
  return chosen(truth, one, zero);
}

/** A number in SMT-LIB, as an integer or a real. */
export function written(value: Num, is_real: boolean): string {
  if (value instanceof Term) return value.text;
  if (is_real || !value.isWhole) return value.toSmtlib();
  return value.over < 0n ? `(- ${-value.over})` : String(value.over);
}

export function isReal(values: readonly Num[]): boolean {
  return values.some((each) => (each instanceof Term ? each.is_real : !each.isWhole));
}

function operated(sign: string, values: readonly Num[]): Term {
  const is_real = isReal(values);
  return new Term(`(${sign} ${values.map((each) => written(each, is_real)).join(" ")})`, is_real);
}

/** A conjunction or a disjunction; `neutral` is its value for an empty list. */
function joined(sign: "and" | "or", truths: readonly Truth[], neutral: boolean): Truth {
  if (truths.includes(!neutral)) return !neutral;
  const open = truths.filter((each) => each instanceof Formula);
  const [first] = open;
  if (!first) return neutral;
  return open.length === 1 ? first : new Formula(`(${sign} ${open.map(({ text }) => text).join(" ")})`);
}

function isNumber(value: Num, number: Rational): boolean {
  return value instanceof Rational && value.compare(number) === 0;
}
