import * as z from "zod/v4";
import { parseExactJson, writeExactJson } from "../../engines/minizinc/read.ts";
import { unless } from "../../kernel/unless.ts";
import { one, Rational } from "../flatzinc/rational.ts";
import { type Declaration, declarationsIn } from "./declarations.ts";
import type { Text } from "./fixed.ts";
import { type Statement, solveItemOf, statementsOf } from "./statements.ts";
import { closingOf, enclosingOf, endOf, endOfLevel, outside, type Token, type Tokens } from "./tokens.ts";

/**
 * A model in which every float is replaced with an unbounded variable. MiniZinc's compiler computes in rounded doubles,
 * but it can then decide nothing about floats. The exact values are inserted into the compiled model.
 */
export interface Lifted {
  readonly source: string;
  readonly data: readonly string[];
  /** The exact values of the variables that replace the floats in the model and its data. */
  readonly values: ReadonlyMap<string, Rational>;
}

const prefix = "verdict_";

/** Functions of one float whose results the compiler would round. */
const rounded = /^(?:sqrt|exp|ln|log2|log10|a?(?:sin|cos|tan)h?)$/;
/** Functions that convert floats to integers, which MiniZinc supports for parameters only. */
const to_whole = /^(?:ceil|floor|round)$/;
/** Functions that don't accept variables, or that draw random numbers. */
const without_variables = /^(?:log|uniform|normal|exponential|gamma|weibull|poisson|lognormal|chisquared|cauchy)$/;

/** Definitions of the functions that a lifted model uses. */
const functions = `
predicate assert(var bool: b, string: s) = b;
predicate assert(var bool: b, string: s, var bool: c) = b /\\ c;
function var int: ${prefix}floor(var float: x) =
  let { var int: r; constraint int2float(r) <= x /\\ x < int2float(r + 1); } in r;
function var int: ${prefix}ceil(var float: x) =
  let { var int: r; constraint int2float(r - 1) < x /\\ x <= int2float(r); } in r;
function var int: ${prefix}round(var float: x) =
  let { var int: r; constraint
    (x >= 0 -> 2 * r - 1 <= 2 * x /\\ 2 * x < 2 * r + 1) /\\ (x < 0 -> 2 * r - 1 < 2 * x /\\ 2 * x <= 2 * r + 1);
  } in r;
`;

/** Rewrites a model with variables instead of floats; undefined if part of it can't be rewritten. */
export function lift({ source, data }: Text): Lifted | undefined {
  return unless(NotLifted, () => {
    if (source.includes(prefix)) return undefined;
    return new Lifting(source, data).lifted();
  });
}

class Lifting {
  readonly #source: string;
  readonly #statements: readonly Statement[];
  readonly #data: readonly Record<string, unknown>[];
  /** The numbers of the variables, from 1, by their values. */
  readonly #numbers = new Map<string, number>();
  readonly #values = new Map<string, Rational>();
  /** The texts to insert into the source, by offset. */
  readonly #inserted = new Map<number, string>();
  readonly #replaced = new Map<number, { readonly end: number; readonly text: string }>();
  /** The declarations of float parameters, and their names. */
  readonly #declared: ReadonlyMap<Statement, Declaration>;
  readonly #parameters: ReadonlySet<string>;
  #tables = false;

