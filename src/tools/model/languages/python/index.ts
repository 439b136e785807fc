import type { Python } from "../../../../engines/python/index.ts";
import type { Language } from "../../language.ts";
import type { Others } from "./confirm/second.ts";
import { cpmpy } from "./cpmpy/index.ts";
import { ortools } from "./ortools/index.ts";
import { pysat } from "./pysat/index.ts";
import { z3 } from "./z3/index.ts";

/** Every language whose items are Python, by its id, one line each; the first is the default of all languages. */
const makers: Readonly<Record<string, (python: Python, others: Others) => Language>> = {
  z3,
  pysat,
  cpmpy,
  ortools,
};

/** The ids of these languages. */
export const python_languages: readonly string[] = Object.keys(makers);

/** These languages, run in this Python. */
export function openPythonLanguages(python: Python, others: Others): Language[] {
  return Object.values(makers).map((make) => make(python, others));
}
