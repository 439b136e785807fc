import type { Ground } from "./ground.ts";
import { type Literal, type Scope, scopesOf } from "./scopes.ts";
import { largestResult } from "./terms.ts";
import { closing, partsOf, type Token } from "./tokens.ts";

/** The known numbers of a program, and bounds on the unknown ones. */
export interface Numbers {
  readonly ground: Ground;
  /** Bounds on the `#const` values, by name. */
  readonly constants: ReadonlyMap<string, number>;
  /** The bound for variables that no literal limits, such as X in p(X+1). */
  readonly other: number;
}

/**
 * Bounds the absolute value of every result computed while grounding a statement, if all earlier results are in the
 * ground program.
 */
export function largestOfStatement(tokens: readonly Token[], numbers: Numbers): number {
  const { whole, elements } = scopesOf(tokens);
  const outer = new Bounds(numbers, whole);
  const inner = elements.map((element) => new Bounds(numbers, element, outer).largest());
  return [...inner, ...outer.assignedSums()].reduce((most, each) => Math.max(most, each), outer.largest());
}

/** The maximum length of a chain of variables in equations; the values of a longer chain count as too large. */
const chain_max = 100;

/** Bounds on the variables of a scope. */
class Bounds {
  readonly #numbers: Numbers;
  readonly #scope: Scope;
  readonly #outer: Bounds | undefined;
  readonly #variables: ReadonlySet<string>;
  readonly #known = new Map<string, number>();
  readonly #open = new Set<string>();

  constructor(numbers: Numbers, scope: Scope, outer?: Bounds) {
    this.#numbers = numbers;
    this.#scope = scope;
    this.#outer = outer;
    this.#variables = variablesIn(scope.tokens);
  }

