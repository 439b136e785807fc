import * as z from "zod/v4";
import type { Better, SolveContext, SolveVerdict } from "../language.ts";
import { model_limits } from "../limits.ts";

/** A search's better solutions, as its answer shows them; a curve is drawn from them. */
export const incumbents_output = z.array(
  z.object({
    objective: z.union([z.number(), z.array(z.number())]),
    seconds: z.number(),
    bound: z.number().optional(),
  }),
);

type Incumbent = z.output<typeof incumbents_output>[number];

/** Records the better solutions that are reported while a model is being solved, and passes the reports on. */
export class Incumbents {
  readonly #news: (message: string) => void;
  readonly #begin = performance.now();
  #incumbents: Incumbent[] = [];
  #search: number | undefined;

  constructor(news: (message: string) => void) {
    this.#news = news;
  }

  readonly news: SolveContext["news"] = (message, better) => {
    this.#news(message);
    if (better !== undefined) this.#note(better);
  };

  #note({ objective, bound, ago_s = 0, search }: Better): void {
    // Solutions from an earlier search belong to another question.
    if (search !== this.#search) this.#incumbents = [];
    this.#search = search;
    const { incumbent_ms } = model_limits;
    const found_ms = performance.now() - this.#begin - ago_s * 1000;
    const seconds = (Math.round(found_ms / incumbent_ms) * incumbent_ms) / 1000;
    // If several solutions are reported at the same time, only the latest is kept.
    if (this.#incumbents.length > 1 && this.#incumbents.at(-1)?.seconds === seconds) this.#incumbents.pop();
    this.#incumbents.push({ objective, seconds, ...(bound !== undefined && { bound }) });
    // If there are too many solutions, every second one is dropped; the first and the latest are kept.
    const { incumbents_max } = model_limits;
    if (this.#incumbents.length > 2 * incumbents_max) this.#incumbents = thin(this.#incumbents);
  }

  /** Returns the better solutions to show with this verdict; undefined if fewer than two were found. */
  shownWith(verdict: SolveVerdict): Incumbent[] | undefined {
    let shown = this.#incumbents;
    while (shown.length > model_limits.incumbents_max) shown = thin(shown);
    return shown.length > 1 ? withBounds(shown, verdict) : undefined;
  }
}

function thin(all: readonly Incumbent[]): Incumbent[] {
  return all.filter((_, i) => i % 2 === 0 || i === all.length - 1);
}

/**
 * Removes unreliable bounds. Each bound is only a solver's claim, so it is kept only if the claims at the end of the
 * search are accepted and no better solution was found.
 */
function withBounds(all: readonly Incumbent[], verdict: SolveVerdict): Incumbent[] {
  const { best, objective_bound } = verdict.kind === "sat" ? verdict : {};
  const is_accepted = best?.proved === true || objective_bound !== undefined;
  const [first, last] = [all[0]?.objective, best?.value];
  return all.map(({ bound, ...each }) => {
    const holds =
      is_accepted &&
      bound !== undefined &&
      typeof first === "number" &&
      typeof last === "number" &&
      first !== last &&
      (last > first ? bound >= last : bound <= last);
    return holds ? { ...each, bound } : each;
  });
}
