/** How much of a text is searched for the marks of a notation. They are near the beginning, if there are any. */
const signs_chars_max = 8_000;

/**
 * Returns the beginning of a text, with each run of whitespace reduced to one space or line end. Otherwise, a pattern
 * could scan a run again from each of its spaces, which takes quadratic time or more.
 */
export function squeezed(text: string): string {
  return text.slice(0, signs_chars_max).replaceAll(/\s+/g, (run) => (/[\n\r\u2028\u2029]/.test(run) ? "\n" : " "));
}
