import type { Token } from "./tokens.ts";

/** Returns a bound on the absolute value of a variable or constant. */
export type BoundOf = (name: string) => number;

/**
 * Bounds the absolute value of every result that the terms among these tokens compute, including results of subterms.
 * Atoms and tuples do not count as numbers, and tokens that are not part of a term are skipped. For the operator
 * precedences, see the Potassco guide, section 3.1.7.
 */
export function largestResult(tokens: readonly Token[], bound: BoundOf): number {
  return new Terms(tokens, bound).largest();
}

/** The binary operators by precedence, loosest first. */
const levels: readonly (readonly string[])[] = [[".."], ["^"], ["?"], ["&"], ["+", "-"], ["*", "/", "\\"]];

/** The maximum depth of a term; deeper terms are not parsed, and count as too large. */
const depth_max = 200;

class Terms {
  readonly #tokens: readonly Token[];
  readonly #bound: BoundOf;
  #at = 0;
  #depth = 0;
  #largest = 0;

  constructor(tokens: readonly Token[], bound: BoundOf) {
    this.#tokens = tokens;
    this.#bound = bound;
  }

  largest(): number {
    this.#termsUntil(undefined);
    return this.#largest;
  }

  /** Parses several terms up to a closing bracket, and returns the largest bound. */
  #termsUntil(end: string | undefined): number {
    let most = 0;
    while (this.#at < this.#tokens.length && (end === undefined || this.#next !== end)) {
      const before = this.#at;
      most = Math.max(most, this.#term(0));
      if (this.#at === before) this.#at++;
    }
    this.#at++;
    return most;
  }

  get #next(): string | undefined {
    return this.#tokens[this.#at]?.text;
  }

  #term(level: number): number {
    const signs = levels[level];
    if (!signs) return this.#power();
    let left = this.#term(level + 1);
    for (let sign = this.#next; sign !== undefined && signs.includes(sign); sign = this.#next) {
      this.#at++;
      left = this.#noted(combine(sign, left, this.#term(level + 1)));
    }
    return left;
  }

  #power(): number {
    const base = this.#operand();
    if (this.#next !== "**") return base;
    this.#at++;
    return this.#noted(this.#deeper(() => combine("**", base, this.#power())));
  }

  #operand(): number {
    const token = this.#tokens[this.#at];
    if (!token) return 0;
    if (token.kind === "sign") return this.#signed(token.text);
    this.#at++;
    if (token.kind === "number") return this.#noted(Number(token.text));
    if (token.kind === "name" && this.#next === "(") {
      this.#at++;
      this.#deeper(() => this.#termsUntil(")"));
      return 1;
    }
    return token.kind === "name" || token.kind === "variable" ? this.#noted(this.#bound(token.text)) : 1;
  }

  #signed(sign: string): number {
    if (!/^[-~(|]$/.test(sign)) return 0;
    this.#at++;
    if (sign === "-") return this.#deeper(() => this.#operand());
    if (sign === "~") return this.#noted(1 + this.#deeper(() => this.#operand()));
    if (sign === "(") return this.#deeper(() => this.#termsUntil(")"));
    const inside = this.#deeper(() => this.#term(0));
    if (this.#next === "|") this.#at++;
    return inside;
  }

  #deeper(read: () => number): number {
    if (this.#depth >= depth_max) {
      this.#at = this.#tokens.length;
      return this.#noted(Number.POSITIVE_INFINITY);
    }
    this.#depth++;
    const result = read();
    this.#depth--;
    return result;
  }

  #noted(result: number): number {
    this.#largest = Math.max(this.#largest, result);
    return result;
  }
}

/** Bounds an operator's result, given bounds on its operands. */
function combine(sign: string, left: number, right: number): number {
  switch (sign) {
    case "+":
    case "-":
      return left + right;
    case "*":
      return left === 0 || right === 0 ? 0 : left * right;
    case "/":
      return left;
    case "\\":
      return Math.min(left, right);
    case "**":
      return left <= 1 ? 1 : left ** right;
    case "..":
      return Math.max(left, right);
    default:
      // Bitwise operations act on the two's complement representation of the numbers.
      return 2 * Math.max(left, right) + 1;
  }
}
