import { Rational } from "./rational.ts";

/** A typed compiled model: variables with their domains, constraints with their arguments, and the goal. */
export interface FlatZinc {
  readonly variables: ReadonlyMap<string, Variable>;
  readonly arrays: ReadonlyMap<string, NamedArray>;
  readonly constraints: readonly Constraint[];
  readonly goal: Goal;
}

export interface Variable {
  readonly name: string;
  readonly type: "bool" | "int" | "float" | "set";
  readonly domain: Domain | undefined;
  readonly output: boolean;
}

/** Closed ranges of numbers, in order; for a set variable, the ranges of its possible elements. */
export type Domain = readonly Range[];

export interface Range {
  readonly low: Rational;
  readonly high: Rational;
}

export interface NamedArray {
  readonly elements: readonly Expression[];
  readonly output: boolean;
  /** The number of elements in each dimension, if the array is output. */
  readonly sizes: readonly number[];
}

export type Expression =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "bool"; readonly value: boolean }
  /** A number; if `substituted`, it is exact, however many digits it has. */
  | { readonly kind: "number"; readonly value: Rational; readonly text: string; readonly substituted?: true }
  | { readonly kind: "set"; readonly ranges: Domain }
  | { readonly kind: "array"; readonly elements: readonly Expression[] };

export interface Constraint {
  readonly name: string;
  readonly args: readonly Expression[];
}

export interface Goal {
  readonly kind: "satisfy" | "minimize" | "maximize";
  readonly objective: Expression | undefined;
}

/** The error for a text that is not FlatZinc as MiniZinc writes it, with one item per line. */
export class FlatZincError extends Error {}

const comment = /^\s*(?:%.*)?$/;
const variable_item =
  /^var (?<set>set of )?(?<domain>.+?)\s*:\s*(?<name>\w+)\s*(?<notes>(?:::[^=]*)?)(?:= ?(?<value>.*))?;$/;
