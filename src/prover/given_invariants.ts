/**
 * Runs proofs by given invariants. The asserts at the beginning of a loop's body are the invariants. Every exception
 * that must not be raised is an obligation: it is proved once, at the place where it could be raised, and later code
 * may rely on it. This is sound because an execution that violates obligations violates one of them first, and each
 * obligation is proved from the earlier ones.
 */
import type { Queries } from "./ask/queries.ts";
import { inTime } from "./ask/time_budget.ts";
import { candidates } from "./induction/candidates.ts";
import type { Group, Trace } from "./induction/traces.ts";
import { sumFacts } from "./logic/folds.ts";
import { BOOL, INT, inOrder, symbolsIn, type Term } from "./logic/term.ts";
import type { Terms } from "./logic/terms.ts";
import type { Loop, Obligation, Spot, Variables } from "./run/parts.ts";
import { type Setting, smallest, stateIn } from "./states.ts";

/** A loop and the loops that enclose it. */
interface Place {
  readonly loop: Loop;
  readonly group: Group;
  readonly outer: Place | undefined;
  readonly inner: Place[];
}

/** A claim that is assumed at the beginning of an iteration. */
interface Claim {
  readonly term: Term;
  /** The assert that makes the claim, and what it states at its position. Undefined for a guess. */
  readonly by: Obligation | undefined;
  readonly says?: Term;
}

/** A question for the solver: what is known at a position, and what must follow. */
export interface Question {
  readonly kind: "on entry" | "kept" | "here";
  readonly obligation: Obligation;
  readonly known: readonly Term[];
  readonly goal: Term;
  /**
   * The enclosing loops, the outermost first. For "on entry" and "kept", the last loop is the one that contains the
   * assert.
   */
  readonly loops: readonly Loop[];
}

/** The results of examining each obligation. */
export interface Findings {
  proven: number;
  readonly open: Question[];
  readonly undecided: Obligation[];
}

const rounds_max = 12;
/** Z3 proves most goals that it can prove in less time than this. */
const quick_ms_max = 300;

export class GivenInvariants {
  readonly #setting: Setting;
  readonly #t: Terms;
  readonly #queries: Queries;
  readonly #facts: readonly Term[];
  readonly #obligations: readonly Obligation[];
  readonly #roots: readonly Place[];
  readonly #heads: readonly Variables[];
  readonly #claims = new Map<Place, Claim[]>();
  /** The asserts of which no form was proved, each in its weakest form. */
  readonly #failed: [Place, Claim][] = [];
  /** Whether all claims about loops were proved. */
  settled = false;

  constructor(setting: Setting, facts: readonly Term[], obligations: readonly Obligation[], groups: readonly Group[]) {
    this.#setting = setting;
    this.#t = setting.t;
    this.#queries = setting.queries;
    this.#facts = facts;
    this.#obligations = obligations;
    this.#roots = placesOf(groups, undefined);
    this.#heads = all(this.#roots).map(({ loop }) => loop.head);
  }

