import { closingOf, stepOf, withOperators } from "../source/brackets.ts";
import type { Statement, Token } from "../source/source.ts";
import { isInConjunctions } from "./reified.ts";

/**
 * Functions that MiniZinc's library promises to have a value for all arguments, although they have none for some, each
 * with its numbers of arguments; with another number they are predicates. The compiler then requires a value wherever
 * they stand: `b \/ arg_val(x, v) = 1` is false of each `v` that is not in `x`, even where `b` holds.
 */
const promised: ReadonlyMap<string, readonly number[]> = new Map([
  ["arg_val", [2]],
  ["global_cardinality_closed", [2]],
  ["piecewise_linear", [3, 5]],
  ["writes", [3]],
]);

/** Words and operators below which an undefined value need not make the statement false. */
const weak = /^(?:not|->|<-|<->|\\\/|xor|xorall|iffall|clause|if|exists|where|default|bool2int)$/;

const comparison = /^(?:=|==|!=|<|<=|>|>=)$/;

/** Those of these functions that are called where the statement could hold without their value. */
export function promisedValues(statements: readonly Statement[]): string[] {
  const names = statements.flatMap((statement) => {
    const tokens = withOperators(statement.tokens);
    const calls = [...tokens.keys()].filter((i) => isCall(tokens, i));
    return calls.filter((i) => !needsValue(tokens, i)).flatMap((i) => tokens[i]?.text ?? []);
  });
  return [...new Set(names)];
}

function isCall(tokens: readonly Token[], i: number): boolean {
  const numbers = promised.get(tokens[i]?.text ?? "");
  return numbers !== undefined && tokens[i + 1]?.text === "(" && numbers.includes(argumentsAt(tokens, i + 1));
}

function argumentsAt(tokens: readonly Token[], open: number): number {
  let depth = 0;
  let commas = 0;
  const close = closingOf(tokens, open);
  for (let i = open; i < close; i++) {
    depth += stepOf(tokens[i]?.text);
    // A comma before the closing bracket separates nothing.
    if (depth === 1 && tokens[i]?.text === "," && i + 1 < close) commas++;
  }
  return commas + 1;
}

/** Whether the statement is false without the value: the call is a part of the only comparison of its conjunct. */
export function needsValue(tokens: readonly Token[], call: number): boolean {
  const first = tokens[0]?.text ?? "";
  if (/^(?:function|predicate|test)$/.test(first) || tokens.some(({ text }) => weak.test(text))) return false;
  const start = tokens.findLastIndex(({ text }, i) => i < call && text === "/\\") + 1;
  const end = tokens.findIndex(({ text }, i) => i > call && text === "/\\");
  const conjunct = tokens.slice(start, end < 0 ? tokens.length : end);
  const comparisons = [...conjunct.keys()].filter(
    (i) => comparison.test(conjunct[i]?.text ?? "") || isMembership(conjunct, i),
  );
  // A truth value with a name may be false.
  const sign = tokens.findIndex(({ text }) => text === "=");
  if (first !== "constraint" && tokens.slice(0, Math.max(0, sign)).some(({ text }) => /^(?:bool|any)$/.test(text)))
    return false;
  // The first = of a declaration compares nothing, and an objective has no comparison that must hold.
  if (first !== "constraint") return comparisons.length <= (first === "solve" ? 0 : 1);
  // Without a comparison, the call is an argument of a predicate, which may hold without it.
  return comparisons.length === 1 && comparisons.every((i) => isInConjunctions(tokens, start + i));
}

/** `in` behind an expression; behind a name it is read as that of a generator. */
function isMembership(tokens: readonly Token[], i: number): boolean {
  return tokens[i]?.text === "in" && tokens[i - 1]?.kind !== "word";
}
