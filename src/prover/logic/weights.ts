/**
 * The unknown function by which `sorted(a) == sorted(b)` is stated: both have the same sum of it. To evaluate such sums it is
 * a fixed function, for which different items have sums that differ.
 */
import type { Term } from "./term.ts";

export const weight_name = "weight of an item";

export function isWeight({ op, name }: Term): boolean {
  return op === "apply" && name === weight_name;
}

const modulus = 2n ** 127n - 1n;

/** Spreads whole numbers over a large range, so that no small sum of some is one of others. */
export function weightOf(item: bigint): bigint {
  const start = (((item % modulus) + modulus) % modulus) * 0x9e3779b97f4a7c15f39cc0605cedc835n + 0x2545f4914f6cdd1dn;
  const mixed = ((start % modulus) ** 3n + start) % modulus;
  return (mixed * mixed + 0x632be59bd9b4e019n * mixed) % modulus;
}
