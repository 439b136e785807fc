import type { Html } from "../html.ts";

/**
 * Markup as nodes. Every value in it is escaped text (html.ts), and the policy of the page runs nothing that it would bring.
 */
export function fragmentOf({ text }: Html): readonly ChildNode[] {
  return [...new DOMParser().parseFromString(text, "text/html").body.childNodes];
}

/** A field's value: parsed as JSON, or the text itself. */
export function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
