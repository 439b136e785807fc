import type { Search } from "./probe.ts";

/** Parts that together have no solution. */
export interface Core<Part = number> {
  readonly parts: readonly Part[];
  /** Whether removing any single part makes a solution possible. */
  readonly minimal: boolean;
}

/** The maximum number of parts for which leaving out one at a time works best. */
const few = 8;

/**
 * Leaves out parts as long as the remaining parts have no solution, first many at once, then fewer. A smaller set
 * replaces a larger one only after it was itself found unsat. If an answer is open, the parts are kept, so limits can
 * make the core larger but never wrong.
 */
export async function shrink<Part>(start: readonly Part[], search: Search<Part>): Promise<Core<Part>> {
  let core: Core<Part> = { parts: start, minimal: false };
  const first_size = start.length <= few ? 1 : Math.ceil(start.length / 2);
  for (let size = first_size; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    let before: readonly Part[] | undefined;
    // One pass is not enough if a part can become removable after other parts were left out.
    while (before?.length !== core.parts.length) {
      before = core.parts;
      core = await pass(before, size, search);
      if (search.monotone || size > 1) break;
    }
  }
  return core;
}

/** Tries to leave out chunks of this size, from the first to the last. */
async function pass<Part>(start: readonly Part[], size: number, { probe, hasTime }: Search<Part>): Promise<Core<Part>> {
  let parts = start;
  let minimal = size === 1;
  for (let at = 0; at < parts.length; ) {
    if (!hasTime()) return { parts, minimal: false };
    const rest = parts.toSpliced(at, size);
    const { verdict, core } = await probe(rest);
    if (verdict === "unsat") {
      const needed = new Set(rest.slice(0, at));
      parts = core ?? rest;
      at = parts.filter((part) => needed.has(part)).length;
    } else {
      minimal &&= verdict === "sat";
      at += size;
    }
  }
  return { parts, minimal };
}
