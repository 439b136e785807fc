/** An HTML fragment in which all text is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Html[];

/**
 * Builds an HTML fragment. Inserted parts are escaped as text unless they are HTML fragments, so a language model's
 * output can't become markup.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((whole, each, i) => `${whole}${markup(parts[i - 1] ?? "")}${each}`));
}

function markup(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "string" || typeof part === "number") return escapeText(String(part));
  return part.map(({ text }) => text).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text from any source for use in a page; control characters become visible. */
function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? "").replace(/(?![\t\n\r])\p{Cc}/gu, "\uFFFD");
}
