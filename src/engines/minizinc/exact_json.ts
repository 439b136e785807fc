/** Strings, which are skipped, and numbers, some of which are too large. */
const strings_and_numbers = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Reads JSON; integers that a JavaScript number can't represent become strings instead of being rounded. */
export function parseExactJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const safe = text.replaceAll(strings_and_numbers, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
  return JSON.parse(safe);
}

/** Writes a value that was read in this way, with the integers unchanged. */
export function writeExactJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"(-?\d{16,})"/g, "$1");
}
