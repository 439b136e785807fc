/**
 * Provides the unknown function that expresses `sorted(a) == sorted(b)`: both lists have the same sum of weights. For
 * evaluation, it is a fixed function under which lists with different items have different sums.
 */
import type { Term } from "./term.ts";

export const weight_name = "weight of an item";

export function isWeight({ op, name }: Term): boolean {
  return op === "apply" && name === weight_name;
}

const modulus = 2n ** 127n - 1n;

/** Spreads integers over a large range, so that small sums of the weights of different integers differ. */
export function weightOf(item: bigint): bigint {
  const start = (((item % modulus) + modulus) % modulus) * 0x9e3779b97f4a7c15f39cc0605cedc835n + 0x2545f4914f6cdd1dn;
  const mixed = ((start % modulus) ** 3n + start) % modulus;
  return (mixed * mixed + 0x632be59bd9b4e019n * mixed) % modulus;
}
