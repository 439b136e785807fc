import * as z from "zod/v4";
import type { SolveContext } from "../language.ts";
import { model_limits } from "../limits.ts";

/** The better solutions of a search, as its answer shows them: a curve is drawn of them. */
export const incumbents_output = z.array(
  z.object({ objective: z.union([z.number(), z.array(z.number())]), seconds: z.number() }),
);

type Incumbent = z.output<typeof incumbents_output>[number];

/** Notes the better solutions that are reported while a model is being solved, and passes the reports on. */
export class Incumbents {
  readonly #news: (message: string) => void;
  readonly #begin = performance.now();
  #found: Incumbent[] = [];

  constructor(news: (message: string) => void) {
    this.#news = news;
  }

  readonly news: SolveContext["news"] = (message, objective) => {
    this.#news(message);
    if (objective === undefined) return;
    const { incumbent_ms } = model_limits;
    const seconds = (Math.round((performance.now() - this.#begin) / incumbent_ms) * incumbent_ms) / 1000;
    // Of many that follow each other at once, the latest stays.
    if (this.#found.length > 1 && this.#found.at(-1)?.seconds === seconds) this.#found.pop();
    this.#found.push({ objective, seconds });
    // Every second one is dropped where there are too many; the first and the latest stay.
    const { incumbents_max } = model_limits;
    if (this.#found.length > 2 * incumbents_max) this.#found = thinned(this.#found);
  };

  /** Those of an answer; undefined where fewer than two were found. */
  get shown(): readonly Incumbent[] | undefined {
    let shown = this.#found;
    while (shown.length > model_limits.incumbents_max) shown = thinned(shown);
    return shown.length > 1 ? shown : undefined;
  }
}

function thinned(all: readonly Incumbent[]): Incumbent[] {
  return all.filter((_, i) => i % 2 === 0 || i === all.length - 1);
}
