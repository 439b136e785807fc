/**
 * Finds candidates for facts that hold at the beginning of every iteration: equalities and bounds between variables,
 * polynomials through the observed values, and all of these under the condition that a flag has a given value. Only a
 * fact that holds in all concrete runs becomes a candidate. Other code proves it.
 */

import { unless } from "../../kernel/unless.ts";
import type { TimeBudget } from "../ask/time_budget.ts";
import { type Concrete, evaluator, Valueless } from "../logic/evaluate.ts";
import { BOOL, INT, inOrder, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import type { Loop } from "../run/parts.ts";
import { besidePowers, fitted, productsOf } from "./polynomials.ts";
import type { Group, Snapshot } from "./traces.ts";

const snapshots_max = 120;
const candidates_max = 160;
const linear_terms_max = 14;
const square_terms_max = 6;
const closed_form_degree = 4;

/** The terms that a group's invariants can mention, besides the group's own variables. */
export interface Surroundings {
  readonly terms: readonly Term[];
}

export async function candidates(
  t: Terms,
  group: Group,
  surroundings: Surroundings,
  all: readonly Snapshot[],
  budget: TimeBudget,
): Promise<Term[]> {
  const snapshots = thin(all, snapshots_max);
  const own = [...new Set(group.members.flatMap(({ loop }) => loop.cells.map(({ symbol }) => symbol)))];
  const table = new Table(snapshots);
  const context = [...new Set(surroundings.terms)].filter((term) => !own.includes(term) && table.has(term));
  const guess = new Guess(t, table, budget);
  const ints = own.filter(({ sort }) => sort === INT);
  const context_ints = context.filter(({ sort }) => sort === INT);
  const measures = context_ints.filter(isMeasure);
  const arrays = context.filter(({ sort }) => sort.item === INT);
  const bounds = [...ints, ...context_ints, t.zero, t.one];
  const runs = group.members.map(({ runs: each }) => each);
  const flags = flagsOf(t, group, table);
  // Unconditional candidates come first, because the number of candidates is limited.
  await guess.polynomials(ints, context_ints, undefined);
  await guess.closedForms(group);
  await guess.same(own, [...own, ...context], undefined);
  await guess.gaps(ints, [...ints, ...context_ints]);
  await guess.bounds(ints, bounds, undefined);
  await guess.items(ints, arrays, undefined);
  for (const { loop } of group.members) {
    const begins = beginningOf(t, loop);
    for (const { symbol, first } of loop.cells) guess.under(t.not(begins), t.eq(symbol, first));
    if (!table.always(begins)) await guess.bounds(ints, bounds, begins);
  }
  const entries = group.members.map(({ loop }) => loop.entry);
  for (const each of [...new Set([...entries, ...runs, ...phasesOf(t, runs)])])
    if (!table.always(each)) await guess.polynomials(ints, context_ints, each);
  await guess.flags(flags);
  // Loops over lists usually end where a list ends or where two lists differ.
  if (measures.length > 0) for (const flag of flags) await guess.bounds(ints, context_ints, flag);
  for (const flag of flags) await guess.same(own, own, flag);
  for (const flag of flags) await guess.items(ints, arrays, flag);
  for (const flag of flags) await guess.bounds(ints, [...ints, t.zero], flag);
  for (const flag of flags) await guess.same(own, context, flag);
  return guess.guesses.slice(0, candidates_max);
}

/**
 * Whether a term is a number that describes the items of a row. Invariants can mention such numbers, like a row's
 * length.
 */
export function isMeasure({ op, args: [array], sort }: Term): boolean {
  return op === "first difference" || (op === "select" && array?.op === "sorted" && sort === INT);
}

/** Returns the condition that a loop has at least one iteration. */
function beginningOf(t: Terms, loop: Loop): Term {
  return t.replace(t.and(loop.entry, loop.running), new Map(loop.cells.map(({ symbol, first }) => [symbol, first])));
}

/** Returns the phases of two loops: both run, only one runs, or neither runs any more. */
function phasesOf(t: Terms, [a, b]: readonly Term[]): Term[] {
  if (!a || !b) return [];
  return [t.and(a, b), t.and(a, t.not(b)), t.and(t.not(a), b), t.and(t.not(a), t.not(b))];
}

/** Takes a sample of evenly spaced items, so that early and late ones are kept. */
function thin<Item>(items: readonly Item[], most: number): Item[] {
  const stride = Math.max(1, Math.ceil(items.length / most));
  return items.filter((_, i) => i % stride === 0);
}

/** The values of terms in all snapshots. */
class Table {
  readonly snapshots: readonly Snapshot[];
  readonly #readers: ((term: Term) => Concrete)[];
  readonly #columns = new Map<Term, Concrete[] | undefined>();

  constructor(snapshots: readonly Snapshot[]) {
    this.snapshots = snapshots;
    this.#readers = snapshots.map((each) => evaluator(each));
  }

  column(term: Term): Concrete[] | undefined {
    if (!this.#columns.has(term)) this.#columns.set(term, this.#read(term));
    return this.#columns.get(term);
  }

  #read(term: Term): Concrete[] | undefined {
    return unless(Valueless, () => this.#readers.map((read) => read(term)));
  }

  has(term: Term): boolean {
    return this.column(term) !== undefined;
  }

  /**
   * Whether a condition held in all snapshots. False if it has no value in one of them. The check usually ends early,
   * because most conditions are false in one of the first snapshots.
   */
  always(condition: Term): boolean {
    return this.#all(condition, true);
  }

  never(condition: Term): boolean {
    return this.#all(condition, false);
  }

  #all(condition: Term, value: boolean): boolean {
    return unless(Valueless, () => this.#readers.every((read) => read(condition) === value)) ?? false;
  }
}

class Guess {
  readonly #t: Terms;
  readonly #table: Table;
  readonly #budget: TimeBudget;
  readonly guesses: Term[] = [];
  readonly #known = new Set<Term>();

  constructor(t: Terms, table: Table, budget: TimeBudget) {
    this.#t = t;
    this.#table = table;
    this.#budget = budget;
  }

  /** Adds a candidate if it held in all snapshots. Returns whether it did. */
  #try(candidate: Term): boolean {
    if (candidate.op === "literal") return candidate === this.#t.yes;
    if (this.#known.has(candidate)) return true;
    if (!this.#table.always(candidate)) return false;
    this.#known.add(candidate);
    this.guesses.push(candidate);
    return true;
  }

  /** Tries a claim under a condition that is sometimes met. */
  under(flag: Term | undefined, claim: Term): boolean {
    if (flag === undefined) return this.#try(claim);
    if (this.#known.has(claim) || flag === claim || this.#table.never(flag)) return true;
    return this.#try(this.#t.implies(flag, claim));
  }

  /** Tries equalities between terms of the same sort, and between terms and constants. */
  async same(own: readonly Term[], others: readonly Term[], flag: Term | undefined): Promise<void> {
    const t = this.#t;
    for (const a of own) {
      for (const b of others) {
        this.#budget.check();
        if (a === b || a.sort.text !== b.sort.text) continue;
        if (!this.under(flag, t.eq(a, b)) && a.sort === BOOL) this.under(flag, t.eq(a, t.not(b)));
      }
      for (const constant of a.sort === BOOL ? [t.yes, t.no] : a.sort === INT ? [t.zero, t.one, t.int(-1n)] : [])
        this.under(flag, t.eq(a, constant));
    }
  }

  /** Tries numbers whose difference is constant. */
  async gaps(own: readonly Term[], others: readonly Term[]): Promise<void> {
    const t = this.#t;
    for (const a of own) {
      for (const b of others) {
        this.#budget.check();
        const [x, y] = [this.#table.column(a)?.[0], this.#table.column(b)?.[0]];
        if (a !== b && typeof x === "bigint" && typeof y === "bigint") this.#try(t.eq(a, t.add(b, t.int(x - y))));
      }
    }
  }

  async bounds(own: readonly Term[], others: readonly Term[], flag: Term | undefined): Promise<void> {
    const t = this.#t;
    for (const a of own) {
      for (const b of others) {
        this.#budget.check();
        if (a === b || this.#table.always(t.eq(a, b))) continue;
        if (!this.under(flag, t.lt(a, b))) this.under(flag, t.le(a, b));
        if (!this.under(flag, t.lt(b, a))) this.under(flag, t.le(b, a));
      }
    }
  }

  /** Tries variables that hold the current or the previous item of a list. */
  async items(own: readonly Term[], arrays: readonly Term[], flag: Term | undefined): Promise<void> {
    const t = this.#t;
    for (const array of arrays)
      for (const index of own)
        for (const place of [index, t.sub(index, t.one)]) {
          for (const variable of own) {
            this.#budget.check();
            if (variable !== index) this.under(flag, t.eq(variable, t.select(array, place)));
          }
        }
  }

  /** Tries flags that are equal, or one of which implies the other. */
  async flags(flags: readonly Term[]): Promise<void> {
    const t = this.#t;
    for (const a of flags) {
      for (const b of flags) {
        this.#budget.check();
        if (a === b) continue;
        if (!this.#try(t.eq(a, b))) this.#try(t.implies(a, b));
      }
    }
  }

  /** Tries equations between integers in the states in which a condition holds. */
  async polynomials(own: readonly Term[], context: readonly Term[], condition: Term | undefined): Promise<void> {
    const t = this.#t;
    const holds = condition ? this.#table.column(condition) : undefined;
    if (condition && !holds) return;
    const rows = this.#table.snapshots.map((_, i) => i).filter((i) => holds === undefined || holds[i] === true);
    const column = (term: Term) => this.#numbers(term, rows);
    const add = (equation: Term) => this.#try(condition ? t.implies(condition, equation) : equation);
    const linear = [...context, ...own].slice(0, linear_terms_max);
    const { equations, dependent } = await fitted(t, productsOf(linear, 1), column, this.#budget);
    for (const each of equations) add(each);
    const free = [...own.filter((term) => !dependent.has(term)), ...context.filter((term) => !dependent.has(term))];
    const some = free.slice(0, square_terms_max);
    if (!some.some((term) => own.includes(term))) return;
    for (const each of (await fitted(t, productsOf(some, 2), column, this.#budget)).equations) add(each);
    if (some.length <= 3)
      for (const each of (await fitted(t, productsOf(some, 3), column, this.#budget)).equations) add(each);
  }

  #numbers(term: Term, rows: readonly number[]): bigint[] {
    const values = this.#table.column(term) ?? [];
    return rows.map((i) => {
      const value = values[i];
      return typeof value === "bigint" ? value : 0n;
    });
  }

  /** Tries variables that are a polynomial in the number of iterations so far. */
  async closedForms({ members }: Group): Promise<void> {
    const t = this.#t;
    const rows = this.#table.snapshots.map((_, i) => i);
    const column = (term: Term) => this.#numbers(term, rows);
    for (const { loop } of members) {
      const ints = loop.cells.filter(({ symbol }) => symbol.sort === INT);
      const counter = ints.find(({ symbol, next }) => next === t.add(symbol, t.one));
      if (!counter) continue;
      for (const { symbol } of ints) {
        if (symbol === counter.symbol) continue;
        const products = besidePowers(symbol, counter.symbol, closed_form_degree);
        for (const each of (await fitted(t, products, column, this.#budget)).equations) this.#try(each);
      }
    }
  }
}

/**
 * Returns the conditions that distinguish a loop's phases: Boolean variables, how it was left, whether it is running.
 */
function flagsOf(t: Terms, group: Group, table: Table): Term[] {
  const flags: Term[] = [];
  // How a loop was left comes first, because only this determines what it returned.
  for (const { loop } of group.members) {
    for (const { name, symbol } of loop.cells) {
      if (name !== "#status" && !symbol.name?.endsWith(" type")) continue;
      const values = new Set(table.column(symbol) ?? []);
      if (values.size < 2) continue;
      for (const value of values)
        if (typeof value === "bigint") flags.push(t.eq(symbol, t.int(value)), t.not(t.eq(symbol, t.int(value))));
    }
  }
  for (const { loop, runs } of group.members) {
    flags.push(runs, t.not(runs));
    for (const condition of conditionsIn(loop.cells.map(({ next }) => next))) flags.push(condition, t.not(condition));
    for (const { name, symbol } of loop.cells) {
      if (name.startsWith("#i")) flags.push(t.lt(t.zero, symbol));
      if (symbol.sort === BOOL) flags.push(symbol, t.not(symbol));
    }
  }
  return [...new Set(flags)].filter((flag) => table.has(flag) && !table.always(flag) && !table.never(flag));
}

const conditions_max = 4;

/**
 * Returns the conditions on which a loop's steps depend. Conditions on list items are left out, because they do not
 * mark phases.
 */
function conditionsIn(nexts: readonly Term[]): Term[] {
  const conditions = inOrder(nexts).flatMap(({ op, args }) => (op === "ite" && args[0] ? [args[0]] : []));
  const own = conditions.filter((each) => !inOrder([each]).some(({ op }) => op === "select"));
  return [...new Set(own)].slice(0, conditions_max);
}
