import type { Python } from "../../../solvers/python/index.ts";
import type { Language } from "../language.ts";
import guide from "./pysat.md";
import { pythonLanguage } from "./python_language.ts";

/** PySAT in Python: SAT, MaxSAT, conflicting and correcting sets, enumeration, counting. */
export function pysat(python: Python): Language {
  return pythonLanguage(python, { id: "pysat", also: ["sat", "maxsat"], title: "How to model in PySAT", guide });
}
