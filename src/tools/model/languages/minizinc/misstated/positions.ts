import { closingOf, openingOf, stepOf } from "../source/brackets.ts";
import type { Token } from "../source/source.ts";

/** Words and operators whose operands are truth values, not constraints. */
const conditional = /^(?:not|->|<-|<->|\\\/|xor|if|then|else|elseif|=|==|!=|<|<=|>|>=|\+|-|\*)$/;

/** Those of them that reach over a conjunction. */
const weak = /^(?:->|<-|<->|\\\/|xor|if|then|else|elseif)$/;

/** Functions whose arguments hold where their call does. */
const conjunctive = /^(?:forall|constraint|)$/;

/** Whether the statement can hold only where the condition between two tokens does: all around it is a conjunction. */
export function holdsBetween(tokens: readonly Token[], first: number, last: number): boolean {
  return isConjunction(tokens, first - 1, -1) && isConjunction(tokens, last + 1, 1);
}

/** Looks outwards, past bracketed expressions. */
function isConjunction(tokens: readonly Token[], from: number, by: 1 | -1): boolean {
  let depth = 0;
  let is_conditional = conditional;
  for (let i = from; i >= 0 && i < tokens.length; i += by) {
    const text = tokens[i]?.text ?? "";
    const step = stepOf(text) * by;
    depth += step;
    if (depth > 0 || step > 0 || (step < 0 && depth === 0)) continue;
    if (step < 0) {
      // Out of the brackets around it.
      if (by < 0 && !isConjunctive(tokens, i)) return false;
      [depth, is_conditional] = [0, conditional];
    } else if (text === "/\\") is_conditional = weak;
    // The generators of a comprehension do not affect its elements, nor does the head of a predicate its body.
    else if (text === "|" && by > 0) i = closeOfLevel(tokens, i) - 1;
    else if (text === "=" && by < 0 && tokens[0]?.text === "predicate") return true;
    else if (is_conditional.test(text) || (text === "in" && tokens[i - 1]?.text !== "}")) return false;
  }
  return true;
}

/**
 * Whether an open bracket belongs to nothing, or to a function that is true only if its arguments are. A list from which
 * one element is chosen can do without the others.
 */
function isConjunctive(tokens: readonly Token[], open: number): boolean {
  if (tokens[open]?.text === "[" && tokens[closingOf(tokens, open) + 1]?.text === "[") return false;
  const { kind, text = "" } = tokens[open - 1] ?? {};
  // `forall (i in S) (…)` has its body in a second bracket.
  if (text === ")") return isConjunctive(tokens, openingOf(tokens, open - 1));
  return kind !== "word" || conjunctive.test(text) || text === "in";
}

function closeOfLevel(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let i = from; i < tokens.length; i++) {
    depth += stepOf(tokens[i]?.text);
    if (depth < 0) return i;
  }
  return tokens.length;
}