  /**
   * Finds invariants: first guesses without quantifiers, then the claims of the asserts. All claims are assumed at the
   * beginning of each iteration. A claim that does not follow is weakened, until every claim follows at the end of an
   * iteration from all claims at its beginning and from the earlier claims at its end. Asserts of which no form follows
   * are left open.
   */
  async settle(scalars: readonly Term[], traces: ReadonlyMap<Group, Trace>): Promise<void> {
    const is_kept = await inTime(async () => {
      await this.#guess(this.#roots, scalars, traces);
      return this.#houdini();
    });
    // Guesses count only if all of them were proved.
    for (const place of all(this.#roots))
      this.#claims.set(place, [...(is_kept ? this.#of(place) : []), ...this.#given(place)]);
    for (let is_weaker = true; is_weaker; ) is_weaker = await this.#weaken();
    this.settled = this.#failed.length === 0;
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

  /** Returns the guess that a loop's counter is not past its end. */
  #starts({ left }: Loop): Term[] {
    return left ? [this.#t.le(this.#t.zero, left)] : [];
  }

  /**
   * Returns what the asserts claim about every state at the loop's head, including the state after the last iteration.
   */
  #given({ loop }: Place): Claim[] {
    const t = this.#t;
    return loop.claims.map(({ by, when }) => ({ by, says: t.not(when), term: t.implies(loop.entry, t.not(when)) }));
  }

  /**
   * Returns the next weaker form of a claim that does not hold. Weaker forms claim it only until the loop is left
   * early, or only within an iteration.
   */
  #weaker({ loop }: Place, { term, by, says }: Claim): Claim[] {
    const t = this.#t;
    if (!says) return [];
    const steps = [loop.entry, t.and(loop.entry, loop.going), t.and(loop.entry, loop.going, loop.running)];
    const weaker = steps.map((each) => t.implies(each, says));
    const next = weaker.slice(weaker.lastIndexOf(term) + 1).find((each) => each !== term);
    return next ? [{ term: next, by, says }] : [];
  }

  /**
   * Drops guesses that iterations do not preserve, until all remaining ones are preserved. Returns false if this took
   * too long.
   */
  async #houdini(): Promise<boolean> {
    for (let round = 0; round < rounds_max; round++) {
      let changed = false;
      for (const place of all(this.#roots)) {
        const live = this.#of(place);
        if (live.length === 0) continue;
        const firsts = live.map(({ term }) => this.#first(place, term));
        const entered = await this.#queries.following(this.#t, withoutQuantifiers(this.#before(place)), firsts);
        const nexts = live.map(({ term }) => this.#next(place, term));
        const kept = await this.#queries.following(this.#t, withoutQuantifiers(this.#after(place)), nexts);
        const left = live.filter((_, i) => entered[i] && kept[i]);
        changed ||= left.length < live.length;
        this.#claims.set(place, left);
      }
      if (this.#queries.over) return false;
      if (!changed) return true;
    }
    return false;
  }

  /**
   * Weakens the asserts that are not preserved in their current form. Asserts of which no form is preserved have
   * failed. Returns whether any assert was weakened.
   */
  async #weaken(): Promise<boolean> {
    let is_weaker = false;
    for (const place of all(this.#roots))
      for (const claim of this.#of(place)) {
        if (!claim.by || this.#failed.some(([, { by }]) => by === claim.by)) continue;
        if ((await this.#failures(place, claim)).length === 0) continue;
        const [weaker] = this.#weaker(place, claim);
        is_weaker ||= weaker !== undefined;
        if (!weaker) this.#failed.push([place, claim]);
        // Other claims may rely on everything that a failed assert states.
        const [strongest = claim] = this.#given(place).filter(({ by }) => by === claim.by);
        this.#claims.set(
          place,
          this.#of(place).map((each) => (each === claim ? (weaker ?? strongest) : each)),
        );
      }
    return is_weaker;
  }

  /**
   * Checks whether an assert in this form is true when its loop is entered and after each iteration. Returns the
   * questions whose goals do not follow.
   */
  async #failures(place: Place, { by, term }: Claim): Promise<Question[]> {
    this.#queries.budget.check();
    if (!by) return [];
    const live = this.#of(place);
    const earlier = live.slice(
      0,
      live.findIndex((each) => each.by === by),
    );
    const loops = this.#around(place);
    const failures: Question[] = [];
    for (const kind of ["on entry", "kept"] as const) {
      const moved = (each: Term) => (kind === "kept" ? this.#next(place, each) : this.#first(place, each));
      const there = kind === "kept" ? this.#after(place) : this.#before(place);
      const question = { known: [...there, ...earlier.map((each) => moved(each.term))], goal: moved(term) };
      if (!(await this.#holds(question.known, question.goal)))
        failures.push({ kind, ...question, obligation: by, loops });
    }
    return failures;
  }

  async #holds(known: readonly Term[], goal: Term): Promise<boolean> {
    const t = this.#t;
    if (goal === t.yes || known.includes(goal)) return true;
    const asserted = [...known, t.not(goal)];
    const question = [...asserted, ...sumFacts(t, asserted)];
    const quick = await this.#queries.check(question, quick_ms_max);
    if (quick.kind !== "undecided") return quick.kind === "unsat";
    // A goal that a small state violates need not be tried for long.
    if (await stateIn(this.#setting, asserted, this.#heads, smallest)) return false;
    const verdict = await this.#queries.check(question, this.#queries.question_ms / 2);
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

  /**
   * Returns the facts in an iteration of a loop, before its inner loops; without a loop, the facts at the beginning of
   * the function.
   */
  #during(place: Place | undefined): Term[] {
    if (!place) return [...this.#facts];
    const siblings = place.outer?.inner ?? this.#roots;
    const before = siblings.slice(0, siblings.indexOf(place)).flatMap((each) => this.#completed(each));
    return [...this.#during(place.outer), ...before, ...this.#terms(place), this.#runs(place)];
  }

  /**
   * Returns the obligations that were met on the way to a position: those in the same iterations that were recorded
   * earlier.
   */
  #met(place: Place | undefined, before: number): Term[] {
    const path = pathOf(place);
    return this.#obligations
      .slice(0, before)
      .filter(({ place: { within } }) => within.length <= path.length && within.every((id, i) => id === path[i]))
      .map(({ when }) => this.#t.not(when));
  }

  /** Returns the facts where a loop begins. */
  #before(place: Place): Term[] {
    const siblings = place.outer?.inner ?? this.#roots;
    const over = siblings.slice(0, siblings.indexOf(place)).flatMap((each) => this.#completed(each));
    return [...this.#during(place.outer), ...over, ...this.#met(place.outer, place.loop.owed[0])];
  }

  /** Returns the facts at the end of an iteration. */
  #after(place: Place): Term[] {
    const over = place.inner.flatMap((each) => this.#completed(each));
    return [...this.#during(place), ...over, ...this.#met(place, place.loop.owed[1])];
  }

  /** Returns the facts at the end of the function. */
  end(): Term[] {
    const over = this.#roots.flatMap((each) => this.#completed(each));
    return [...this.#facts, ...over, ...this.#met(undefined, this.#obligations.length)];
  }

  /** Returns the facts at the position of an obligation. */
  #at({ within, over, testing }: Spot, number: number): Term[] {
    const path = all(this.#roots).find((each) => pathOf(each).join() === within.join());
    if (within.length > 0 && !path) throw new Error("an obligation within a loop that is not there");
    const inner = (path ? path.inner : this.#roots).filter(({ loop }) => over.includes(loop.id));
    const ended = inner.flatMap((each) => this.#completed(each));
    const met = this.#met(path, number);
    if (!testing || !path) return [...this.#during(path), ...ended, ...met];
    // The loop condition is also evaluated when there is no further iteration.
    const { entry, going } = path.loop;
    return [...this.#during(path.outer), ...this.#terms(path), this.#t.and(entry, going), ...met];
  }

  /**
   * Asks about each obligation separately, and assumes all asserts at the heads of loops: an obligation that follows
   * only from an open assert is not open itself. Obligations for which no time is left stay undecided. Raises
   * `cancelled`.
   */
  async examine(found: Findings): Promise<void> {
    const heads = new Set<Obligation>();
    const questions: { of: Obligation; count: number; ask: () => Promise<Question[]> }[] = [];
    for (const place of all(this.#roots))
      for (const { by } of place.loop.claims) {
        heads.add(by);
        const known = [...this.#failed.map(([, claim]) => claim), ...this.#of(place)];
        const claim = known.find((each) => each.by === by);
        if (!claim) throw new Error("what an assert claims is examined after it was settled");
        const ask = async () => (this.settled ? [] : this.#failures(place, claim));
        questions.push({ of: by, count: 2, ask });
      }
    for (const [i, of] of this.#obligations.entries())
      if (!heads.has(of)) questions.push({ of, count: 1, ask: () => this.#broken(of, i) });
    for (const { of, count, ask } of questions) {
      const open = await inTime(ask);
      if (!open) found.undecided.push(of);
      else {
        found.open.push(...open);
        found.proven += count - open.length;
      }
    }
    // If nothing is open, all claims about loops follow from each other.
    this.settled ||= found.open.length + found.undecided.length === 0;
  }

  async #broken(obligation: Obligation, number: number): Promise<Question[]> {
    const [known, goal] = [this.#at(obligation.place, number), this.#t.not(obligation.when)];
    if (await this.#holds(known, goal)) return [];
    return [{ kind: "here", obligation, known, goal, loops: this.#loopsOf(obligation.place) }];
  }

  #around(place: Place | undefined): Loop[] {
    return place ? [...this.#around(place.outer), place.loop] : [];
  }

  #loopsOf({ within }: Spot): Loop[] {
    return this.#around(all(this.#roots).find((each) => pathOf(each).join() === within.join()));
  }

  /** Whether any loop has an assert at its head. */
  get has_asserts(): boolean {
    return all(this.#roots).some(({ loop }) => loop.claims.length > 0);
  }

  /**
   * Returns, for each loop with asserts at its head, the variables that the loop changes but that no assert mentions.
   */
  unmentioned(): { line: number; names: string[] }[] {
    return all(this.#roots).flatMap(({ loop }) => {
      if (loop.claims.length === 0) return [];
      const mentioned = symbolsIn(loop.claims.map(({ when }) => when));
      const names = [...new Set(loop.cells.map(({ name }) => name))].filter((name) => !name.startsWith("#"));
      const left = names.filter((name) =>
        loop.cells.every((cell) => cell.name !== name || !mentioned.has(cell.symbol)),
      );
      return left.length > 0 ? [{ line: loop.line, names: left }] : [];
    });
  }

  /** Returns the terms that are satisfiable if the loop can be in a state that its iterations do not change. */
  idle(loop: Loop): Question["known"] {
    const t = this.#t;
    const place = all(this.#roots).find((each) => each.loop === loop);
    if (!place) return [t.no];
    return [...this.#after(place), ...loop.cells.map(({ symbol, next }) => t.eq(symbol, next))];
  }

  loopsOf(loop: Loop): Loop[] {
    return this.#around(all(this.#roots).find((each) => each.loop === loop));
  }

  /** Returns the obligations that were not proved. */
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

  /** Whether a goal follows at the end of every iteration of a loop. */
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
