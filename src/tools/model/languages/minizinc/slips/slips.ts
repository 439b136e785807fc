import { spotAt } from "./spot.ts";
import { syntaxCures } from "./syntax_slips.ts";
import { typeCures } from "./type_slips.ts";

/** The correction if an error's position reveals a known mistake; undefined otherwise. */
export function cureFor(message: string, text: string, at: number): string | undefined {
  const spot = spotAt(message, text, at);
  const cures = /syntax error/.test(message) ? syntaxCures : typeCures;
  for (const cure of cures) {
    const advice = cure(spot);
    if (advice !== undefined) return advice;
  }
  return undefined;
}
