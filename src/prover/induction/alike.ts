/**
 * Guesses which variables of paired loops are equal: those with the same initial term and the same step. Other code
 * proves the guess.
 */

import type { Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import { allGroups, type Group } from "./traces.ts";

const rounds_max = 30;

/** Maps each variable of the loops to the first variable that is like it. */
export function alike(t: Terms, groups: readonly Group[]): ReadonlyMap<Term, Term> {
  const cells = allGroups(groups).flatMap(({ members }, number) =>
    members.flatMap(({ loop }) => loop.cells.map((cell) => ({ cell, key: `${number} ${cell.symbol.sort.text}` }))),
  );
  // All variables of one sort count as alike until their terms reveal a difference.
  let classes = firstOf(cells.map(({ cell, key }) => [key, cell.symbol]));
  for (let round = 0, before = 0; round < rounds_max && before < new Set(classes.values()).size; round++) {
    before = new Set(classes.values()).size;
    const by = new Map([...classes].filter(([symbol, first]) => symbol !== first));
    const known = classes;
    classes = firstOf(
      cells.map(({ cell: { symbol, first, next }, key }) => {
        const [begins, goes_on] = [first, next].map((term) => t.replace(term, by).id);
        return [`${key} ${known.get(symbol)?.id} ${begins} ${goes_on}`, symbol];
      }),
    );
  }
  return classes;
}

/** Maps each symbol to the first symbol with the same key. */
function firstOf(keyed: readonly (readonly [string, Term])[]): Map<Term, Term> {
  const firsts = new Map<string, Term>();
  for (const [key, symbol] of keyed) if (!firsts.has(key)) firsts.set(key, symbol);
  return new Map(keyed.map(([key, symbol]) => [symbol, firsts.get(key) ?? symbol]));
}
