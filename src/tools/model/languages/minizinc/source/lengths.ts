import { closingOf, stepOf, withOperators } from "./brackets.ts";
import type { Statement, Token } from "./source.ts";

/**
 * Whether a strict lexicographic order may compare lists of different lengths: the library of linear solvers then takes
 * no list for less than one that begins with it. Lists count as equally long where the source shows it: by the number
 * of elements, the index set, or the array of which both are rows.
 */
export function comparesLengths(statements: readonly Statement[]): boolean {
  return statements.some((statement) => {
    const tokens = withOperators(statement.tokens);
    return tokens.some(({ text }, i) => {
      if (!strict.test(text) || tokens[i + 1]?.text !== "(") return false;
      const [a, b] = parted(tokens.slice(i + 2, closingOf(tokens, i + 1))).map((part) => lengthOf(part, statements));
      return a === undefined || a !== b;
    });
  });
}

const strict = /^lex_(?:less|greater)$/;

/** The parts between commas. */
function parted(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    depth += stepOf(token.text);
    if (depth === 0 && token.text === ",") parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

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

function indexSetOf(name: string, statements: readonly Statement[]): string | undefined {
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
