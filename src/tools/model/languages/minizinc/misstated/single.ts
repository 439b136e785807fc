import { elementsOf } from "../../../../../engines/minizinc/flatzinc/parse.ts";
import type { Compiled } from "../question.ts";
import { argumentOf, callsOf } from "../source/calls.ts";
import { Sizes } from "../source/sizes.ts";
import type { Statement } from "../source/source.ts";

/**
 * Constraints on lists that have a single element, where the library states nothing, or where its forms contradict each
 * other: any number is the position in `arg_sort([5], [x])`, and Gecode's `circuit` of one node leads to that node, while
 * the library's has no solution. A list counts as longer where neither the source nor the compiled model shows its length.
 */
export function misstatedForSingles(
  statements: readonly Statement[],
  data: readonly string[],
  compiled?: Compiled,
): string[] {
  const sizes = new Sizes(statements, data);
  const calls = callsOf(statements, /^(?:arg_sort|circuit)$/);
  const wrong = calls.filter(({ tokens, at, args }) => tokens[at]?.text === "circuit" || args.length > 1);
  const single = wrong.filter((call) => sizes.ofList(argumentOf(call, 0, "xs")) === 1);
  const names = single.map(({ tokens, at }) => tokens[at]?.text);
  return [...new Set([...names, ...lonelyCircuit(compiled)])].map((name) => `${name}${of_single}`);
}

/** How the name of such a constraint goes on in the answer. */
export const of_single = " of a single element";

function lonelyCircuit(compiled: Compiled): string[] {
  if (compiled === undefined || compiled === "unreadable") return [];
  const is_lonely = compiled.constraints.some(
    ({ name, args }) => name === "gecode_circuit" && elementsOf(compiled, args[1])?.length === 1,
  );
  return is_lonely ? ["circuit"] : [];
}
