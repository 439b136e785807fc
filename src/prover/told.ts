/**
 * Proofs by given invariants. The asserts at the head of a loop's body are the invariants, and every exception that must
 * not be raised is an obligation: it is proved once, where it could be raised, and the code behind it may rely on that.
 * An execution that breaks an obligation has a first one that it breaks, and each is proved from those before it.
 */
import type { Queries } from "./ask/queries.ts";
import { candidates } from "./induction/candidates.ts";
import type { Group, Trace } from "./induction/traces.ts";
import { sumFacts } from "./logic/folds.ts";
import { BOOL, INT, inOrder, type Term } from "./logic/term.ts";
import type { Terms } from "./logic/terms.ts";
import type { Loop, Obligation, Spot } from "./run/parts.ts";

/** A loop within its loops. */
interface Place {
  readonly loop: Loop;
  readonly group: Group;
  readonly outer: Place | undefined;
  readonly inner: Place[];
}

/** What an iteration is assumed to begin with. */
interface Claim {
  readonly term: Term;
  /** The assert that says so; undefined for a guess. */
  readonly by: Obligation | undefined;
}

const rounds_max = 12;

export class Told {
  readonly #t: Terms;
  readonly #queries: Queries;
  readonly #facts: readonly Term[];
  readonly #obligations: readonly Obligation[];
  readonly #roots: readonly Place[];
  readonly #claims = new Map<Place, Claim[]>();

  constructor(
    t: Terms,
    queries: Queries,
    facts: readonly Term[],
    obligations: readonly Obligation[],
    groups: readonly Group[],
  ) {
    this.#t = t;
    this.#queries = queries;
    this.#facts = facts;
    this.#obligations = obligations;
    this.#roots = placesOf(groups, undefined);
  }

  /**
   * Finds invariants; false if they were not proved in time. First guesses, without quantifiers, then
   * what the asserts say.
   */
  async settle(scalars: readonly Term[], traces: ReadonlyMap<Group, Trace>): Promise<boolean> {
    await this.#guess(this.#roots, scalars, traces);
    if (!(await this.#houdini((claim) => claim.by === undefined, withoutQuantifiers))) return false;
    for (const place of all(this.#roots)) this.#claims.set(place, [...this.#of(place), ...this.#given(place)]);
    return this.#houdini(
      (claim) => claim.by !== undefined,
      (terms) => terms,
    );
  }

  async #guess(places: readonly Place[], scalars: readonly Term[], traces: ReadonlyMap<Group, Trace>): Promise<void> {
    for (const place of places) {
      const { loop, group, inner } = place;
      const snapshots = traces.get(group)?.snapshots ?? [];
      const own = loop.cells.map(({ symbol }) => symbol);
      const guessed =
        snapshots.length > 0
          ? await candidates(this.#t, group, { terms: scalars }, snapshots, this.#queries.budget)
          : [];
      this.#claims.set(
        place,
        [...guessed, ...this.#starts(loop)].map((term) => ({ term, by: undefined })),
      );
      await this.#guess(inner, [...scalars, ...own.filter(({ sort }) => sort === INT || sort === BOOL)], traces);
    }
  }

  /** A counter is not past its end. */
  #starts({ left }: Loop): Term[] {
    return left ? [this.#t.le(this.#t.zero, left)] : [];
  }

  /** What the asserts say of every state at the head of the loop, also of that after the last iteration. */
  #given({ loop }: Place): Claim[] {
    const t = this.#t;
    return loop.claims.map((by) => ({ by, term: t.implies(loop.entry, t.not(by.when)) }));
  }

  /** The weaker claims to try in place of one that does not hold: before the loop was left, and in an iteration. */
  #weaker({ loop }: Place, { term, by }: Claim): Claim[] {
    const t = this.#t;
    if (!by) return [];
    const says = t.not(by.when);
    const steps = [loop.entry, t.and(loop.entry, loop.going), t.and(loop.entry, loop.going, loop.running)];
    const weaker = steps.map((each) => t.implies(each, says));
    const next = weaker.slice(weaker.lastIndexOf(term) + 1).find((each) => each !== term);
    return next ? [{ term: next, by }] : [];
  }

  /** Drops, or weakens, claims that are not kept, until all are; false if that took too long. */
  async #houdini(
    isOpen: (claim: Claim) => boolean,
    limited: (terms: readonly Term[]) => readonly Term[],
  ): Promise<boolean> {
    for (let round = 0; round < rounds_max; round++) {
      let changed = false;
      for (const place of all(this.#roots)) {
        const live = this.#of(place);
        const open = live.filter(isOpen);
        if (open.length === 0) continue;
        const goals = open.map(({ term }) => this.#first(place, term));
        const entered = await this.#follow(limited(this.#before(place)), goals, open);
        const nexts = open.map(({ term }) => this.#next(place, term));
        const kept = await this.#follow(limited(this.#after(place)), nexts, open);
        const failed = open.filter((_, i) => !entered[i] || !kept[i]);
        if (failed.length === 0) continue;
        changed = true;
        this.#claims.set(
          place,
          live.flatMap((claim) => (failed.includes(claim) ? this.#weaker(place, claim) : [claim])),
        );
      }
      if (this.#queries.over) return false;
      if (!changed) return true;
    }
    return false;
  }

  /** Guesses are asked together, and asserts one by one: most of these hold. */
  async #follow(known: readonly Term[], goals: readonly Term[], claims: readonly Claim[]): Promise<boolean[]> {
    if (claims.every(({ by }) => !by)) return this.#queries.following(this.#t, known, goals);
    const follows: boolean[] = [];
    for (const goal of goals) follows.push(await this.#holds(known, goal));
    return follows;
  }

  async #holds(known: readonly Term[], goal: Term): Promise<boolean> {
    const t = this.#t;
    if (goal === t.yes || known.includes(goal)) return true;
    const asserted = [...known, t.not(goal)];
    const verdict = await this.#queries.check([...asserted, ...sumFacts(t, asserted)], this.#queries.question_ms / 2);
    return verdict.kind === "unsat";
  }

  #first({ loop }: Place, term: Term): Term {
    return this.#t.replace(term, new Map(loop.cells.map(({ symbol, first }) => [symbol, first])));
  }

  #next({ loop }: Place, term: Term): Term {
    return this.#t.replace(term, new Map(loop.cells.map(({ symbol, next }) => [symbol, next])));
  }

  #of(place: Place): readonly Claim[] {
    return this.#claims.get(place) ?? [];
  }

  #terms(place: Place): Term[] {
    return this.#of(place).map(({ term }) => term);
  }