  constructor(source: string, data: readonly string[]) {
    this.#source = source;
    this.#statements = statementsOf([source]);
    const declared = declarationsIn(this.#statements).filter(({ type }) => isFloatParameter(type));
    this.#declared = new Map(declared.map((each) => [each.statement, each]));
    this.#parameters = new Set(declared.map(({ name }) => name.text));
    this.#data = data.map((text) => z.record(z.string(), z.unknown()).parse(parseExactJson(text)));
  }

  lifted(): Lifted {
    for (const statement of this.#statements) this.#statement(statement);
    const variables = [...this.#values.keys()];
    // The table lists the variables in the same order as the values.
    const table = `array[1..${variables.length}] of var float: ${prefix}all = [${variables.join(", ")}];\n`;
    // If a model has output items, the compiler may omit all other variables.
    const shown = this.#source.includes("add_to_output") ? " :: add_to_output" : "";
    const own =
      variables.map((name) => `var float: ${name}${shown};\n`).join("") + (this.#tables ? table : "") + functions;
    return { source: `${this.#text()}\n${own}`, data: this.#data.map(writeExactJson), values: this.#values };
  }

  #statement(statement: Statement): void {
    const { tokens, start, end } = statement;
    const first = tokens[0]?.text;
    if (first === "include") return;
    if (first === "output") this.#replace(start, end, "");
    else if (first === "solve") {
      const { word, objective = [] } = solveItemOf([statement]) ?? {};
      if (word) this.#replace(start, word.start, "solve ");
      this.#tokens(objective);
    } else if (!this.#isInData(statement)) this.#tokens(tokens);
  }

  /**
   * Whether a statement declares a parameter with floats whose value comes from data; the data then contains, instead
   * of each float, the number of the variable that replaces it.
   */
  #isInData(statement: Statement): boolean {
    const { tokens, start } = statement;
    const { name: { text: name } = { text: "" }, type = [] } = this.#declared.get(statement) ?? {};
    const values = this.#data.find((each) => Object.hasOwn(each, name));
    if (!values || type.length === 0) return false;
    const [value, colon] = [values[name], tokens[type.length]?.start ?? 0];
    delete values[name];
    if (!Array.isArray(value)) {
      this.#replace(start, colon, "var float");
      this.#define(tokens, this.#variable(rationalOf(value)));
      return true;
    }
    const indexes = this.#source.slice(start, type.find(({ text }) => text === "of")?.start);
    const at = `${prefix}at_${name}`;
    values[at] = this.#numbered(value);
    this.#tables = true;
    this.#replace(start, colon, `${indexes} of int: ${at}; ${indexes} of var float`);
    this.#define(tokens, `arrayXd(${at}, [${prefix}all[i] | i in array1d(${at})])`);
    return true;
  }

  /** Adds a value at the end of a declaration. */
  #define(tokens: Tokens, value: string): void {
    const last = tokens.at(-1);
    this.#insert(last?.text === ";" ? last.start : endOf(last), ` = ${value}`);
  }

  #numbered(value: unknown): unknown {
    return Array.isArray(value) ? value.map((each) => this.#numbered(each)) : this.#numberOf(rationalOf(value));
  }

  /** The number of the variable that replaces a value, the same one for every occurrence. */
  #numberOf(value: Rational): number {
    const key = `${value.over}/${value.under}`;
    const number = this.#numbers.get(key) ?? this.#numbers.size + 1;
    if (number > this.#numbers.size) {
      this.#numbers.set(key, number);
      this.#values.set(`${prefix}f${number}`, value);
    }
    return number;
  }

  #variable(value: Rational): string {
    return `${prefix}f${this.#numberOf(value)}`;
  }

  get #one(): string {
    return this.#variable(one);
  }

  #tokens(tokens: Tokens): void {
    const domains = floatDomains(tokens, this.#parameters);
    const isInside = (i: number) => domains.some(({ first, last }) => first <= i && i <= last);
    for (const [i, token] of tokens.entries()) {
      const { kind, text, start } = token;
      if (isInside(i)) continue;
      if (isDecimal(token)) {
        const value = Rational.read(text);
        if (!value) throw new NotLifted();
        this.#replace(start, endOf(token), this.#variable(value));
      } else if (kind === "word") this.#word(tokens, i);
      else if (text === "/") this.#division(tokens, i);
    }
    for (const domain of domains) this.#domain(tokens, domain);
  }