  largest(): number {
    return largestResult(this.#scope.tokens, this.of);
  }

  /**
   * Bounds on the sums assigned to a variable. clingo computes these sums in 32 bits; it computes other sums with more
   * bits, or not at all.
   */
  assignedSums(): number[] {
    return this.#scope.literals.flatMap((literal) =>
      equationsOf(literal).flatMap(([left, right]) => {
        if (isAggregate(left) && variablesIn(right).size > 0) return [this.#aggregate(left, literal)];
        return isAggregate(right) && variablesIn(left).size > 0 ? [this.#aggregate(right, literal)] : [];
      }),
    );
  }

  /** Whether the variable belongs to the scope itself, so that it has the same value in all elements. */
  has(name: string): boolean {
    return this.#variables.has(name);
  }

  readonly of = (name: string): number => {
    const constant = this.#numbers.constants.get(name);
    if (constant !== undefined) return constant;
    if (!isVariable(name)) return 1;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#open.size >= chain_max) return Number.POSITIVE_INFINITY;
    this.#open.add(name);
    const limits = this.#limits(name);
    this.#open.delete(name);
    const bound = limits.length > 0 ? limits.reduce((least, each) => Math.min(least, each)) : this.#numbers.other;
    this.#known.set(name, bound);
    return bound;
  };

  /** The bounds that the literals put on a variable; each bound is valid, since all literals hold. */
  #limits(name: string): number[] {
    const own = this.#scope.literals.flatMap((literal) => [
      ...this.#byAtom(name, literal),
      ...this.#byEquations(name, literal),
    ]);
    return this.#outer?.has(name) ? [...own, this.#outer.of(name)] : own;
  }

  #byAtom(name: string, literal: Literal): number[] {
    const atom = atomOf(literal);
    return (atom?.terms ?? []).flatMap((term, place) => {
      const bound = isAlone(term, name) ? this.#numbers.ground.largestAt(atom?.name ?? "", place) : undefined;
      return bound === undefined ? [] : [bound];
    });
  }

  #byEquations(name: string, literal: Literal): number[] {
    return sidesFor(name, literal)
      .filter((side) => ![...variablesIn(side)].some((each) => this.#open.has(each)))
      .map((side) => (isAggregate(side) ? this.#aggregate(side, literal) : largestResult(side, this.of)));
  }

  /** A bound on the value of an aggregate. */
  #aggregate([directive]: readonly Token[], { elements }: Literal): number {
    const sizes = elements.map((element) => {
      const inner = new Bounds(this.#numbers, element, this);
      const weight = directive?.text === "#count" ? 1 : largestResult(tupleOf(element)[0] ?? [], inner.of);
      return { weight, bindings: inner.#tuples() };
    });
    if (directive?.text === "#min" || directive?.text === "#max")
      return sizes.reduce((most, { weight }) => Math.max(most, weight), 1);
    return sizes.reduce((sum, { weight, bindings }) => sum + (weight === 0 ? 0 : weight * bindings), 0);
  }

  /**
   * The possible number of tuples for an element: it depends on the values of the element's own variables, limited by
   * the atoms that contain them.
   */
  #tuples(): number {
    const open = this.#free(variablesIn(tupleOf(this.#scope).flat()));
    const atoms = this.#scope.literals
      .flatMap((literal) => atomOf(literal) ?? [])
      .map(({ name, terms }) => ({ size: this.#numbers.ground.atomsOf(name), variables: variablesIn(terms.flat()) }))
      .sort((a, b) => b.variables.size - a.variables.size);
    let tuples = 1;
    for (const { size, variables } of atoms) {
      if (![...variables].some((name) => open.has(name))) continue;
      tuples *= Math.max(1, size);
      for (const name of variables) open.delete(name);
    }
    return [...open].reduce((product, name) => product * (2 * this.of(name) + 1), tuples);
  }

  /**
   * The variables that do not belong to the statement. A variable computed by an equation is replaced with the other
   * variables in that equation.
   */
  #free(names: ReadonlySet<string>, seen = new Set<string>()): Set<string> {
    const free = new Set<string>();
    for (const name of names) {
      if (this.#outer?.has(name) || seen.has(name)) continue;
      seen.add(name);
      const sources = this.#sources(name);
      if (!sources) free.add(name);
      else for (const each of this.#free(sources, seen)) free.add(each);
    }
    return free;
  }

  /**
   * The variables that determine this variable: those on the other side of an equation. Undefined if the variable
   * occurs in an atom.
   */
  #sources(name: string): ReadonlySet<string> | undefined {
    const { literals } = this.#scope;
    if (literals.some((literal) => variablesIn(atomOf(literal)?.terms.flat() ?? []).has(name))) return undefined;
    const computed = literals
      .flatMap((literal) => sidesFor(name, literal))
      .map((side) => ({ side, variables: variablesIn(side) }));
    return computed.find(({ side, variables }) => !variables.has(name) && !side.some(({ text }) => text === ".."))
      ?.variables;
  }
}

/** The terms of an element, without its conditions. */
function tupleOf({ tokens }: Scope): Token[][] {
  return partsOf(partsOf(tokens, ":")[0] ?? [], ",");
}

type Equation = readonly [left: readonly Token[], right: readonly Token[]];

/** The equations in a comparison, which can be a chain: `0 < X = Y+Z`. */
function equationsOf({ tokens }: Literal): Equation[] {
  const parts: Token[][] = [[]];
  const signs: string[] = [];
  let depth = 0;
  for (const token of tokens) {
    if (/^[([]$/.test(token.text)) depth++;
    if (/^[)\]]$/.test(token.text)) depth--;
    if (depth === 0 && /^(?:==?|[<>]=?|!=|<>)$/.test(token.text)) {
      signs.push(token.text);
      parts.push([]);
    } else parts.at(-1)?.push(token);
  }
  return signs.flatMap((sign, i) => (/^==?$/.test(sign) ? [[parts[i] ?? [], parts[i + 1] ?? []] as const] : []));
}

/** The other sides of equations in which this variable is alone on one side. */
function sidesFor(name: string, literal: Literal): (readonly Token[])[] {
  return equationsOf(literal).flatMap(([left, right]) => {
    if (isAlone(left, name)) return [right];
    return isAlone(right, name) ? [left] : [];
  });
}

function atomOf({ tokens }: Literal): { readonly name: string; readonly terms: Token[][] } | undefined {
  const [name, open] = tokens[0]?.text === "-" ? tokens.slice(1, 3) : tokens;
  if (name?.kind !== "name" || open?.text !== "(") return undefined;
  const start = tokens.indexOf(open);
  const end = closing(tokens, start);
  return end === tokens.length - 1 ? { name: name.text, terms: partsOf(tokens.slice(start + 1, end), ",") } : undefined;
}

function isAlone(term: readonly Token[], name: string): boolean {
  return term.length === 1 && term[0]?.text === name;
}

function isAggregate([first]: readonly Token[]): boolean {
  return /^#(?:sum\+?|count|min|max)$/.test(first?.text ?? "");
}

function isVariable(name: string): boolean {
  return /^[_']*[A-Z]/.test(name);
}

function variablesIn(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(tokens.flatMap(({ kind, text }) => (kind === "variable" && isVariable(text) ? [text] : [])));
}
