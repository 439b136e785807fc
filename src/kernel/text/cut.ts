import { unless } from "../unless.ts";
/** Truncates a text to this many characters, with a note at the end. */
export function cut(text: string, chars_max: number): string {
  if (text.length <= chars_max) return text;
  return `${text.slice(0, chars_max)}\n; cut: ${chars_max} of ${text.length} characters are shown`;
}

/** Cuts texts to about this many characters in total. Earlier texts have priority. */
export function cutAll(texts: readonly string[], chars_max: number): string[] {
  let left = chars_max;
  return texts.map((text) => {
    const shown = cut(text, left);
    left = Math.max(0, left - text.length);
    return shown;
  });
}

const shown_chars_max = 80;

/** Formats a received value for a message, as shortened JSON. Never calls the value's own code. */
export function shown(value: unknown): string {
  const text = jsonOf(value);
  return text.length <= shown_chars_max ? text : `${text.slice(0, shown_chars_max)}… (${text.length} characters)`;
}

function jsonOf(value: unknown): string {
  // JSON can't represent `undefined` and some numbers.
  if (value === undefined || typeof value === "number") return String(value);
  return unless(RangeError, () => JSON.stringify(value) ?? typeof value) ?? "a value nested too deeply to be shown";
}

/** Describes a wrong argument to the client that sent it. */
export function receivedValue({ input }: { input?: unknown }): string {
  return input === undefined ? "It is missing." : `Given: ${shown(input)}.`;
}
