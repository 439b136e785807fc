/**
 * Evaluates operations that are not modelled. In a run, each such operation is an arbitrary but fixed function of its
 * operands. A difference in such a run says nothing about Python, but an equation that fails in the run does not
 * follow.
 */
import type { Concrete } from "./concrete.ts";
import { BOOL, FLOAT, type Sort, type Term } from "./term.ts";

/** Whether a term applies a function that represents an operation that is not modelled. */
export function isUnmodelled({ op, name }: Term): boolean {
  return op === "apply" && name?.startsWith("~") === true;
}

/** The number of array items to which such a function assigns individual values. */
const items_given = 6;

/**
 * Computes an arbitrary function that is the same in all runs. Its results are small numbers, which can be lengths. Few
 * operations raise an exception.
 */
export function anyResult({ name = "", sort }: Term, args: readonly Concrete[]): Concrete {
  return spread(hash(`${name} ${args.map(written).join(" ")}`), sort, name.endsWith(" raises") ? 8 : 2);
}

function spread(seed: number, sort: Sort, one_in: number): Concrete {
  if (sort.item) {
    const item = sort.item;
    const items = Array.from({ length: items_given }, (_, i): [bigint, Concrete] => [
      BigInt(i),
      spread(hash(`${seed} ${i}`), item, one_in),
    ]);
    return { items: new Map(items), rest: spread(hash(`${seed} rest`), item, one_in) };
  }
  if (sort === BOOL) return seed % one_in === 0;
  if (sort === FLOAT) return seed % 7;
  return BigInt(seed % 6);
}

function written(value: Concrete): string {
  if (typeof value !== "object") return `${typeof value} ${Object.is(value, -0) ? "-0" : value}`;
  const rest = written(value.rest);
  const items = [...value.items]
    .map(([at, item]) => `${at}: ${written(item)}`)
    .filter((each) => !each.endsWith(`: ${rest}`));
  return `[${items.toSorted().join(", ")}, ${rest}]`;
}

/** Returns a 31-bit number. */
function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193);
  return (sum ^ (sum >>> 13)) & 0x7fffffff;
}
