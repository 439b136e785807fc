/**
 * Finds invariants of groups of loops with the Houdini algorithm. Of the candidates that held in all concrete runs, it
 * keeps those that hold at the start and that every step preserves, until the set is stable.
 */

import { rewriter } from "../ask/equations.ts";
import type { Queries } from "../ask/queries.ts";
import { anyPlace } from "../logic/differences.ts";
import { BOOL, INT, symbolsIn, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import type { Loop, Spot } from "../run/parts.ts";
import { alike } from "./alike.ts";
import { candidates, type Surroundings } from "./candidates.ts";
import { elementwise } from "./elementwise.ts";
import { prefixSums } from "./prefix_sums.ts";
import { allGroups, type Group, type Member, type Snapshot, type Trace } from "./traces.ts";

const rounds_max = 40;
const starts_max = 2;

export class Invariants {
  readonly #t: Terms;
  readonly #queries: Queries;
  readonly #facts: Term[];
  readonly #groups: readonly Group[];
  readonly #counters: readonly Term[];
  readonly #live = new Map<Group, Term[]>();
  /** Proved questions, so that the same hypotheses and goals need not be asked again. */
  readonly #proved = new Set<string>();

  /** Whether goals are proved only by rewriting their terms, without asking the solver. */
  readonly #by_form: boolean;

  /** `facts` hold in every state. */
  constructor(t: Terms, queries: Queries, facts: readonly Term[], groups: readonly Group[], by_form = false) {
    this.#by_form = by_form;
    this.#t = t;
    this.#queries = queries;
    this.#facts = [...facts];
    this.#groups = groups;
    this.#counters = allGroups(groups).flatMap(({ members }) => members.flatMap(({ loop }) => countersOf(t, loop)));
  }

  /**
   * Starts with equations between variables of paired loops that have the same initial value and the same step. No run
   * needs to confirm these equations.
   */
  pair(): void {
    const classes = alike(this.#t, this.#groups);
    for (const group of allGroups(this.#groups)) {
      const own = group.members.flatMap(({ loop }) => loop.cells.map(({ symbol }) => symbol));
      this.#live.set(
        group,
        own.flatMap((symbol) => {
          const first = classes.get(symbol);
          return first === undefined || first === symbol ? [] : [this.#t.eq(first, symbol)];
        }),
      );
    }
  }

  /** Starts with the candidates that held in all runs. `scalars` are the argument terms that invariants can mention. */
  async guess(
    scalars: readonly Term[],
    traces: ReadonlyMap<Group, Trace>,
    groups: readonly Group[] = this.#groups,
  ): Promise<void> {
    const t = this.#t;
    let outer = [...scalars];
    for (const group of groups) {
      const snapshots: readonly Snapshot[] = traces.get(group)?.snapshots ?? [];
      const surroundings: Surroundings = {
        terms: [...outer, ...group.members.flatMap(({ loop }) => [...countsOf(t, loop), ...startsOf(loop)])],
      };
      const sums = prefixSums(t, group, surroundings.terms);
      this.#facts.push(...sums.facts);
      this.#live.set(
        group,
        snapshots.length > 0
          ? [
              ...(await candidates(t, group, surroundings, snapshots, this.#queries.budget)),
              ...sums.claims,
              ...elementwise(t, group),
            ]
          : [],
      );
      const own = group.members.flatMap(({ loop }) => loop.cells.map(({ symbol }) => symbol));
      outer = [...outer, ...own.filter(({ sort }) => sort === INT || sort === BOOL)];
      await this.guess(outer, traces, group.inner);
    }
  }

  /** Drops candidates that do not hold. Returns false if the time ran out before the remaining ones were proved. */
  async settle(): Promise<boolean> {
    for (let round = 0; round < rounds_max; round++) {
      const before = this.#size();
      await this.#pass(this.#groups, [...this.#facts]);
      if (this.#queries.over) return false;
      if (this.#size() === before) return true;
    }
    return false;
  }

  #size(): number {
    return allGroups(this.#groups).reduce((sum, group) => sum + this.of(group).length, 0);
  }

  of(group: Group): readonly Term[] {
    return this.#live.get(group) ?? [];
  }

  /** Returns the facts that hold after all groups have ended. */
  after(): Term[] {
    return [...this.#facts, ...this.#groups.flatMap((group) => this.#completed(group))];
  }

  #completed(group: Group): Term[] {
    return [...this.of(group), ...this.#elsewhere(group), ...group.members.map(({ runs }) => this.#t.not(runs))];
  }

  /** Returns the facts about every position, instantiated at the positions that other loops have reached. */
  #elsewhere(group: Group): Term[] {
    const at = anyPlace(this.#t);
    const everywhere = this.of(group).filter((each) => symbolsIn([each]).has(at));
    const places =
      everywhere.length > 0
        ? [
            this.#t.zero,
            ...this.#counters
              .filter((each) => !changedBy(group, each))
              .flatMap((each) => [each, this.#t.add(each, this.#t.one)]),
          ]
        : [];
    return places.flatMap((place) => everywhere.map((each) => this.#t.replace(each, new Map([[at, place]]))));
  }

  /** Returns the facts that hold in an iteration of a group, before its inner loops. */
  #during(group: Group): Term[] {
    return [...this.of(group), this.#t.or(...group.members.map(({ runs }) => runs))];
  }

  /** Returns the facts that hold at a position in one function. */
  at({ within, over, testing }: Spot): Term[] {
    const path: Group[] = [];
    for (const id of within) {
      const inside = path.at(-1)?.inner ?? this.#groups;
      const next = inside.find(({ members }) => members.some(({ loop }) => loop.id === id));
      if (!next) throw new Error("a place within a loop that is not there");
      path.push(next);
    }
    const tested = testing ? path.pop() : undefined;
    const facts = this.#inside(path);
    const siblings = path.at(-1)?.inner ?? this.#groups;
    const before = tested
      ? siblings.slice(0, siblings.indexOf(tested))
      : siblings.filter(({ members }) => members.every(({ loop }) => over.includes(loop.id)));
    facts.push(...before.flatMap((group) => this.#completed(group)));
    // The loop condition is evaluated once more when the loop ends, so it is not known to hold at this position.
    if (tested) facts.push(...this.of(tested), ...tested.members.map(({ loop }) => loop.entry));
    return facts;
  }

  /** Returns the facts that hold in an iteration of the last of these nested groups, before its inner loops. */
  #inside(path: readonly Group[]): Term[] {
    const facts = [...this.#facts];
    let groups = this.#groups;
    for (const outer of path) {
      // Later loops have not begun, and the facts about them depend on the end of this loop.
      const before = groups.slice(0, groups.indexOf(outer));
      facts.push(...before.flatMap((group) => this.#completed(group)), ...this.#during(outer));
      groups = outer.inner;
    }
    return facts;
  }

  async #pass(groups: readonly Group[], hypotheses: readonly Term[]): Promise<Term[]> {
    let known = [...hypotheses];
    for (const group of groups) {
      await this.#keep(group, known, firsts(group));
      const after_inner = await this.#pass(group.inner, [...known, ...this.#during(group)]);
      await this.#keep(group, after_inner, this.#nexts(group));
      known = [...known, ...this.#completed(group)];
    }
    return known;
  }

  async #keep(group: Group, hypotheses: readonly Term[], by: ReadonlyMap<Term, Term>): Promise<void> {
    const live = this.of(group);
    const goals = live.map((each) => this.#t.replace(each, by));
    const key = [hypotheses, goals].map((terms) => terms.map(({ id }) => id).join(" ")).join(" | ");
    if (this.#proved.has(key)) return;
    const follows = await this.#following(hypotheses, goals);
    if (follows.every(Boolean)) this.#proved.add(key);
    this.#live.set(
      group,
      live.filter((_, i) => follows[i]),
    );
  }

  #nexts({ members }: Group): Map<Term, Term> {
    const next = ({ loop, runs }: Member) =>
      loop.cells.map(({ symbol, next: after }): [Term, Term] => [symbol, this.#t.ite(runs, after, symbol)]);
    return new Map(members.flatMap(next));
  }

  /** Whether a goal holds at the start of every iteration of a member, given the facts after the inner loops. */
  async everyStep(group: Group, member: Member, goal: Term): Promise<boolean> {
    const inner = group.inner.flatMap((each) => this.#completed(each));
    const outer = [...this.#inside(this.#pathTo(group, this.#groups) ?? []), ...inner];
    const [follows] = await this.#following([...outer, member.runs], [goal]);
    return follows ?? false;
  }

  async #following(hypotheses: readonly Term[], goals: readonly Term[]): Promise<boolean[]> {
    if (!this.#by_form) return this.#queries.following(this.#t, hypotheses, goals);
    const rewritten = rewriter(this.#t, hypotheses);
    return goals.map((goal) => rewritten(goal) === this.#t.yes);
  }

  #pathTo(group: Group, groups: readonly Group[]): Group[] | undefined {
    for (const each of groups) {
      if (each === group) return [each];
      const below = this.#pathTo(group, each.inner);
      if (below) return [each, ...below];
    }
    return undefined;
  }
}

function changedBy({ members, inner }: Group, symbol: Term): boolean {
  const own = members.some(({ loop }) => loop.cells.some((cell) => cell.symbol === symbol));
  return own || inner.some((each) => changedBy(each, symbol));
}

/** Returns the variables that increase by one per iteration. */
function countersOf(t: Terms, { cells }: Loop): Term[] {
  return cells.flatMap(({ symbol, next }) => (symbol.sort === INT && next === t.add(symbol, t.one) ? [symbol] : []));
}

function firsts({ members }: Group): Map<Term, Term> {
  return new Map(members.flatMap(({ loop }) => loop.cells.map(({ symbol, first }): [Term, Term] => [symbol, first])));
}

/** Returns the initial values of numeric variables that are neither variables nor constants themselves. */
function startsOf({ cells }: Loop): Term[] {
  const starts = cells
    .map(({ first }) => first)
    .filter(({ sort, op }) => sort === INT && (op === "+" || op === "select"));
  return starts.slice(0, starts_max);
}

/** Returns a loop's total number of iterations, if the loop's form determines it. */
function countsOf(t: Terms, loop: Loop): Term[] {
  return loop.left ? [t.replace(loop.left, firsts({ members: [{ loop, runs: t.yes }], inner: [] }))] : [];
}
