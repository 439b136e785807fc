/**
 * Handles lists that a loop writes item by item, where each item depends only on its position, as in a copy, a reversal
 * or a map. The claim is made for one arbitrary position at which two results can differ. So a proof holds for every
 * position without a quantifier.
 */

import { anyPlace } from "../logic/differences.ts";
import { inOrder, symbolsIn, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import type { Loop, LoopVariable } from "../run/parts.ts";
import type { Group } from "./traces.ts";

/** Returns candidates about the lists that a group of loops writes, for the beginning of an iteration. */
export function elementwise(t: Terms, group: Group): Term[] {
  return group.members.flatMap(({ loop }) => {
    const written = loop.cells.filter(({ symbol }) => symbol.sort.item !== undefined);
    return written.flatMap((array) => storesTo(array).flatMap((store) => claimsOf(t, loop, array, store)));
  });
}

interface Store {
  readonly index: Term;
  readonly value: Term;
}

/** Returns the items that one iteration writes into the list as it was at the iteration's start. */
function storesTo({ symbol, next }: LoopVariable): Store[] {
  return inOrder([next]).flatMap(({ op, args: [array, index, value] }) =>
    op === "store" && array === symbol && index && value ? [{ index, value }] : [],
  );
}

function claimsOf(t: Terms, loop: Loop, array: LoopVariable, { index, value }: Store): Term[] {
  const place = loop.cells.find(({ symbol }) => symbol === index);
  const changing = changingIn(loop);
  const used = [...symbolsIn([value])].filter((symbol) => changing.has(symbol));
  const counter = loop.cells.find(({ symbol }) => symbol === used[0]);
  const step = counter && t.sub(counter.next, counter.symbol);
  if (!place || used.length > 1 || (used.length === 1 && typeof step?.value !== "bigint")) return [];
  const at = anyPlace(t);
  const passed = t.sub(at, place.first);
  const then = counter && step ? t.add(counter.first, t.mul(step, passed)) : undefined;
  const shifted = counter && then ? t.replace(value, new Map([[counter.symbol, then]])) : value;
  const item = t.select(array.symbol, at);
  const is_written = t.and(t.le(place.first, at), t.lt(at, place.symbol));
  const is_left = t.le(place.symbol, at);
  return [t.implies(is_written, t.eq(item, shifted)), t.implies(is_left, t.eq(item, t.select(array.first, at)))];
}

/** Returns the symbols whose values change from one iteration to the next. */
function changingIn({ cells, inner }: Loop): Set<Term> {
  return new Set([...cells.map(({ symbol }) => symbol), ...inner.flatMap((each) => [...changingIn(each)])]);
}