const parameter_item = /^(?:bool|int|float|set of .+?)\s*:\s*\w+/;
const array_item = /^array ?\[[^\]]*\] of [^:]*:\s*(?<name>\w+)\s*(?<notes>(?:::.*?)?)\s*= ?(?<elements>\[.*\])\s*;$/;
const constraint_item = /^constraint (\w+)\s*\(/;
const solve_item = /^solve\s.*?\b(?<kind>satisfy|minimize|maximize)\b\s*(?<objective>[^;]*);$/;

/** Parses FlatZinc. Raises `FlatZincError` for an invalid line. */
export function parseFlatZinc(text: string): FlatZinc {
  const variables = new Map<string, Variable>();
  const arrays = new Map<string, NamedArray>();
  const constraints: Constraint[] = [];
  let goal: Goal = { kind: "satisfy", objective: undefined };
  for (const line of text.split("\n")) {
    if (comment.test(line) || line.startsWith("predicate ")) continue;
    const item = line.trim();
    if (item.startsWith("constraint ")) constraints.push(constraintOf(item));
    else if (item.startsWith("solve ")) goal = goalOf(item);
    else if (item.startsWith("array")) arrays.set(...arrayOf(item));
    else if (item.startsWith("var ") || parameter_item.test(item)) {
      const { variable, equal } = item.startsWith("var ") ? variableOf(item) : parameterOf(item);
      variables.set(variable.name, variable);
      if (equal) constraints.push(equal);
    } else throw new FlatZincError(item.slice(0, 100));
  }
  return { variables, arrays, constraints, goal };
}

/** Parses a variable; a value in its declaration becomes a constraint. */
function variableOf(item: string): { variable: Variable; equal: Constraint | undefined } {
  const { set, domain = "", name, notes = "", value } = variable_item.exec(item)?.groups ?? {};
  if (name === undefined) throw new FlatZincError(item.slice(0, 100));
  const plain = domain === "bool" || domain === "int" || domain === "float";
  const ranges = plain ? undefined : new Scanner(domain).whole();
  if (ranges && ranges.kind !== "set") throw new FlatZincError(item.slice(0, 100));
  const is_float = domain === "float" || (ranges !== undefined && /\d\.\d|[eE]/.test(domain));
  const type = set ? "set" : domain === "bool" ? "bool" : is_float ? "float" : "int";
  const variable: Variable = {
    name,
    type,
    domain: ranges?.ranges,
    output: notes.includes("output_var"),
  };
  if (value === undefined) return { variable, equal: undefined };
  const args: Expression[] = [{ kind: "name", name }, new Scanner(value).whole()];
  return { variable, equal: { name: `${type}_eq`, args } };
}

/** Parses a parameter, which older compilers leave in the model, as a variable with a single value. */
function parameterOf(item: string): { variable: Variable; equal: Constraint | undefined } {
  const { variable, equal } = variableOf(`var ${item}`);
  const [, value] = equal?.args ?? [];
  if (value?.kind !== "number") return { variable, equal };
  return { variable: { ...variable, domain: [{ low: value.value, high: value.value }] }, equal: undefined };
}

function arrayOf(item: string): [string, NamedArray] {
  const { name, notes = "", elements = "" } = array_item.exec(item)?.groups ?? {};
  const list = name === undefined ? undefined : new Scanner(elements).whole();
  if (name === undefined || list?.kind !== "array") throw new FlatZincError(item.slice(0, 100));
  const dimensions = /output_array\(\[(.*?)\]\)/.exec(notes)?.[1] ?? "";
  const sizes = [...dimensions.matchAll(/(-?\d+)\.\.(-?\d+)/g)].map(([, low, high]) => Number(high) - Number(low) + 1);
  return [name, { elements: list.elements, output: notes.includes("output_array"), sizes }];
}

function constraintOf(item: string): Constraint {
  const [begin, name] = constraint_item.exec(item) ?? [];
  if (begin === undefined || name === undefined) throw new FlatZincError(item.slice(0, 100));
  const scanner = new Scanner(item, begin.length - 1);
  const args = scanner.list("(", ")");
  return { name, args };
}

function goalOf(item: string): Goal {
  const { kind, objective = "" } = solve_item.exec(item)?.groups ?? {};
  if (kind === "minimize" || kind === "maximize") return { kind, objective: new Scanner(objective.trim()).whole() };
  return { kind: "satisfy", objective: undefined };
}

/**
 * Matches a number or a word; anything else does not start an expression. The groups are unnamed for speed, since a
 * large model has millions of tokens.
 */
const next_token = /\s*(?:([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|([A-Za-z_]\w*)|[\s\S])/y;

/**
 * A cache of parsed numbers, since most models repeat a few. Long texts are not cached, as each would keep the whole
 * model in memory.
 */
const read_numbers = new Map<string, Rational>();
const read_numbers_max = 10_000;
const read_chars_max = 10;

/** Parses expressions within one item. */
class Scanner {
  readonly #text: string;
  #at: number;

  constructor(text: string, at = 0) {
    this.#text = text;
    this.#at = at;
  }

  get rest(): string {
    return this.#text.slice(this.#at);
  }

  /** Parses one expression, with nothing after it. */
  whole(): Expression {
    const expression = this.expression();
    if (this.rest.trim() !== "") throw this.#error();
    return expression;
  }

  /** Parses expressions between two delimiters. */
  list(open: string, close: string): Expression[] {
    const expressions: Expression[] = [];
    this.#expect(open);
    while (!this.#takes(close)) {
      expressions.push(this.expression());
      if (this.#takes(close)) break;
      this.#expect(",");
    }
    return expressions;
  }

  expression(): Expression {
    this.#spaces();
    const next = this.#text[this.#at];
    if (next === "[") return { kind: "array", elements: this.list("[", "]") };
    if (next === "{") return { kind: "set", ranges: this.list("{", "}").flatMap((each) => this.#element(each)) };
    const { number, word } = this.#token();
    if (number !== undefined) return this.#numberOrRange(number);
    if (word === undefined) throw this.#error();
    return word === "true" || word === "false"
      ? { kind: "bool", value: word === "true" }
      : { kind: "name", name: word };
  }

  #numberOrRange(text: string): Expression {
    const value = this.#rational(text);
    if (!this.#text.startsWith("..", this.#at)) return { kind: "number", value, text };
    this.#at += 2;
    const { number = "" } = this.#token();
    const high = this.#rational(number);
    return { kind: "set", ranges: value.compare(high) > 0 ? [] : [{ low: value, high }] };
  }

  #element(expression: Expression): Domain {
    if (expression.kind === "set") return expression.ranges;
    if (expression.kind === "number") return [{ low: expression.value, high: expression.value }];
    throw this.#error();
  }

  #rational(text: string): Rational {
    const known = read_numbers.get(text);
    if (known) return known;
    const value = Rational.read(text);
    if (!value) throw this.#error();
    if (text.length <= read_chars_max && read_numbers.size < read_numbers_max) read_numbers.set(text, value);
    return value;
  }

  #token(): { readonly number: string | undefined; readonly word: string | undefined } {
    next_token.lastIndex = this.#at;
    const token = next_token.exec(this.#text);
    if (!token) throw this.#error();
    // `1..3` is not a decimal number.
    this.#at = next_token.lastIndex;
    const [, number, word] = token;
    return { number, word };
  }

  #spaces(): void {
    while (this.#text[this.#at] === " ") this.#at++;
  }

  #takes(sign: string): boolean {
    this.#spaces();
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#takes(sign)) throw this.#error();
  }

  #error(): FlatZincError {
    return new FlatZincError(`${this.#text.slice(0, 100)} at ${this.#at}`);
  }
}

/** The elements of an array argument, given by name or as a literal; undefined if it is not an array. */
export function elementsOf(
  { arrays }: FlatZinc,
  expression: Expression | undefined,
): readonly Expression[] | undefined {
  if (expression?.kind === "array") return expression.elements;
  return expression?.kind === "name" ? arrays.get(expression.name)?.elements : undefined;
}