  #runs({ loop }: Place): Term {
    return this.#t.and(loop.entry, loop.running);
  }

  #completed(place: Place): Term[] {
    return [...this.#terms(place), this.#t.not(this.#runs(place))];
  }

  /** The facts in an iteration of a loop, before its inner loops; without a loop, those at the beginning. */
  #during(place: Place | undefined): Term[] {
    if (!place) return [...this.#facts];
    const siblings = place.outer?.inner ?? this.#roots;
    const before = siblings.slice(0, siblings.indexOf(place)).flatMap((each) => this.#completed(each));
    return [...this.#during(place.outer), ...before, ...this.#terms(place), this.#runs(place)];
  }

  /** The obligations that were met on the way to a position: those of the same iterations, recorded before it. */
  #met(place: Place | undefined, before: number): Term[] {
    const path = pathOf(place);
    return this.#obligations
      .slice(0, before)
      .filter(({ place: { within } }) => within.length <= path.length && within.every((id, i) => id === path[i]))
      .map(({ when }) => this.#t.not(when));
  }

  /** The facts where a loop begins. */
  #before(place: Place): Term[] {
    const siblings = place.outer?.inner ?? this.#roots;
    const over = siblings.slice(0, siblings.indexOf(place)).flatMap((each) => this.#completed(each));
    return [...this.#during(place.outer), ...over, ...this.#met(place.outer, place.loop.owed[0])];
  }

  /** The facts at the end of an iteration. */
  #after(place: Place): Term[] {
    const over = place.inner.flatMap((each) => this.#completed(each));
    return [...this.#during(place), ...over, ...this.#met(place, place.loop.owed[1])];
  }

  /** The facts at the end of the function. */
  end(): Term[] {
    const over = this.#roots.flatMap((each) => this.#completed(each));
    return [...this.#facts, ...over, ...this.#met(undefined, this.#obligations.length)];
  }

  /** The facts where something must not happen. */
  #at({ within, over, testing }: Spot, number: number): Term[] {
    const path = all(this.#roots).find((each) => pathOf(each).join() === within.join());
    if (within.length > 0 && !path) throw new Error("an obligation within a loop that is not there");
    const inner = (path ? path.inner : this.#roots).filter(({ loop }) => over.includes(loop.id));
    const ended = inner.flatMap((each) => this.#completed(each));
    const met = this.#met(path, number);
    if (!testing || !path) return [...this.#during(path), ...ended, ...met];
    // The condition is also evaluated when there is no further iteration.
    const { entry, going } = path.loop;
    return [...this.#during(path.outer), ...this.#terms(path), this.#t.and(entry, going), ...met];
  }

  /** The obligations that were not proved. */
  async unproved(): Promise<Obligation[]> {
    const open: Obligation[] = [];
    for (const [i, each] of this.#obligations.entries()) {
      this.#queries.budget.check();
      if (!(await this.#holds(this.#at(each.place, i), this.#t.not(each.when)))) open.push(each);
    }
    return open;
  }

  follows(goal: Term): Promise<boolean> {
    return this.#holds(this.end(), goal);
  }

  /** Whether something follows at the end of every iteration of a loop. */
  async everyStep(group: Group, _: unknown, goal: Term): Promise<boolean> {
    const place = all(this.#roots).find((each) => each.group === group);
    return place !== undefined && (await this.#holds(this.#after(place), goal));
  }
}

function placesOf(groups: readonly Group[], outer: Place | undefined): Place[] {
  return groups.flatMap((group) => {
    const [member] = group.members;
    if (!member) return [];
    const place: Place = { loop: member.loop, group, outer, inner: [] };
    place.inner.push(...placesOf(group.inner, place));
    return [place];
  });
}

function all(places: readonly Place[]): Place[] {
  return places.flatMap((place) => [place, ...all(place.inner)]);
}

function pathOf(place: Place | undefined): number[] {
  return place ? [...pathOf(place.outer), place.loop.id] : [];
}

function withoutQuantifiers(terms: readonly Term[]): Term[] {
  return terms.filter((term) => !inOrder([term]).some(({ op }) => op === "forall" || op === "sum"));
}
