const chars_max = 80;

/** A received value as text for a message: JSON, cut short. Never calls code of the value. */
export function shown(value: unknown): string {
  const text = jsonOf(value);
  return text.length <= chars_max ? text : `${text.slice(0, chars_max)}… (${text.length} characters)`;
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
