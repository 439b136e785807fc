import type { Html } from "../html.ts";

/**
 * Parses markup into nodes. All values in it are escaped text (html.ts), and the page's policy prevents anything in it
 * from running.
 */
export function fragmentOf({ text }: Html): readonly ChildNode[] {
  return [...new DOMParser().parseFromString(text, "text/html").body.childNodes];
}

/** Returns a field's value: the text parsed as JSON if possible, otherwise the text itself. */
export function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
