/**
 * Simplifies goals with the equations among the hypotheses. Equal terms become the same term, so a goal that equates
 * them needs no solver, whatever operations they contain.
 */

import { INT, symbolsIn, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";

/** The maximum number of parts of a sum that is solved for a symbol. */
const parts_max = 4;
const equations_max = 60;

/**
 * Returns a function that rewrites goals by the equations and conditions in the hypotheses. A goal that becomes true
 * follows from the hypotheses.
 */
export function rewriter(t: Terms, hypotheses: readonly Term[]): (goal: Term) => Term {
  const known = hypotheses.flatMap((each) => (each.op === "and" ? each.args : [each]));
  const by = new Map<Term, Term>();
  for (const each of known.filter(({ op }) => op === "=").slice(0, equations_max)) {
    const solved = solve(t, t.replace(each, by));
    if (!solved) continue;
    const one = new Map([solved]);
    for (const [symbol, term] of by) by.set(symbol, t.replace(term, one));
    by.set(...solved);
  }
  const granted = new Map<Term, Term>();
  for (const each of known) {
    const term = by.size > 0 ? t.replace(each, by) : each;
    for (const part of term.op === "and" ? term.args : [term]) {
      if (part.op === "literal") continue;
      granted.set(part, t.yes);
      granted.set(t.not(part), t.no);
    }
  }
  return (goal) => t.replace(by.size > 0 ? t.replace(goal, by) : goal, granted);
}

/** Solves an equation for a symbol. Returns the symbol and the equal term, which does not contain the symbol. */
function solve(t: Terms, equation: Term): [Term, Term] | undefined {
  const [a, b] = equation.args;
  if (equation.op !== "=" || !a || !b) return undefined;
  if (a.sort !== INT) {
    const [symbol, term] = b.op === "symbol" ? [b, a] : [a, b];
    return symbol.op === "symbol" && !contains(term, symbol) ? [symbol, term] : undefined;
  }
  // An equation of integers is treated as a sum that equals 0.
  const sum = a === t.zero ? b : t.sub(a, b);
  const parts = sum.op === "+" ? sum.args : [sum];
  if (parts.length > parts_max) return undefined;
  const candidates = parts.flatMap((part): [Term, Term][] => {
    if (part.op === "symbol") return [[part, t.sub(part, sum)]];
    const [factor, symbol, ...more] = part.op === "*" ? part.args : [];
    return factor?.value === -1n && symbol?.op === "symbol" && more.length === 0 ? [[symbol, t.add(symbol, sum)]] : [];
  });
  // The equation is solved for the newest symbol, which belongs to the inner loop or to the second function.
  const [last] = candidates.filter(([symbol, term]) => !contains(term, symbol)).toSorted(([x], [y]) => y.id - x.id);
  return last;
}

function contains(term: Term, symbol: Term): boolean {
  return term === symbol || symbolsIn([term]).has(symbol);
}
