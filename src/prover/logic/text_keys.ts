/** Texts as keys: a whole number for each, which is the code point for a text of one character. */
import type { Concrete } from "./concrete.ts";

export const text_key_name = "key of text";
export const text_length_name = "length of the text of a key";
export const text_codes_name = "code points of the text of a key";

/** More than all code points. */
const base = 0x110000n;
const empty_key = -1n;

export function textKey(codes: readonly bigint[]): bigint {
  const [first] = codes;
  if (first === undefined) return empty_key;
  return codes.length === 1 ? first : codes.reduce((key, code) => key * base + code, 1n);
}

/** The text of a key; for other numbers, some text of two characters or more. */
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
