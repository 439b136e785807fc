/**
 * Handles sums over the same items in opposite orders. One unknown function, the sum of the first k items, describes
 * both. An ascending loop holds this sum; a descending loop holds the total minus this sum.
 */

import { INT, symbolsIn, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import type { LoopVariable } from "../run/parts.ts";
import type { Group, Member } from "./traces.ts";

/** A variable to which each iteration adds a term that depends only on the iteration's number. */
interface Sum {
  readonly cell: LoopVariable;
  readonly index: Term;
  readonly added: Term;
}

export interface PrefixSums {
  /** The equations that define the unknown functions. Being definitions, they add no assumption. */
  readonly facts: readonly Term[];
  readonly claims: readonly Term[];
}

/** Returns the claims for a group. `terms` are the terms that may be the total number of items. */
export function prefixSums(t: Terms, group: Group, terms: readonly Term[]): PrefixSums {
  const sums = group.members.flatMap((member) => sumsOf(t, member));
  const counts = terms.filter(({ sort }) => sort === INT);
  const [facts, claims]: [Term[], Term[]] = [[], []];
  for (const up of sums) {
    for (const down of sums) {
      const at = (k: Term) => t.replace(up.added, new Map([[up.index, k]]));
      const count = counts.find((each) => at(t.sub(t.sub(each, t.one), down.index)) === down.added);
      if (up === down || !count || up.added === down.added) continue;
      const prefix = (k: Term) => t.apply(`sum of the first, of ${at(t.symbol("#k", INT)).id}`, [k], INT);
      const missing = t.sub(count, down.index);
      const last = t.sub(missing, t.one);
      facts.push(t.eq(prefix(t.zero), t.zero));
      facts.push(t.eq(prefix(t.add(up.index, t.one)), t.add(prefix(up.index), at(up.index))));
      facts.push(t.eq(prefix(missing), t.add(prefix(last), at(last))));
      claims.push(t.eq(up.cell.symbol, t.add(up.cell.first, prefix(up.index))));
      claims.push(t.eq(down.cell.symbol, t.add(down.cell.first, t.sub(prefix(count), prefix(missing)))));
    }
  }
  return { facts, claims };
}

function sumsOf(t: Terms, { loop }: Member): Sum[] {
  const counter = loop.cells.find(({ symbol, first, next }) => first === t.zero && next === t.add(symbol, t.one));
  if (!counter || loop.inner.length > 0) return [];
  const changing = new Set(loop.cells.map(({ symbol }) => symbol).filter((symbol) => symbol !== counter.symbol));
  return loop.cells.flatMap((cell) => {
    if (cell.symbol.sort !== INT || cell === counter) return [];
    const added = t.sub(cell.next, cell.symbol);
    const used = symbolsIn([added]);
    const by_number_alone = used.has(counter.symbol) && [...used].every((symbol) => !changing.has(symbol));
    return by_number_alone ? [{ cell, index: counter.symbol, added }] : [];
  });
}
