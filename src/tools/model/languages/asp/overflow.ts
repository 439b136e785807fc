import type { AspProgram, Statement } from "./program.ts";
import { closing, partsOf, type Token } from "./tokens.ts";

const too_large = 2 ** 31;

/**
 * clingo computes in 32 bits and is silent when a result does not fit. This says where one product, power or sum of the
 * numbers that are written in the program can exceed 32 bits. `Ground` reads the numbers that rules build up.
 */
export function overflowOfWritten({ statements }: AspProgram): string | undefined {
  // Not `Math.max(...)`: a call takes some 100,000 arguments, and a program can have more statements.
  const largest = statements.reduce((most, statement) => Math.max(most, largestNumber(statement)), 0);
  const risky = statements.find((statement) => largestResult(statement, largest) >= too_large);
  return risky && overflow(risky, largest);
}

function overflow({ item }: Statement, largest: number): string {
  return `Item ${item}: with numbers up to ${largest}, results can exceed the 32 bits that clingo computes in; they then wrap around silently. Scale the numbers, or model this in minizinc or z3.`;
}

function largestNumber({ tokens }: Statement): number {
  return tokens.reduce((most, { kind, text }) => (kind === "number" ? Math.max(most, Number(text)) : most), 0);
}

/** A bound on one expression of the statement, if each number in it is the largest one. */
function largestResult({ tokens }: Statement, largest: number): number {
  const count = (sign: string) => tokens.filter(({ text }) => text === sign).length;
  const power = tokens.findIndex(({ text }) => text === "**");
  const exponent = tokens[power + 1];
  const raised = power < 0 ? 1 : exponent?.kind === "number" ? Number(exponent.text) : Math.max(2, largest);
  const product = Math.max(2, largest) ** (raised + count("*"));
  return raised + count("*") > 1 ? product : largest * (count("+") + count("-") > 0 ? 2 : 1);
}

/** Whether rules of the program can build numbers up that are not written in it. */
export function buildsNumbers({ statements }: AspProgram): boolean {
  const constants = constantsOf(statements);
  return statements.some(({ tokens }) =>
    tokens.some((_, i) => grows(tokens, i, constants) || isAssignedSum(tokens, i)),
  );
}

/** Counting up by less takes more steps to leave 32 bits than a program can have. */
const small_step_max = 100;

/** A product or power, or a sum unless a small number is added: such counting is bounded by its steps. */
function grows(tokens: readonly Token[], i: number, constants: ReadonlyMap<string, number>): boolean {
  const text = tokens[i]?.text;
  if (text === "*" || text === "**") return true;
  const sides = [tokens[i - 1], tokens[i + 1]];
  const is_large = (side: Token | undefined) =>
    side?.kind === "variable" ||
    /^[()|]$/.test(side?.text ?? "") ||
    (side?.kind === "number" ? Number(side.text) : (constants.get(side?.text ?? "") ?? 0)) > small_step_max;
  return (text === "+" || text === "-") && sides.every(is_large);
}

/** How many equations of a statement have a side that computes something. */
function computed(tokens: readonly Token[], constants: ReadonlyMap<string, number>): number {
  const ends = new Set([",", ";", ":-", ":"]);
  const computes = (from: number, by: 1 | -1): boolean => {
    for (let i = from; i >= 0 && i < tokens.length && !ends.has(tokens[i]?.text ?? ""); i += by)
      if (grows(tokens, i, constants)) return true;
    return false;
  };
  return tokens.filter(({ text }, i) => text === "=" && (computes(i + 1, 1) || computes(i - 1, -1))).length;
}

/** Bounds on the values of `#const`, by their names. */
function constantsOf(statements: readonly Statement[]): Map<string, number> {
  const constants = new Map<string, number>();
  for (const { tokens } of statements) {
    const [directive, name, , ...value] = tokens;
    if (directive?.text === "#const" && name) constants.set(name.text, largestProduct(value, constants, 1));
  }
  return constants;
}

