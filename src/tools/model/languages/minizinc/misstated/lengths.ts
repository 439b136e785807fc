import { closingOf } from "../source/brackets.ts";
import { callsOf, parted } from "../source/calls.ts";
import type { Statement, Token } from "../source/source.ts";

/**
 * Whether a strict lexicographic order may compare lists of different lengths: the library of linear solvers then takes
 * no list for less than one that begins with it. Lists count as equally long where the source shows it: by the number
 * of elements, the index set, or the array of which both are rows.
 */
export function comparesLengths(statements: readonly Statement[]): boolean {
  return callsOf(statements, strict).some(({ args }) => {
    const [a, b] = args.map((part) => lengthOf(part, statements));
    return a === undefined || a !== b;
  });
}

const strict = /^lex_(?:less|greater)$/;

/** A text that only lists of one length have; undefined if the source does not show the length. */
function lengthOf(list: readonly Token[], statements: readonly Statement[]): string | undefined {
  const [first, second] = list;
  if (first === undefined) return undefined;
  if (second === undefined) return indexSetOf(first.text, statements);
  const opening = first.text === "[" ? 0 : 1;
  if (closingOf(list, opening) !== list.length - 1) return undefined;
  const inner = list.slice(opening + 1, -1);
  if (opening === 0) {
    const bar = inner.findIndex(({ text }) => text === "|");
    return bar < 0 ? String(parted(inner).length) : textOf(inner.slice(bar));
  }
  const parts = parted(inner).map(textOf);
  if (second.text === "(") return /^(?:row|col)$/.test(first.text) ? `${first.text} ${parts[0]}` : undefined;
  return second.text === "[" ? `${first.text} ${parts.map((part) => (part === ".." ? part : "")).join()}` : undefined;
}

/** The index set of an array, as its declaration writes it. */
export function indexSetOf(name: string, statements: readonly Statement[]): string | undefined {
  for (const { tokens } of statements) {
    const is_array = tokens[0]?.text === "array";
    const end = is_array ? closingOf(tokens, 1) : 0;
    const colon = tokens.findIndex(({ text }, i) => i > end && text === ":");
    if (is_array && tokens[colon + 1]?.text === name) return textOf(tokens.slice(2, end));
  }
  return undefined;
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join(tokens.some(({ text }) => text === "in") ? " " : "");
}
