import { cpmpy } from "./cpmpy/index.ts";
import type { PythonLanguage } from "./language.ts";
import { ortools } from "./ortools/index.ts";
import { pysat } from "./pysat/index.ts";
import { z3 } from "./z3/index.ts";

/**
 * Every language whose items are Python; the first is the default among all languages. A language whose programs can
 * use another language's package comes after that language.
 */
export const python_languages: readonly PythonLanguage[] = [z3, pysat, cpmpy, ortools];

/** The ids of the languages whose items are Python. */
export const python_ids: readonly string[] = python_languages.map(({ id }) => id);
