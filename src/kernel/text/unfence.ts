/** A text without its wrapping, and a note about what was removed. */
export interface Unfenced {
  readonly text: string;
  readonly notes: readonly string[];
}

/** Removes what language models and editors put around code, and converts all line endings to newlines. */
export function unfence(source: string, what: string): Unfenced {
  const marked = source.startsWith("\uFEFF");
  const whole = (marked ? source.slice(1) : source).replaceAll(/\r\n?/g, "\n");
  const fence = /^\s*```[ \t]*[\w.+-]*[ \t]*\n/.exec(whole)?.[0];
  const text = fence === undefined ? whole : withoutClosing(whole.slice(fence.length));
  return {
    text,
    notes: [
      ...(marked ? [`the byte order mark before the ${what} was removed`] : []),
      ...(fence === undefined ? [] : [`the code fence around the ${what} was removed; lines are counted without it`]),
    ],
  };
}

function withoutClosing(text: string): string {
  const end = text.trimEnd();
  return end.endsWith("```") ? end.slice(0, -3).trimEnd() : text;
}
