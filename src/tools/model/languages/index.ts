import type { Engines } from "../../../engines/index.ts";
import type { Language } from "../language.ts";
import { asp } from "./asp/index.ts";
import { minizinc } from "./minizinc/index.ts";
import { openPythonLanguages } from "./python/index.ts";

/** Every modelling language; the first is the default. */
export function openLanguages(engines: Engines): Language[] {
  return [...openPythonLanguages(engines.python, engines), minizinc(engines.minizinc, engines.z3), asp(engines.clingo)];
}
