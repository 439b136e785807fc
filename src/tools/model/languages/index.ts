import type { Engines } from "../../../engines/index.ts";
import type { Language } from "../language.ts";
import { asp } from "./asp/index.ts";
import { minizinc } from "./minizinc/index.ts";
import { pysat } from "./python/pysat.ts";
import { z3 } from "./python/z3.ts";

/** Every modelling language, one line each; the first is the default. */
export function openLanguages(engines: Engines): Language[] {
  return [z3(engines.python), pysat(engines.python), minizinc(engines.minizinc, engines.z3), asp(engines.clingo)];
}
