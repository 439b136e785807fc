import type { Html } from "../html.ts";

/** Parses markup into nodes. All values in it are escaped text (html.ts), and the page's policy runs nothing that it might contain. */
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
