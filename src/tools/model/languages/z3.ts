import type { Python } from "../../../solvers/python/index.ts";
import type { Language } from "../language.ts";
import { pythonLanguage } from "./python_language.ts";
import guide from "./z3.md";

/** Z3 in Python: integers, reals, bit-vectors, arrays, strings, functions; optimisation. */
export function z3(python: Python): Language {
  return pythonLanguage(python, { id: "z3", also: ["z3py"], title: "How to model in Z3's Python", guide });
}