  #word(tokens: Tokens, i: number): void {
    const { text = "", start = 0 } = tokens[i] ?? {};
    const before = tokens[i - 1]?.text;
    if (text === "float") {
      if (before === "par" || before === "set") throw new NotLifted();
      const type = before === "opt" ? i - 1 : i;
      if (tokens[type - 1]?.text !== "var") this.#insert(tokens[type]?.start ?? 0, "var ");
      return;
    }
    if (tokens[i + 1]?.text !== "(") return;
    if (without_variables.test(text)) throw new NotLifted();
    if (to_whole.test(text)) this.#insert(start, prefix);
    if (text !== "int2float" && !rounded.test(text)) return;
    const [open, close] = [tokens[i + 1], tokens[closing(tokens, i + 1)]];
    if (!open || !close) throw new NotLifted();
    // The value becomes a product with a variable, which the compiler can't compute.
    if (text === "int2float") this.#insert(start, `(${this.#one} * `);
    else this.#insert(endOf(open), `${this.#one} * (`);
    this.#insert(text === "int2float" ? endOf(close) : close.start, ")");
  }

  /** Turns the divisor into a variable, since the quotient of two integers would be rounded. */
  #division(tokens: Tokens, i: number): void {
    const first = tokens[i + 1];
    const last = operandEnd(tokens, i + 1);
    const behind = tokens[last];
    if (!first || !behind) throw new NotLifted();
    if (first === behind && isDecimal(first)) return;
    this.#insert(first.start, `(${this.#one} * `);
    this.#insert(endOf(behind), ")");
  }

  /** Turns a float domain into a constraint, since the compiler also computes with bounds. */
  #domain(tokens: Tokens, { first, dots, last, end }: FloatDomain): void {
    const [from, to, stop] = [tokens[first], tokens[last], tokens[end]];
    const [low, high] = [tokens.slice(first, dots), tokens.slice(dots + 1, last + 1)].map((side) =>
      this.#exactText(side),
    );
    const name = tokens[last + 2]?.text;
    if (!from || !to || name === undefined) throw new NotLifted();
    const of = tokens[first - 1]?.text === "var" ? tokens[first - 2] : tokens[first - 1];
    this.#replace(from.start, endOf(to), tokens[first - 1]?.text === "var" ? "float" : "var float");
    const each = of?.text === "of" ? `forall(${prefix}e in array1d(${name}))` : "";
    const element = of?.text === "of" ? `${prefix}e` : name;
    const bounds = `; constraint ${each}(${element} >= ${low} /\\ ${element} <= ${high})`;
    this.#insert(stop ? stop.start : endOf(tokens.at(-1)), bounds);
  }

  /**
   * Rewrites one side of a domain, which may contain only numbers, names and signs, but nothing that itself needs
   * lifting.
   */
  #exactText(side: Tokens): string {
    const parts = side.map((token) => {
      if (token.kind === "word" && /^(?:float|int2float)$|^verdict/.test(token.text)) throw new NotLifted();
      if (token.text === "/" || (token.kind === "word" && (rounded.test(token.text) || to_whole.test(token.text))))
        throw new NotLifted();
      const value = token.kind === "number" ? Rational.read(token.text) : undefined;
      return value && isDecimal(token) ? this.#variable(value) : token.text;
    });
    return `(${parts.join(" ")})`;
  }

  #insert(offset: number, text: string): void {
    this.#inserted.set(offset, `${this.#inserted.get(offset) ?? ""}${text}`);
  }

  #replace(start: number, end: number, text: string): void {
    this.#replaced.set(start, { end, text });
  }

  #text(): string {
    const offsets = [...new Set([...this.#inserted.keys(), ...this.#replaced.keys()])].sort((a, b) => a - b);
    let text = "";
    let at = 0;
    for (const offset of offsets) {
      if (offset < at) continue;
      text += this.#source.slice(at, offset) + (this.#inserted.get(offset) ?? "");
      const { end, text: other } = this.#replaced.get(offset) ?? { end: offset, text: "" };
      text += other;
      at = end;
    }
    return text + this.#source.slice(at);
  }
}

/** Reads a number in the data as an exact rational. */
function rationalOf(value: unknown): Rational {
  const number =
    typeof value === "number" ? Rational.of(value) : typeof value === "string" ? Rational.read(value) : undefined;
  if (!number) throw new NotLifted();
  return number;
}

/** Raised if a model can't be rewritten with variables in place of floats; it is then compiled unchanged. */
class NotLifted extends Error {}

/** The position of a float domain in a declaration: its two sides around the dots, and the end of the declaration. */
interface FloatDomain {
  readonly first: number;
  readonly dots: number;
  readonly last: number;
  readonly end: number;
}

function floatDomains(tokens: Tokens, parameters: ReadonlySet<string>): FloatDomain[] {
  return tokens.flatMap(({ text }, colon) => {
    if (text !== ":" || tokens[colon + 1]?.kind !== "word") return [];
    const open = enclosingOf(tokens, colon);
    const before = tokens.slice(open + 1, colon);
    const first = open + 2 + (outside(before, /^(?:of|var|par|opt|set|;|,)$/).at(-1) ?? -1);
    const type = tokens.slice(first, colon);
    const dots = first + type.findIndex(({ text }) => text === "..");
    if (dots < first || !type.some((token) => isDecimal(token) || parameters.has(token.text))) return [];
    // Only names declared on their own or in a let can get a constraint.
    const is_argument = tokens[open]?.text === "(" || tokens[colon + 2]?.text === "(";
    if (is_argument || /^(?:par|opt|set)$/.test(tokens[first - 1]?.text ?? "")) throw new NotLifted();
    return [{ first, dots, last: colon - 1, end: endOfLevel(tokens, colon, /^[;,]$/) }];
  });
}

/** Whether a type is that of a parameter with floats. */
function isFloatParameter(type: Tokens): boolean {
  const words = type.map(({ text }) => text);
  if (words.some((word) => /^(?:var|function|predicate|test|annotation|constraint|enum)$/.test(word))) return false;
  return words.includes("float") || type.some(isDecimal);
}

function isDecimal({ kind, text }: Token): boolean {
  return kind === "number" && /[.eE]/.test(text);
}

/**
 * The last token of an operand: a number, a name with its arguments or indices, or a bracketed expression; including
 * its exponent.
 */
function operandEnd(tokens: Tokens, start: number): number {
  const first = tokens[start];
  if (first?.text === "-" || first?.text === "+") return operandEnd(tokens, start + 1);
  if (!first || /^(?:if|let|not)$/.test(first.text)) throw new NotLifted();
  let end = /^[([{]$/.test(first.text) ? closing(tokens, start) : start;
  while (/^[([]$/.test(tokens[end + 1]?.text ?? "")) end = closing(tokens, end + 1);
  if (tokens[end + 1]?.text === ".") throw new NotLifted();
  return tokens[end + 1]?.text === "^" ? operandEnd(tokens, end + 2) : end;
}

/** The index of the matching closing bracket. */
function closing(tokens: Tokens, open: number): number {
  const close = closingOf(tokens, open);
  if (close === tokens.length) throw new NotLifted();
  return close;
}
