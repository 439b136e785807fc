/**
 * Aligns the loops of two functions that run together. Loops are paired in order, and the alignments with the most
 * pairs come first.
 */

import type { Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import type { Loop } from "../run/parts.ts";
import type { Group, Member } from "./traces.ts";

const alignments_max = 4;

type Pairing = readonly (readonly [Loop | undefined, Loop | undefined])[];

export function alignments(t: Terms, a: readonly Loop[], b: readonly Loop[]): Group[][] {
  const ways = pairings(a, b).sort((x, y) => x.length - y.length);
  return ways
    .slice(0, alignments_max)
    .map((way) => way.map(([x, y]) => groupOf(t, [member(t, x, t.yes), member(t, y, t.yes)])));
}

function pairings(a: readonly Loop[], b: readonly Loop[]): Pairing[] {
  const [[x, ...more_a], [y, ...more_b]] = [a, b];
  if (!x || !y)
    return [[...a.map((each) => [each, undefined] as const), ...b.map((each) => [undefined, each] as const)]];
  return [
    ...pairings(more_a, more_b).map((rest) => [[x, y] as const, ...rest]),
    ...(a.length > b.length ? pairings(more_a, b).map((rest) => [[x, undefined] as const, ...rest]) : []),
    ...(b.length > a.length ? pairings(a, more_b).map((rest) => [[undefined, y] as const, ...rest]) : []),
  ];
}

function member(t: Terms, loop: Loop | undefined, condition: Term): Member | undefined {
  return loop && { loop, runs: t.and(condition, loop.entry, loop.running) };
}

function groupOf(t: Terms, members: readonly (Member | undefined)[]): Group {
  const [a, b] = members;
  const [best = []] = pairings(a?.loop.inner ?? [], b?.loop.inner ?? []).sort((x, y) => x.length - y.length);
  const inner = best.map(([x, y]) => groupOf(t, [member(t, x, a?.runs ?? t.no), member(t, y, b?.runs ?? t.no)]));
  return { members: members.filter((each) => each !== undefined), inner };
}
