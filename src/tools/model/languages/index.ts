import type { Engines } from "../../../solvers/index.ts";
import type { Language } from "../language.ts";
import { asp } from "./asp.ts";
import { minizinc } from "./minizinc.ts";
import { pysat } from "./pysat.ts";
import { z3 } from "./z3.ts";

/** Every modelling language, one line each; the first is the default. */
export function openLanguages(engines: Engines): Language[] {
  return [z3(engines.python), pysat(engines.python), minizinc(engines.minizinc, engines.z3), asp(engines.clingo)];
}
