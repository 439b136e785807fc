/** Control characters, and marks that change a text's direction. They are shown as escapes such as `\u001b`. */
const unseen = /\r(?!\n)|(?![\n\t\r])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Makes a text safe for a reader or a terminal: escapes all characters that could hide or change a part of it. A JSON
 * text keeps its meaning.
 */
export function visible(text: string): string {
  return text.replaceAll(unseen, escapeSign);
}

/** Makes a text safe as one line among others: also escapes its line ends. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll(/[\r\n\u2028\u2029]/g, escapeSign);
}

/** Makes a name safe for a line of fixed format: also escapes its tabs. */
export function visibleName(name: string): string {
  return visibleLine(name).replaceAll("\t", escapeSign);
}

function escapeSign(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
