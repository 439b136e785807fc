import type { ItemLine } from "../language.ts";
import type { Statement } from "./minizinc_source.ts";

/** Constraints that can't hold together. */
export interface Conflict {
  readonly constraints: readonly Statement[];
  /** Whether each of them is needed for the conflict. */
  readonly smallest: boolean;
}

/** So few are best taken away one by one. */
const few = 8;

/**
 * Takes constraints away as long as the others still conflict: first many at once, then fewer. What is left was
 * answered unsat itself, by the last question or by the one that came before all. An open answer keeps what was
 * to go, so that limits make the set larger and never wrong.
 */
export async function narrow(
  all: readonly Statement[],
  conflicts: (constraints: readonly Statement[]) => Promise<boolean>,
  timeLeft: () => boolean,
): Promise<Conflict> {
  let kept = all;
  const first_size = all.length <= few ? 1 : Math.ceil(all.length / 2);
  for (let size = first_size; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length; ) {
      if (!timeLeft()) return { constraints: kept, smallest: false };
      const fewer = kept.toSpliced(at, size);
      if (await conflicts(fewer)) kept = fewer;
      else at += size;
    }
  }
  return { constraints: kept, smallest: timeLeft() };
}

/** The text without these statements; every line and column stays where it is. */
export function without(items: readonly string[], removed: readonly Statement[]): string[] {
  return items.map((text, item) =>
    removed
      .filter((statement) => statement.item === item)
      .reduce((rest, { start, end }) => rest.slice(0, start) + blank(rest.slice(start, end)) + rest.slice(end), text),
  );
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}

/** Where the constraints stand, as an answer shows them. */
export function placesOf(constraints: readonly Statement[], items: readonly string[]): ItemLine[] {
  return constraints.map(({ item, line, start, end }) => {
    const text = (items[item] ?? "").slice(start, end).replaceAll(/\s+/g, " ");
    return { item, line, text };
  });
}
