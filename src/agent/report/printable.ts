/** A text of a model without what could steer a terminal. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (sign) =>
    sign === "\n" || sign === "\t" ? sign : "",
  );
}

/** The same on one line, cut short. */
export function oneLine(text: string, chars_max: number): string {
  const line = printable(text).replaceAll(/\s+/g, " ").trim();
  return line.length <= chars_max ? line : `${line.slice(0, chars_max - 1)}…`;
}
