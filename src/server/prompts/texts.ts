import checker from "./checker.md";
import languages from "./languages.md";
import asp from "./review/asp.md";
import cpmpy from "./review/cpmpy.md";
import minizinc from "./review/minizinc.md";
import ortools from "./review/ortools.md";
import pysat from "./review/pysat.md";
import smtlib from "./review/smtlib.md";
import symbolic from "./review/symbolic.md";
import z3 from "./review/z3.md";
import review from "./review.md";
import solve from "./solve.md";

/** The procedure from a problem in words to a checked answer, for the agent and for hosts' models. */
export const procedure = { solve, review, checker, languages } as const;

/** Hints on how a reviewer tests a model, by language. */
export const review_hints: Readonly<Record<string, string>> = {
  z3,
  pysat,
  minizinc,
  asp,
  cpmpy,
  ortools,
  smtlib,
  symbolic,
};

/** Encloses external text in tags that the text can't close, since the tags contain a secret. */
export function quoted(name: string, text: string, secret: string): string {
  return `<${name}-${secret}>\n${text}\n</${name}-${secret}>`;
}
