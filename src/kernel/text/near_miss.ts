import { distance } from "fastest-levenshtein";

const names_max = 3;

/** Returns the known names that are most similar to this name, with at most two different letters. */
export function nearest(name: string, known: Iterable<string>): string[] {
  // All one-letter names are similar to each other, so only the same letter in the other case is suggested.
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

/** Returns the number of letters to change. All differences in case together count as half a letter. */
function difference(a: string, b: string): number {
  return Math.min(distance(a, b), distance(a.toLowerCase(), b.toLowerCase()) + 0.5);
}

/** Whether a name is a word and not an operator. Operators and names are never suggested for each other. */
function isWord(name: string): boolean {
  return /^\w/.test(name);
}
