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

const shown_chars_max = 80;

/** A received value as text for a message: JSON, cut short. Never calls code of the value. */
export function shown(value: unknown): string {
  const text = jsonOf(value);
  return text.length <= shown_chars_max ? text : `${text.slice(0, shown_chars_max)}… (${text.length} characters)`;
}

function jsonOf(value: unknown): string {
  // JSON can't represent these.
  if (value === undefined || typeof value === "number") return String(value);
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch (error) {
    if (error instanceof RangeError) return "a value nested too deeply to be shown";
    throw error;
  }
}

/** How a wrong argument is shown to the client that sent it. */
export function receivedValue({ input }: { input?: unknown }): string {
  return input === undefined ? "It is missing." : `Given: ${shown(input)}.`;
}
