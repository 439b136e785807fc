import { argumentOf, callsOf } from "../source/calls.ts";
import { Sizes } from "../source/sizes.ts";
import type { Statement } from "../source/source.ts";

/**
 * Constraints on lists that have a single element, where the library states nothing, or where its forms contradict each
 * other: any number is the position in `arg_sort([5], [x])`, and Gecode's `circuit` of one node leads to that node, while
 * the library's has no solution. A list counts as longer where the source does not show how long it is.
 */
export function misstatedForSingles(statements: readonly Statement[], data: readonly string[]): string[] {
  const sizes = new Sizes(statements, data);
  const calls = callsOf(statements, /^(?:arg_sort|circuit)$/);
  const wrong = calls.filter(({ tokens, at, args }) => tokens[at]?.text === "circuit" || args.length > 1);
  const single = wrong.filter((call) => sizes.ofList(argumentOf(call, 0, "xs")) === 1);
  return [...new Set(single.map(({ tokens, at }) => `${tokens[at]?.text} of a single element`))];
}
