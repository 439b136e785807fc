/** Control characters, and marks that change the direction of a text, in the form of an escape: `\u001b`. */
const unseen = /\r(?!\n)|(?![\n\t\r])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text for a reader or a terminal: what could hide or change a part of it is shown. In JSON it means the same. */
export function visible(text: string): string {
  return text.replaceAll(unseen, escapeSign);
}

/** A name within a line of fixed form: its line ends are shown, too. */
export function visibleName(name: string): string {
  return visible(name).replaceAll(/[\r\n\t\u2028\u2029]/g, escapeSign);
}

function escapeSign(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
