import { argumentOf, callsOf, parted } from "../source/calls.ts";
import type { Statement, Token } from "../source/source.ts";
import { indexSetOf } from "./lengths.ts";

/**
 * Whether a packing of optional items may put one into a bin that there is not: the library takes the number after the
 * last bin for an item that is absent. The bins are those of the items where both are declared by the same text.
 */
export function packsBeyondBins(statements: readonly Statement[]): boolean {
  const optional = new Map(statements.flatMap(({ tokens }) => optionalNames(tokens)));
  return callsOf(statements, /^bin_packing_(?:capa|load)$/).some((call) => {
    if (optional.size === 0 || call.args.length < 3) return false;
    const bins = indexSet([...argumentOf(call, 0, call.tokens[call.at]?.text.slice(12) ?? "")], statements);
    const domains = argumentOf(call, 1, "bin").flatMap(({ text }) => optional.get(text) ?? []);
    return domains.some((domain) => domain !== bins);
  });
}

/** The index set of a list as the source writes it; undefined where it does not. */
function indexSet([first, ...more]: readonly Token[], statements: readonly Statement[]): string | undefined {
  if (first?.text === "[" && !more.some(({ text }) => text === "|")) return `1..${parted(more.slice(0, -1)).length}`;
  return first?.kind === "word" && more.length === 0 ? indexSetOf(first.text, statements) : undefined;
}

/** The optional variables that a statement declares, each with its domain. */
function optionalNames(tokens: readonly Token[]): [string, string][] {
  return tokens.flatMap(({ text }, i): [string, string][] => {
    const colon = tokens.findIndex(({ text: other }, at) => at > i && other === ":");
    const name = tokens[colon + 1];
    if (text !== "opt" || colon < 0 || name?.kind !== "word") return [];
    const domain = tokens.slice(i + 1, colon).map(({ text: word }) => word);
    return [[name.text, domain.join("")]];
  });
}
