import type { Engines } from "../../../engines/index.ts";
import { withChecker } from "../checker/language.ts";
import type { Language } from "../language.ts";
import { asp } from "./asp/index.ts";
import { minizinc } from "./minizinc/index.ts";
import { python_languages } from "./python/index.ts";
import { pythonLanguage } from "./python/language.ts";

/** Returns every modelling language; the first is the default. */
export function openLanguages(engines: Engines): Language[] {
  return [
    ...python_languages.map((language) => pythonLanguage(engines.python, engines, language)),
    minizinc(engines.minizinc, engines.z3, engines.python),
    asp(engines.clingo),
  ].map((language) => withChecker(language, engines.python));
}
