import type { Statement } from "../source/source.ts";

/**
 * What MiniZinc's library defines wrongly for some values: `cost_mdd` is unsatisfiable where all costs of a layer are
 * negative, and `seq_precede_chain` where all values are; of sets it loses those solutions that have an empty set.
 */
export function misstatedForValues(
  statements: readonly Statement[],
  data: readonly string[],
  is_found_while_compiling: boolean,
): string[] {
  const words = new Set(statements.flatMap(({ tokens }) => tokens.map(({ text }) => text)));
  const has_negative = words.has("-") || data.some((text) => /-\s*\d/.test(text));
  const names: string[] = [];
  if (words.has("cost_mdd") && has_negative) names.push("cost_mdd with negative costs");
  if (!words.has("seq_precede_chain")) return names;
  if (hasVariableSet(statements)) names.push("seq_precede_chain of sets");
  // Its variables then have no value, which the compiler finds.
  else if (has_negative && is_found_while_compiling) names.push("seq_precede_chain of negative numbers");
  return names;
}

function hasVariableSet(statements: readonly Statement[]): boolean {
  return statements.some(({ tokens }) =>
    tokens.some(({ text }, i) => text === "var" && tokens[i + 1]?.text === "set" && tokens[i + 2]?.text === "of"),
  );
}
