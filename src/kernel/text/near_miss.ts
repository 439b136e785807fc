import { distance } from "fastest-levenshtein";

const names_max = 3;

/** The known names that are most similar to this one, with at most two different letters. */
export function nearest(name: string, known: Iterable<string>): string[] {
  // Names of one letter are all similar to each other: only another case is suggested.
  const allowed = name.length === 1 ? 0.5 : name.length <= 3 ? 1 : 2;
  const candidates = [...new Set(known)]
    .filter(
      (other) => other !== name && Math.abs(other.length - name.length) <= allowed && isWord(other) === isWord(name),
    )
    .map((other) => ({ other, far: difference(name, other) }))
    .filter(({ far }) => far <= allowed);
  const least = Math.min(...candidates.map(({ far }) => far));
  return candidates
    .filter(({ far }) => far === least)
    .map(({ other }) => other)
    .slice(0, names_max);
}

/** Letters to change; those that differ only in case count half of one together. */
function difference(a: string, b: string): number {
  return Math.min(distance(a, b), distance(a.toLowerCase(), b.toLowerCase()) + 0.5);
}

/** Operators and names are never suggested for each other. */
function isWord(name: string): boolean {
  return /^\w/.test(name);
}