/** Sums of facts are computed in 32 bits during grounding; other sums that do not fit are refused. */
function isAssignedSum(tokens: readonly Token[], i: number): boolean {
  if (!/^#sum\+?$/.test(tokens[i]?.text ?? "")) return false;
  return tokens[i - 1]?.text === "=" || tokens[closing(tokens, i + 1) + 1]?.text === "=";
}

/** The contents of the bracket that opens or closes here. */
function bracketed(tokens: readonly Token[], i: number): readonly Token[] | undefined {
  const text = tokens[i]?.text;
  if (text === "(") return tokens.slice(i + 1, closing(tokens, i));
  if (text !== ")") return undefined;
  const open = tokens.findIndex(({ text }, at) => text === "(" && at < i && closing(tokens, at) === i);
  return tokens.slice(open + 1, i);
}

/**
 * The numbers of a grounded program, read line by line. The first result that did not fit was computed from numbers
 * that did fit, and these are all here. So if no statement makes 2^31 out of the numbers at its positions, every result
 * fits.
 */
export class Ground {
  #largest = 0;
  readonly #at = new Map<string, number>();
  readonly #atoms = new Map<string, Set<string>>();

  line(text: string): void {
    for (const [number] of text.matchAll(/\d+/g)) this.#largest = Math.max(this.#largest, Number(number));
    for (const [, name = "", inside = ""] of text.matchAll(/([a-z_][\w']*)\(([^()]*)\)/g)) {
      const atoms = this.#atoms.get(name) ?? new Set();
      this.#atoms.set(name, atoms.add(inside));
      for (const [i, term] of inside.split(",").entries()) {
        const key = `${name}/${i}`;
        if (/^-?\d+$/.test(term)) this.#at.set(key, Math.max(this.#at.get(key) ?? 0, Math.abs(Number(term))));
        else this.#at.set(key, Math.max(this.#at.get(key) ?? 0, 1));
      }
    }
  }

  /** Where a result can exceed 32 bits; undefined if all fit. */
  overflow({ statements }: AspProgram): string | undefined {
    const constants = constantsOf(statements);
    const risky = statements.find((statement) => this.#result(statement, constants) >= too_large);
    return risky && overflow(risky, this.#largest);
  }

  /** A bound on an expression of the statement. */
  #result({ tokens }: Statement, constants: ReadonlyMap<string, number>): number {
    const known = new Map([...constants, ...this.#bounds(tokens)]);
    const added = tokens.flatMap(({ text }, i) => (/^[+-]$/.test(text) ? [grows(tokens, i, constants)] : []));
    const large = added.filter((is_large) => is_large).length;
    const small = (added.length - large) * small_step_max;
    // A variable that is in no atom holds a result of the statement, possibly of other such variables.
    let second = this.#largest;
    for (let left = 1 + computed(tokens, constants); left > 0 && second < too_large; left--)
      second = Math.max(second, largestProduct(tokens, known, second) * (large + 1) + small);
    const sums = tokens.flatMap((_, i) => (isAssignedSum(tokens, i) ? [this.#sum(tokens, i + 1, known, second)] : []));
    return Math.max(second, ...sums);
  }

  /** The largest number at the positions where each variable is an argument by itself. */
  #bounds(tokens: readonly Token[]): Map<string, number> {
    const bounds = new Map<string, number>();
    for (const [i, { kind, text: name }] of tokens.entries()) {
      if (kind !== "name" || tokens[i + 1]?.text !== "(") continue;
      const places = partsOf(tokens.slice(i + 2, closing(tokens, i + 1)), ",");
      for (const [place, [term, ...more]] of places.entries()) {
        const bound = this.#at.get(`${name}/${place}`);
        if (term?.kind !== "variable" || more.length > 0 || bound === undefined) continue;
        bounds.set(term.text, Math.min(bounds.get(term.text) ?? Number.POSITIVE_INFINITY, bound));
      }
    }
    return bounds;
  }

  /** A bound on a sum: the weight of each of its elements, times the number of values of its variables. */
  #sum(tokens: readonly Token[], open: number, known: ReadonlyMap<string, number>, other: number): number {
    const elements = partsOf(tokens.slice(open + 1, closing(tokens, open)), ";");
    return elements.reduce((sum, element) => {
      const [[weight = []] = []] = partsOf(element, ":").map((part) => partsOf(part, ","));
      return sum + largestProduct(weight, known, other) * this.#bindings(element);
    }, 0);
  }

  /** How many values the variables of an element can have together, by the atoms that contain all of them. */
  #bindings(element: readonly Token[]): number {
    const atoms = element.flatMap(({ kind, text }, i) => {
      if (kind !== "name" || element[i + 1]?.text !== "(") return [];
      const inside = element.slice(i + 1, closing(element, i + 1)).filter((token) => token.kind === "variable");
      return [{ size: this.#atoms.get(text)?.size ?? 1, variables: inside.map((token) => token.text) }];
    });
    const open = new Set(element.filter(({ kind }) => kind === "variable").map(({ text }) => text));
    let bindings = 1;
    for (const { size, variables } of atoms.sort((a, b) => b.variables.length - a.variables.length)) {
      if (!variables.some((name) => open.has(name))) continue;
      bindings *= Math.max(1, size);
      for (const name of variables) open.delete(name);
    }
    return bindings;
  }
}

/**
 * The largest product of neighbours; anything that is not a number, a constant or a variable in an atom counts as
 * `other`.
 */
function largestProduct(tokens: readonly Token[], known: ReadonlyMap<string, number>, other: number): number {
  const size = (i: number): number => {
    const token = tokens[i];
    const inside = bracketed(tokens, i);
    if (inside)
      return largestProduct(inside, known, other) * (1 + inside.filter(({ text }) => /^[+-]$/.test(text)).length);
    return token?.kind === "number" ? Number(token.text) : (known.get(token?.text ?? "") ?? other);
  };
  let [most, product] = [1, 1];
  for (const [i, token] of tokens.entries()) {
    if (token.text === "*") product = (product === 1 ? size(i - 1) : product) * size(i + 1);
    else if (token.text === "**") product = Math.max(2, size(i - 1)) ** size(i + 1);
    else if (token.kind === "sign" && !/^[()]$/.test(token.text)) product = 1;
    const is_value = token.kind === "variable" || token.kind === "number" || known.has(token.text);
    most = Math.max(most, product, is_value ? size(i) : 1);
  }
  return most;
}
