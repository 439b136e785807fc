import { argumentOf, callsOf, writtenElements } from "../source/calls.ts";
import type { Statement } from "../source/source.ts";

/**
 * Whether a global cardinality has a value twice in its cover: the library adds that the counts together are at most
 * the number of variables, which counts such a value twice.
 */
export function coversTwice(statements: readonly Statement[], data: readonly string[]): boolean {
  return callsOf(statements, /^global_cardinality(?:_low_up)?(?:_closed)?$/).some((call) => {
    const cover = writtenElements(argumentOf(call, 1, "cover"), statements, data) ?? [];
    return new Set(cover).size < cover.length;
  });
}
