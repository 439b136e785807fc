/**
 * Expands terms into terms without quantifiers that agree with the original ones if lists are short and ranges begin
 * near 0. A solver can find states for the expanded terms. Whether a state also satisfies the original terms must be
 * checked by evaluation.
 */
import { INT, inOrder, isOfRows, rowOf, type Term } from "./term.ts";
import type { Terms } from "./terms.ts";
import { isWeight } from "./weights.ts";

/** The item values that get their own weight: a power of a base that is larger than any count. */
const weighed = { from: -4n, to: 12n, base: 64n } as const;

/** Expands terms for lists with at most this many items. */
export function expand(t: Terms, roots: readonly Term[], items_max: number): Term[] {
  const places = Array.from({ length: items_max + 2 }, (_, i) => t.int(BigInt(i)));
  const done = new Map<Term, Term>();
  const expanded = (root: Term): Term => {
    for (const term of inOrder([root])) {
      if (done.has(term) || term.open.length > 0) continue;
      done.set(term, one(term));
    }
    return done.get(root) ?? root;
  };
  const one = (term: Term): Term => {
    const [from, to, body] = term.args;
    if ((term.op === "forall" || term.op === "sum") && from && to && body) {
      const variable = t.bound(term.name ?? "");
      const [first, end] = [expanded(from), expanded(to)];
      const parts = places.map((place) => {
        const inside = t.and(t.le(first, place), t.lt(place, end));
        if (inside === t.no) return term.op === "sum" ? t.zero : t.yes;
        const item = expanded(t.replace(body, new Map([[variable, place]])));
        return term.op === "sum" ? t.ite(inside, item, t.zero) : t.implies(inside, item);
      });
      return term.op === "sum" ? parts.reduce((a, b) => t.add(a, b)) : t.and(...parts);
    }
    if (term.args.length === 0) return term;
    const args = new Map(term.args.map((arg) => [arg, expanded(arg)]));
    if (isWeight(term)) return weight(t, [...args.values()][0] ?? t.zero);
    const rebuilt = t.rebuilt(
      term,
      term.args.map((arg) => args.get(arg) ?? arg),
    );
    return isOfRows(rebuilt.op) ? writtenOut(t, rebuilt, places) : rebuilt;
  };
  return roots.map(expanded);
}

function weight(t: Terms, item: Term): Term {
  let power = 1n;
  let all: Term = t.mul(item, t.int(weighed.base ** (weighed.to - weighed.from + 2n)));
  for (let value = weighed.from; value <= weighed.to; value++, power *= weighed.base)
    all = t.ite(t.eq(item, t.int(value)), t.int(power), all);
  return all;
}

function writtenOut(t: Terms, term: Term, places: readonly Term[]): Term {
  if (term.op === "sorted") return term;
  const [a, b] = [rowOf(term.args), rowOf(term.args.slice(4))];
  if (term.op === "joined") {
    const all = [...places, ...places.map((place) => t.add(place, t.int(BigInt(places.length))))];
    const rest = t.fill(term.args[8] ?? t.zero);
    return all.reduce((array, place) => t.store(array, place, t.select(term, place)), rest);
  }
  const agrees = (place: Term) =>
    t.and(t.lt(place, a.length), t.lt(place, b.length), t.eq(t.itemInRow(a, place), t.itemInRow(b, place)));
  return places.toReversed().reduce((rest: Term, place) => t.ite(agrees(place), t.add(rest, t.one), t.zero), t.zero);
}

/**
 * Returns conditions that keep a state small. They bound the lengths of lists and, if `size` is given, all integers in
 * the state.
 */
export function small(
  t: Terms,
  symbols: readonly Term[],
  lengths: readonly Term[],
  items_max: number,
  size: number | undefined,
): Term[] {
  const within = (term: Term, least: bigint, most: bigint) => t.and(t.le(t.int(least), term), t.le(term, t.int(most)));
  const short = lengths.map((length) => within(length, 0n, BigInt(items_max)));
  if (size === undefined) return short;
  const numbers = symbols.flatMap((symbol) => partsIn(t, symbol, items_max)).filter(({ sort }) => sort === INT);
  return [...short, ...numbers.map((term) => within(term, BigInt(-size), BigInt(size)))];
}

/** Returns the terms whose values together are the value of a term, with this many items of each array. */
export function partsIn(t: Terms, term: Term, items: number): Term[] {
  if (!term.sort.item) return [term];
  return Array.from({ length: items }, (_, i) => partsIn(t, t.select(term, t.int(BigInt(i))), items)).flat();
}
