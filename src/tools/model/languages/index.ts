import type { Engines } from "../../../solvers/index.ts";
import type { Language } from "../language.ts";

/** Every modelling language, one line each; the first is the default. */
export function openLanguages(_engines: Engines): Language[] {
  return [];
}
