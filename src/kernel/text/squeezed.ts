/** The marks of a notation are near the beginning of a text, if there are any. */
const signs_chars_max = 8_000;

/**
 * The beginning of a text, with one space or line end for each run of them. A pattern that is searched in it can't run over
 * the same spaces again from each of them: that takes the square of their number, or more.
 */
export function squeezed(text: string): string {
  return text.slice(0, signs_chars_max).replaceAll(/\s+/g, (run) => (/[\n\r\u2028\u2029]/.test(run) ? "\n" : " "));
}
