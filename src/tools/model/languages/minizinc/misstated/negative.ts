import { closingOf, withOperators } from "../source/brackets.ts";
import { callsOf } from "../source/calls.ts";
import type { Statement } from "../source/source.ts";
import { bindingsOf, endOf, type Tokens, variablesOf } from "./bindings.ts";
import { isOld } from "./reified.ts";

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

/**
 * Whether a power may have a variable for its exponent that can be negative: before 2.10, the library then loses the
 * solutions of all exponents but one.
 */
export function raisesToNegative(statements: readonly Statement[], version: string): boolean {
  if (!isOld(version)) return false;
  const all = statements.map(({ tokens }) => withOperators(tokens));
  const variables = variablesOf(all, bindingsOf(all));
  const declared = all.flatMap(exponentsIn);
  const may_be_negative = new Set(declared.filter(([, is_natural]) => !is_natural).map(([name]) => name));
  const natural = new Set(declared.map(([name]) => name).filter((name) => !may_be_negative.has(name)));
  const isOpen = (exponent: Tokens) =>
    exponent.some(({ text }) => variables.has(text)) &&
    !(exponent.length === 1 && natural.has(exponent[0]?.text ?? ""));
  return (
    callsOf(statements, /^pow$/).some(({ args: [, exponent = []] }) => isOpen(exponent)) ||
    all.some((tokens) => tokens.some(({ text }, i) => text === "^" && isOpen(operandAfter(tokens, i))))
  );
}

/** The variables that a statement declares, each with whether its domain is written as a range from 0 or more. */
function exponentsIn(tokens: Tokens): [string, boolean][] {
  return tokens.flatMap(({ text }, i): [string, boolean][] => {
    const colon = text === "var" ? endOf(tokens, i, /^[:;]$/) : tokens.length;
    const name = tokens[colon + 1];
    return name?.kind === "word" ? [[name.text, tokens[i + 1]?.kind === "number"]] : [];
  });
}

/** A name, a number or what is in brackets, with an index if there is one. */
function operandAfter(tokens: Tokens, operator: number): Tokens {
  const start = tokens[operator + 1]?.text === "(" ? closingOf(tokens, operator + 1) : operator + 1;
  const end = /^[([]$/.test(tokens[start + 1]?.text ?? "") ? closingOf(tokens, start + 1) : start;
  return tokens.slice(operator + 1, end + 1);
}
