/** Cuts a text to this many characters, with a note at its end. */
export function cut(text: string, chars_max: number): string {
  if (text.length <= chars_max) return text;
  return `${text.slice(0, chars_max)}\n; cut: ${chars_max} of ${text.length} characters are shown`;
}

/** Cuts texts so that together they have about this many characters at most; earlier texts have priority. */
export function cutAll(texts: readonly string[], chars_max: number): string[] {
  let left = chars_max;
  return texts.map((text) => {
    const shown = cut(text, left);
    left = Math.max(0, left - text.length);
    return shown;
  });
}
