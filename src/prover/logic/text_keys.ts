/**
 * Texts as keys: an integer represents each (for a single character, its code point). Also, how often a text occurs in
 * another.
 */
import type { Concrete } from "./concrete.ts";

export const text_key_name = "key of text";
export const text_length_name = "length of the text of a key";
export const text_codes_name = "code points of the text of a key";

/** How often one text occurs in another; used for texts of any length except 1. */
export const text_count_name = "occurrences of a text";

/** The position at which a text first occurs in another. */
export const text_place_name = "place of a text";

/** `of.find(part)`, for rows of code points. */
export function textPlace(part: readonly Concrete[], of: readonly Concrete[]): bigint {
  for (let at = 0; at + part.length <= of.length; at++)
    if (part.every((code, i) => code === of[at + i])) return BigInt(at);
  return -1n;
}

/** `of.count(part)`, for rows of code points. */
export function textCount(part: readonly Concrete[], of: readonly Concrete[]): bigint {
  if (part.length === 0) return BigInt(of.length + 1);
  const at = textPlace(part, of);
  return at < 0n ? 0n : 1n + textCount(part, of.slice(Number(at) + part.length));
}

/** A base larger than all code points. */
const base = 0x110000n;
const empty_key = -1n;

export function textKey(codes: readonly bigint[]): bigint {
  const [first] = codes;
  if (first === undefined) return empty_key;
  return codes.length === 1 ? first : codes.reduce((key, code) => key * base + code, 1n);
}

/**
 * Returns the code points of a key's string. For other numbers, returns an arbitrary string of at least two characters.
 */
function textOf(key: bigint): bigint[] {
  if (key === empty_key) return [];
  if (key >= 0n && key < base) return [key];
  const codes: bigint[] = [];
  for (let rest = key; rest > 1n; rest /= base) codes.unshift(rest % base);
  return codes.length < 2 ? [0n, 0n] : codes;
}

export function textLength(key: bigint): Concrete {
  return BigInt(textOf(key).length);
}

export function textCodes(key: bigint): Concrete {
  return { items: new Map(textOf(key).map((code, i): [bigint, Concrete] => [BigInt(i), code])), rest: 0n };
}
